"""The parts of messages: brackets, turns, powers, units, locations and orders.

Tokens to values of `board` and back. The tokens have passed a grammar; whether an order
is legal is a question for `judge`. Message Syntax, "Season and Phase" and "SUB".
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import accumulate, chain
from typing import Final, assert_never

from daide_server.board import orders
from daide_server.board.map import Map, Season, Turn
from daide_server.board.names import Coast, Location, Power, Unit, UnitType
from daide_server.board.orders import Order

from .tokens import (
    AMY,
    BRA,
    CTO,
    CVY,
    FLT,
    KET,
    MTO,
    SUP,
    TOKENS_BY_NAME,
    VIA,
    WVE,
    BoundedCache,
    Token,
    Tokens,
    is_cacheable,
    is_number,
    number,
    text_tokens,
    value_of,
)
from .vocabulary import Vocabulary

# Brackets


def bracketed(tokens: Tokens) -> Tokens:
    """Return *tokens* in brackets."""
    return BRA, *tokens, KET


def joined(groups: Iterable[Tokens]) -> Tokens:
    """Return the tokens of all *groups*, one group after another."""
    return tuple(chain.from_iterable(groups))


def are_paired(tokens: Tokens) -> bool:
    """Return whether the brackets of *tokens* are paired."""
    depths = [0, *accumulate((token == BRA) - (token == KET) for token in tokens)]
    return min(depths) == depths[-1] == 0


def parts(tokens: Tokens) -> list[Tokens]:
    """Return the contents of each outermost pair of brackets in *tokens*.

    Tokens outside brackets are skipped; the brackets must be paired.
    """
    found: list[Tokens] = []
    depth = start = 0
    for place, token in enumerate(tokens):
        if token == BRA:
            depth += 1
            if depth == 1:
                start = place + 1
        elif token == KET:
            depth -= 1
            if depth == 0:
                found.append(tokens[start:place])
    return found


def only_parts(tokens: Tokens) -> list[Tokens] | None:
    """Return the parts of *tokens*, `None` if anything is unpaired or outside them."""
    found = parts(tokens)
    # With their brackets, the parts are all there is.
    return found if sum(map(len, found)) + 2 * len(found) == len(tokens) else None


# Turns

SEASON_TOKENS = {season: TOKENS_BY_NAME[season.value] for season in Season}
SEASONS_BY_TOKEN = {token: season for season, token in SEASON_TOKENS.items()}


def is_turn(tokens: Tokens) -> bool:
    """Return whether *tokens* are a season and a number."""
    match tokens:
        case (season, year):
            return season in SEASONS_BY_TOKEN and is_number(year)
        case _:
            return False


def read_turn(tokens: Tokens) -> Turn:
    """Return the turn of a season token and a number token."""
    return Turn(SEASONS_BY_TOKEN[tokens[0]], value_of(tokens[1]))


def turn_tokens(turn: Turn) -> Tokens:
    """Return the tokens of *turn*, brackets excluded."""
    return SEASON_TOKENS[turn.season], number(turn.year)


# Powers, units, locations, orders

NO_TEXT = "-"
"""Replaces an empty string, which the syntax does not allow."""

UNIT_TYPE_TOKENS = {UnitType.ARMY: AMY, UnitType.FLEET: FLT}
UNIT_TYPES_BY_TOKEN = {token: kind for kind, token in UNIT_TYPE_TOKENS.items()}
ORDER_TOKENS: Mapping[type[Order], Token] = {
    orders.Hold: TOKENS_BY_NAME["HLD"],
    orders.Move: MTO,
    orders.Retreat: TOKENS_BY_NAME["RTO"],
    orders.Disband: TOKENS_BY_NAME["DSB"],
    orders.Build: TOKENS_BY_NAME["BLD"],
    orders.Remove: TOKENS_BY_NAME["REM"],
}
"""The orders that have no other unit in them."""

COAST_TOKENS = {coast: TOKENS_BY_NAME[coast.value] for coast in Coast}
COASTS_BY_TOKEN = {token: coast for coast, token in COAST_TOKENS.items()}


def string(text: str) -> Tokens:
    """Return the tokens of *text*, in brackets."""
    return bracketed(text_tokens(text or NO_TEXT))


class OrderReader:
    """Reads powers, locations, units and orders of one variant.

    With a map, units and locations are the map's own objects.
    """

    def __init__(self, vocabulary: Vocabulary, board_map: Map | None) -> None:
        self.vocabulary: Final = vocabulary
        self._new_unit: Final = Unit if board_map is None else board_map.unit
        self._locations: Final = {} if board_map is None else board_map.locations
        self._units: Final[BoundedCache[Tokens, Unit]] = BoundedCache()

    def powers(self, tokens: Tokens) -> tuple[Power, ...]:
        """Return the powers of the list *tokens*."""
        return tuple(map(self.vocabulary.power, tokens))

    def locations(self, tokens: Tokens) -> tuple[Location, ...]:
        """Return the locations of a list; one with a coast is in brackets."""
        found: list[Location] = []
        following = iter(tokens)
        for token in following:
            if token == BRA:
                found.append(self._location(next(following), next(following)))
                next(following)
            else:
                found.append(self._location(token, None))
        return tuple(found)

    def unit(self, tokens: Tokens) -> Unit:
        """Return the unit of a power, a type and a location, brackets excluded."""
        known = self._units.get(tokens)
        return known or self._units.store(tokens, self._unit(tokens))

    def order(self, tokens: Tokens) -> Order:
        """Return the order in *tokens*, its brackets excluded."""
        if tokens[0] != BRA:
            return orders.Waive(self.vocabulary.power(tokens[0]))
        unit, rest = self.unit_before(tokens)
        return _READERS[rest[0]](self, unit, rest[1:])

    def unit_before(self, tokens: Tokens) -> tuple[Unit, Tokens]:
        """Return the unit in brackets at the start of *tokens*, and the rest."""
        # ( FRA FLT ( SPA SCS ) ), or ( FRA FLT MAO ): the place of the last bracket.
        end = 7 if tokens[3] == BRA else 4
        return self.unit(tokens[1:end]), tokens[end + 1 :]

    def _unit(self, tokens: Tokens) -> Unit:
        power = self.vocabulary.power(tokens[0])
        (location,) = self.locations(tokens[2:])
        return self._new_unit(power, UNIT_TYPES_BY_TOKEN[tokens[1]], location)

    def _location(self, province: Token, coast: Token | None) -> Location:
        name = self.vocabulary.province(province)
        named_coast = None if coast is None else COASTS_BY_TOKEN[coast]
        known = self._locations.get((name, named_coast))
        return known or Location(name, named_coast)


_Reader = Callable[[OrderReader, Unit, Tokens], Order]


def _support(reader: OrderReader, unit: Unit, rest: Tokens) -> Order:
    supported, rest = reader.unit_before(rest)
    if rest:
        return orders.SupportMove(unit, supported, *reader.locations(rest[1:]))
    return orders.SupportHold(unit, supported)


def _convoy(reader: OrderReader, unit: Unit, rest: Tokens) -> Order:
    convoyed, rest = reader.unit_before(rest)
    return orders.Convoy(unit, convoyed, *reader.locations(rest[1:]))


def _convoyed_move(reader: OrderReader, unit: Unit, rest: Tokens) -> Order:
    (destination,) = reader.locations(rest[:1])
    route = tuple(map(reader.vocabulary.province, rest[3:-1]))
    return orders.ConvoyedMove(unit, destination, route)


def _reader(kind: Callable[..., Order]) -> _Reader:
    return lambda reader, unit, rest: kind(unit, *reader.locations(rest))


_READERS: Mapping[Token, _Reader] = {
    **{token: _reader(kind) for kind, token in ORDER_TOKENS.items()},
    SUP: _support,
    CVY: _convoy,
    CTO: _convoyed_move,
}


class OrderWriter:
    """Writes powers, locations, units and orders of one variant.

    All methods raise `ValueError` for a power or province that the variant lacks.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary: Final = vocabulary
        self._units: Final[BoundedCache[Unit, Tokens]] = BoundedCache()
        self._orders: Final[BoundedCache[Order, Tokens]] = BoundedCache()

    def power(self, power: Power) -> Tokens:
        """Return the token of one power, as a list."""
        return (self.vocabulary.power_token(power),)

    def powers(self, powers: tuple[Power, ...]) -> Tokens:
        """Return the tokens of a list of powers."""
        return tuple(map(self.vocabulary.power_token, powers))

    def location(self, location: Location) -> Tokens:
        """Return the province of *location*, or province and coast in brackets."""
        province = self.vocabulary.province_token(location.province)
        if location.coast is None:
            return (province,)
        return BRA, province, COAST_TOKENS[location.coast], KET

    def unit(self, unit: Unit) -> Tokens:
        """Return the tokens of *unit*, in brackets."""
        known = self._units.get(unit)
        return known or self._units.store(unit, bracketed(self.unit_within(unit)))

    def units(self, units: tuple[Unit, ...]) -> Tokens:
        """Return the tokens of *units*, each in brackets."""
        return joined(map(self.unit, units))

    def unit_within(self, unit: Unit) -> Tokens:
        """Return the tokens of *unit*, brackets excluded."""
        return (
            self.vocabulary.power_token(unit.power),
            UNIT_TYPE_TOKENS[unit.type],
            *self.location(unit.location),
        )

    def order(self, order: Order) -> Tokens:
        """Return the tokens of *order*, brackets excluded."""
        known = self._orders.get(order)
        if known is not None:
            return known
        tokens = self._order(order)
        return self._orders.store(order, tokens) if is_cacheable(tokens) else tokens

    def _order(self, order: Order) -> Tokens:
        if isinstance(order, orders.Waive):
            return self.vocabulary.power_token(order.power), WVE
        unit, province = self.unit(order.unit), self.vocabulary.province_token
        match order:
            case orders.Hold() | orders.Disband() | orders.Build() | orders.Remove():
                return *unit, ORDER_TOKENS[type(order)]
            case orders.Move(_, to) | orders.Retreat(_, to):
                return *unit, ORDER_TOKENS[type(order)], *self.location(to)
            # The destinations of the others are provinces without coasts.
            case orders.SupportHold(_, supported):
                return *unit, SUP, *self.unit(supported)
            case orders.SupportMove(_, supported, to):
                return *unit, SUP, *self.unit(supported), MTO, province(to.province)
            case orders.Convoy(_, convoyed, to):
                return *unit, CVY, *self.unit(convoyed), CTO, province(to.province)
            case orders.ConvoyedMove(_, to, route):
                via = () if route is None else (VIA, BRA, *map(province, route), KET)
                return *unit, CTO, province(to.province), *via
            case _:
                assert_never(order)

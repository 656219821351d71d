"""Units, locations and orders: tokens to values of `board` and back.

The tokens have passed a grammar; whether an order is legal is a question for `judge`.
Message Syntax, "SUB".
"""

from collections.abc import Callable, Mapping
from typing import Final, assert_never

from daide_server.board.map import Map
from daide_server.board.names import Coast, Location, Power, Unit, UnitType
from daide_server.board.orders import (
    Build,
    Convoy,
    ConvoyedMove,
    Disband,
    Hold,
    Move,
    Order,
    Remove,
    Retreat,
    SupportHold,
    SupportMove,
    Waive,
)

from .brackets import bracketed, joined
from .cache import BoundedCache, ObjectCache, is_cacheable
from .tokens import (
    AMY,
    BLD,
    BRA,
    CTO,
    CVY,
    DSB,
    FLT,
    HLD,
    KET,
    MTO,
    REM,
    RTO,
    SUP,
    TOKENS_BY_NAME,
    VIA,
    WVE,
    Token,
    Tokens,
    text_tokens,
)
from .turn_tokens import TurnWriter
from .vocabulary import Vocabulary

NO_TEXT: Final = "-"
"""Replaces an empty string, which the syntax does not allow."""

UNIT_TYPE_TOKENS: Final = {UnitType.ARMY: AMY, UnitType.FLEET: FLT}
UNIT_TYPES_BY_TOKEN: Final = {token: kind for kind, token in UNIT_TYPE_TOKENS.items()}
ORDER_TOKENS: Final[Mapping[type[Order], Token]] = {
    Hold: HLD,
    Move: MTO,
    Retreat: RTO,
    Disband: DSB,
    Build: BLD,
    Remove: REM,
}
"""The orders that have no other unit in them."""

COAST_TOKENS: Final = {coast: TOKENS_BY_NAME[coast.value] for coast in Coast}
COASTS_BY_TOKEN: Final = {token: coast for coast, token in COAST_TOKENS.items()}


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
        try:
            return tuple(map(self.vocabulary.powers.__getitem__, tokens))
        except KeyError:
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
            return Waive(self.vocabulary.power(tokens[0]))
        unit, rest = self.unit_before(tokens)
        return _READERS[rest[0]](self, unit, rest[1:])

    def unit_before(self, tokens: Tokens) -> tuple[Unit, Tokens]:
        """Return the unit in brackets at the start of *tokens*, and the rest."""
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


def _move(reader: OrderReader, unit: Unit, rest: Tokens) -> Order:
    return Move(unit, *reader.locations(rest))


def _support(reader: OrderReader, unit: Unit, rest: Tokens) -> Order:
    supported, rest = reader.unit_before(rest)
    if rest:
        return SupportMove(unit, supported, *reader.locations(rest[1:]))
    return SupportHold(unit, supported)


def _convoy(reader: OrderReader, unit: Unit, rest: Tokens) -> Order:
    convoyed, rest = reader.unit_before(rest)
    return Convoy(unit, convoyed, *reader.locations(rest[1:]))


def _convoyed_move(reader: OrderReader, unit: Unit, rest: Tokens) -> Order:
    (destination,) = reader.locations(rest[:1])
    route = tuple(map(reader.vocabulary.province, rest[3:-1]))
    return ConvoyedMove(unit, destination, route)


def _retreat(reader: OrderReader, unit: Unit, rest: Tokens) -> Order:
    return Retreat(unit, *reader.locations(rest))


_READERS: Final[Mapping[Token, Callable[[OrderReader, Unit, Tokens], Order]]] = {
    HLD: lambda _, unit, __: Hold(unit),
    MTO: _move,
    SUP: _support,
    CVY: _convoy,
    CTO: _convoyed_move,
    RTO: _retreat,
    DSB: lambda _, unit, __: Disband(unit),
    BLD: lambda _, unit, __: Build(unit),
    REM: lambda _, unit, __: Remove(unit),
}


class OrderWriter:
    """Writes powers, locations, units and orders of one variant.

    All methods raise `ValueError` for a power or province that the variant lacks.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary: Final = vocabulary
        self._units: Final[ObjectCache[Unit, Tokens]] = ObjectCache()
        self._orders: Final[ObjectCache[Order, Tokens]] = ObjectCache()
        self.press_starts: Final[
            BoundedCache[tuple[Power, tuple[Power, ...]], Tokens]
        ] = BoundedCache()
        """How FRM begins, up to the content, by the sender and the recipients."""
        self.turn: Final = TurnWriter().tokens

    def power(self, power: Power) -> Tokens:
        """Return the token of one power, as a list."""
        token = self.vocabulary.power_tokens.get(power)
        return (token or self.vocabulary.power_token(power),)

    def powers(self, powers: tuple[Power, ...]) -> Tokens:
        """Return the tokens of a list of powers."""
        try:
            return tuple(map(self.vocabulary.power_tokens.__getitem__, powers))
        except KeyError:
            return tuple(map(self.vocabulary.power_token, powers))

    def location(self, location: Location) -> Tokens:
        """Return the province of *location*, or province and coast in brackets."""
        province = self.vocabulary.province_token(location.province)
        if location.coast is None:
            return (province,)
        return BRA, province, COAST_TOKENS[location.coast], KET

    def unit(self, unit: Unit) -> Tokens:
        """Return the tokens of *unit*, in brackets."""
        known = self._units.get(id(unit))
        if known is not None:
            return known[1]
        return self._units.store(unit, (BRA, *self.unit_within(unit), KET))

    def units(self, units: tuple[Unit, ...]) -> Tokens:
        """Return the tokens of *units*, each in brackets."""
        known, unit = self._units.get, self.unit
        # Most are known; to call for each would double the time.
        return joined(
            [
                unit(each) if (found := known(id(each))) is None else found[1]
                for each in units
            ]
        )

    def unit_within(self, unit: Unit) -> Tokens:
        """Return the tokens of *unit*, brackets excluded."""
        return (
            self.vocabulary.power_token(unit.power),
            UNIT_TYPE_TOKENS[unit.type],
            *self.location(unit.location),
        )

    def order(self, order: Order) -> Tokens:
        """Return the tokens of *order*, brackets excluded."""
        known = self._orders.get(id(order))
        if known is not None:
            return known[1]
        tokens = self._order(order)
        return self._orders.store(order, tokens) if is_cacheable(tokens) else tokens

    def _order(self, order: Order) -> Tokens:
        match order:
            case Waive(power):
                return self.vocabulary.power_token(power), WVE
            case Hold() | Disband() | Build() | Remove():
                return *self.unit(order.unit), ORDER_TOKENS[type(order)]
            case Move() | Retreat():
                destination = self.location(order.destination)
                return *self.unit(order.unit), ORDER_TOKENS[type(order)], *destination
            case _:
                return self._joint_order(order)

    def _joint_order(
        self, order: SupportHold | SupportMove | Convoy | ConvoyedMove
    ) -> Tokens:
        # Their destinations are provinces without coasts, by the document.
        unit = self.unit(order.unit)
        province = self.vocabulary.province_token
        match order:
            case SupportHold(_, supported):
                return *unit, SUP, *self.unit(supported)
            case SupportMove(_, supported, to):
                return *unit, SUP, *self.unit(supported), MTO, province(to.province)
            case Convoy(_, convoyed, to):
                return *unit, CVY, *self.unit(convoyed), CTO, province(to.province)
            case ConvoyedMove(_, to, route):
                via = () if route is None else (VIA, BRA, *map(province, route), KET)
                return *unit, CTO, province(to.province), *via
            case _:
                assert_never(order)

"""Common notation: orders as text such as `A PAR - BUR`, without powers.

The caller passes the power that gives an order, and the reader looks up supported and
convoyed units on the board. Illegal orders (`A PAR - LON`, the support of a missing
unit) are read too; `judge` refuses them.

After the unit comes the action: `-` move, `H` hold, `S` support, `C` convoy,
`R` retreat, `D` disband or remove, `B` build. `VIA` after a move means by convoy, and
the route may follow it.
"""

from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from typing import Self, assert_never

from attrs import define
from msgspec import Struct

from . import orders
from .map import Map, Phase, Position, Season, Terrain, Turn
from .names import Coast, Location, Power, Province, Unit, UnitType

SHORT_COASTS: Mapping[Coast, str] = {coast: coast.value[:2] for coast in Coast}
"""The abbreviations of coasts in most notations except DAIDE's, such as `NC`."""
COASTS_BY_TEXT: Mapping[str, Coast] = {
    **{coast.value: coast for coast in Coast},
    **{short: coast for coast, short in SHORT_COASTS.items()},
}
"""The coasts by DAIDE's and by short abbreviations."""
REMEMBERED_TEXTS = 4096
"""Texts of locations, and of units, that a notation caches: enough for most boards."""


class NotationError(ValueError):
    """The text is not valid; the message says what was found and expected."""

    @classmethod
    def of(cls, found: str, expected: str) -> Self:
        """Return the error of the text *found* instead of *expected*."""
        return cls(f"found {found!r}, expected {expected}")


@define(eq=False, slots=False)
class Notation:
    """The spelling of provinces that differ from the board's names."""

    provinces: Mapping[Province, str] = {}

    def province(self, province: Province) -> str:
        """Return the spelling of *province*."""
        return self.provinces.get(province, province)

    @cached_property
    def location(self) -> Callable[[Location], str]:
        """Returns a location as text, such as `PAR` or `STP/SC`."""
        return lru_cache(REMEMBERED_TEXTS)(self._location)

    @cached_property
    def unit(self) -> Callable[[Unit], str]:
        """Returns a unit as text, such as `A PAR` or `F STP/SC`."""
        return lru_cache(REMEMBERED_TEXTS)(self._unit)

    def _location(self, location: Location) -> str:
        name = self.province(location.province)
        if location.coast is None:
            return name
        return f"{name}/{SHORT_COASTS[location.coast]}"

    def _unit(self, unit: Unit) -> str:
        return f"{unit.type.value} {self.location(unit.location)}"

    def order(self, order: orders.Order) -> str:
        """Return *order* as text."""
        if isinstance(order, orders.Waive):
            return "WAIVE"
        return f"{self.unit(order.unit)} {self._action(order)}"

    def _action(self, order: orders.UnitOrder) -> str:
        match order:
            case orders.Hold():
                return "H"
            case orders.Move():
                return f"- {self.location(order.destination)}"
            case orders.ConvoyedMove():
                seas = map(self.province, order.route or ())
                return " ".join(("-", self.location(order.destination), "VIA", *seas))
            case orders.SupportHold():
                return f"S {self.unit(order.supported)}"
            case orders.SupportMove():
                move = f"{self.unit(order.supported)} - "
                return f"S {move}{self.location(order.destination)}"
            case orders.Convoy():
                move = f"{self.unit(order.convoyed)} - "
                return f"C {move}{self.location(order.destination)}"
            case orders.Retreat():
                return f"R {self.location(order.destination)}"
            case orders.Disband() | orders.Remove():
                return "D"
            case orders.Build():
                return "B"
            case _:
                assert_never(order)

    @cached_property
    def spelled(self) -> Mapping[str, Province]:
        """The province of each spelling in `provinces`."""
        return {text: province for province, text in self.provinces.items()}


COMMON = Notation()
"""The names of the board, with coasts such as `STP/SC`."""


def read_turn(text: str) -> Turn:
    """Return the turn of a text such as `SPR 1901`; raises `NotationError`."""
    season, _, year = text.strip().upper().partition(" ")
    try:
        return Turn(Season(season), int(year))
    except ValueError:
        raise NotationError.of(text, "a turn such as 'SPR 1901'") from None


# Names of the standard map in hobby programs, where they differ from DAIDE's: dipcc,
# `diplomacy` and DiploBN share them. A map without those seas keeps its own names.

POWER_NAMES: Mapping[str, str] = {
    "AUS": "AUSTRIA",
    "ENG": "ENGLAND",
    "FRA": "FRANCE",
    "GER": "GERMANY",
    "ITA": "ITALY",
    "RUS": "RUSSIA",
    "TUR": "TURKEY",
}
SEA_NAMES: Mapping[str, str] = {"ECH": "ENG", "GOB": "BOT", "GOL": "LYO"}


def province_spelling(board_map: Map) -> Mapping[Province, str]:
    """Return the abbreviations that differ on *board_map*; none if they would clash."""
    names = set(board_map.provinces)
    if not SEA_NAMES.keys() <= names or not names.isdisjoint(SEA_NAMES.values()):
        return {}
    return {Province(ours): theirs for ours, theirs in SEA_NAMES.items()}


# Reading


class Reader(Struct, frozen=True):
    """Reads texts in a notation on one map, in one phase.

    `units` has the unit in each province. In a province with two units it is the
    dislodged one if the phase is retreats, and the other one otherwise.
    """

    notation: Notation
    map: Map
    units: Mapping[Province, Unit]
    phase: Phase

    def location(self, text: str) -> Location:
        """Return the location that *text*, such as `PAR` or `STP/SC`, names.

        Raises `NotationError` for an unknown province or coast.
        """
        name, slash, coast = text.strip().upper().partition("/")
        known = self.notation.spelled.get(name)
        province = Province(name) if known is None else known
        if province not in self.map.index:
            raise NotationError.of(text, f"a province of the map {self.map.name}")
        if slash and coast not in COASTS_BY_TEXT:
            raise NotationError.of(text, "a coast such as STP/SC after the slash")
        where = province, COASTS_BY_TEXT[coast] if slash else None
        return self.map.locations.get(where) or Location(*where)

    def unit(self, text: str, power: Power) -> Unit:
        """Return the unit of *power* that *text*, such as `F STP/SC`, names.

        Raises `NotationError`.
        """
        unit_type, place = _unit_words(text)
        return self.map.unit(power, unit_type, self.location(place))

    def order(self, text: str, power: Power) -> orders.Order:
        """Return the order of *power* that *text* contains; raises `NotationError`."""
        words = text.upper().split()
        if words == ["WAIVE"]:
            return orders.Waive(power)
        if len(words) < _SHORTEST or words[2] not in _EXPECTED:
            raise NotationError.of(text, "an order such as 'A PAR - BUR' or 'F BRE H'")
        order = self._order(self.unit(" ".join(words[:2]), power), words[2:])
        if order is None:
            rest = " ".join(words[3:])
            raise NotationError.of(text, _EXPECTED[words[2]].format(rest))
        return order

    def _order(self, unit: Unit, words: list[str]) -> orders.Order | None:
        """Return the order for *unit*, `None` if *words* are not an order."""
        match words:
            case ["-", place]:
                return move_to(self.map, unit, self.location(place))
            case ["-", place, "VIA", *seas]:
                destination = self.location(place)
                route = tuple(self.location(sea).province for sea in seas)
                return orders.ConvoyedMove(unit, destination, route or None)
            case ["S", kind, place]:
                return orders.SupportHold(
                    unit, self.on_board(f"{kind} {place}", unit.power)
                )
            # Some programs write `VIA` after a supported or convoyed move.
            case ["S" | "C", kind, place, "-", to, *via] if len(via) <= 1:
                other = self.on_board(f"{kind} {place}", unit.power)
                helping = orders.SupportMove if words[0] == "S" else orders.Convoy
                return helping(unit, other, self.location(to))
            case ["R", place]:
                return orders.Retreat(unit, self.location(place))
            case ["D"] if self.phase is Phase.ADJUSTMENTS:
                return orders.Remove(unit)
            case ["H" | "B" | "D"]:
                return _BARE_ORDERS[words[0]](unit)
            case _:
                return None

    def on_board(self, text: str, power: Power) -> Unit:
        """Return the unit on the board that *text* names, of any power.

        If it is not on the board, the unit belongs to *power*. Raises `NotationError`.
        """
        unit_type, place = _unit_words(text)
        location = self.location(place)
        there = self.units.get(location.province)
        if there is None or there.type is not unit_type:
            return self.map.unit(power, unit_type, location)
        if location.coast in {None, there.location.coast}:
            return there
        return self.map.unit(there.power, unit_type, location)


def move_to(
    board_map: Map, unit: Unit, destination: Location
) -> orders.Move | orders.ConvoyedMove:
    """Return the move of *unit* in a notation that does not distinguish convoys.

    An army that is not next to its destination is convoyed if both are on a coast.
    """
    terrain = board_map.terrain
    near = board_map.neighbours.get((unit.type, unit.location), ())
    only_by_convoy = (
        unit.type is UnitType.ARMY
        and all(at.province != destination.province for at in near)
        and unit.province != destination.province
        and terrain[unit.province] is Terrain.COASTAL
        and terrain[destination.province] is Terrain.COASTAL
    )
    if only_by_convoy:
        return orders.ConvoyedMove(unit, destination, route=None)
    return orders.Move(unit, destination)


_SHORTEST = 3

_BARE_ORDERS: Mapping[str, Callable[[Unit], orders.Order]] = {
    "H": orders.Hold,
    "D": orders.Disband,
    "B": orders.Build,
}

_OTHER_MOVE = "a unit and its move, such as 'A MAR - BUR'"

_EXPECTED: Mapping[str, str] = {
    "-": "a move such as 'A PAR - BUR' or 'A LON - BEL VIA'",
    "S": _OTHER_MOVE,
    "C": _OTHER_MOVE,
    "R": "a retreat such as 'A PAR R PIC'",
    **dict.fromkeys(_BARE_ORDERS, "nothing before {!r}"),
}
"""What is expected after an action, for error messages."""


def reader_of(
    position: Position, board_map: Map, notation: Notation = COMMON
) -> Reader:
    """Return a reader of orders for *position*."""
    units = position.unit_at
    if position.turn.phase is not Phase.RETREATS:
        units = {**units, **{unit.province: unit for unit in position.units}}
    return Reader(notation, board_map, units, position.turn.phase)


def _unit_words(text: str) -> tuple[UnitType, str]:
    letter, _, place = text.strip().upper().partition(" ")
    if letter not in {"A", "F"} or not place:
        raise NotationError.of(text, "a unit such as 'A PAR' or 'F STP/SC'")
    return UnitType(letter), place


def named_places(order: orders.UnitOrder) -> tuple[Location, ...]:
    """Return all the places that *order* names, but for the route of a convoy."""
    at = order.unit.location
    match order:
        case orders.Move() | orders.ConvoyedMove() | orders.Retreat():
            return at, order.destination
        case orders.SupportHold():
            return at, order.supported.location
        case orders.SupportMove():
            return at, order.supported.location, order.destination
        case orders.Convoy():
            return at, order.convoyed.location, order.destination
        case orders.Hold() | orders.Disband() | orders.Build() | orders.Remove():
            return (at,)

"""Common notation: `A PAR - BUR` and back.

What tests, tools and records read and write. The power of a unit is not written:
a reader is told for which power an order is, and looks the units that it supports
or convoys up on the board. Anything that can be written is read, however illegal:
`A PAR - LON` and the support of a unit that is not there are the judge's business.

A word may be followed by words, so the grammar of an order is its second part:
`-` move, `H` hold, `S` support, `C` convoy, `R` retreat, `D` disband or remove,
`B` build; `VIA` after a move says that it goes by convoy, and may name the route.
"""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Final, assert_never

from attrs import define, frozen

from .map import Map, Terrain
from .names import Coast, Location, Power, Province, Unit, UnitType
from .orders import (
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
from .position import Position
from .turns import Phase, Season, Turn

SHORT_COASTS: Final[Mapping[Coast, str]] = {
    Coast.NORTH: "NC",
    Coast.NORTH_EAST: "NE",
    Coast.EAST: "EC",
    Coast.SOUTH_EAST: "SE",
    Coast.SOUTH: "SC",
    Coast.SOUTH_WEST: "SW",
    Coast.WEST: "WC",
    Coast.NORTH_WEST: "NW",
}
"""The coasts as most notations but DAIDE's write them."""

_COASTS: Final[Mapping[str, Coast]] = {
    **{coast.value: coast for coast in Coast},
    **{short: coast for coast, short in SHORT_COASTS.items()},
}


class NotationError(ValueError):
    """The text is not an order, a unit, a place or a turn; it says what was found."""


def _error(found: str, expected: str) -> NotationError:
    return NotationError(f"found {found!r}, expected {expected}")


@define(eq=False, slots=False)
class Notation:
    """How names are spelled; where a table says nothing, as on the board.

    `provinces` and `coasts` map a name of the board to its spelling.
    """

    provinces: Mapping[Province, str] = {}
    coasts: Mapping[Coast, str] = SHORT_COASTS

    def province(self, province: Province) -> str:
        """Return the spelling of *province*."""
        return self.provinces.get(province, province)

    def location(self, location: Location) -> str:
        """Return such as `PAR` or `STP/SC`."""
        name = self.province(location.province)
        if location.coast is None:
            return name
        return f"{name}/{self.coasts.get(location.coast, location.coast.value)}"

    def unit(self, unit: Unit) -> str:
        """Return such as `A PAR` or `F STP/SC`."""
        return f"{unit.type.value} {self.location(unit.location)}"

    def order(self, order: Order) -> str:
        """Return *order* as text."""
        if isinstance(order, Waive):
            return "WAIVE"
        return f"{self.unit(order.unit)} {self._action(order)}"

    def _action(self, order: Order) -> str:  # noqa: C901 - one line per order
        match order:
            case Hold():
                return "H"
            case Move():
                return f"- {self.location(order.destination)}"
            case ConvoyedMove():
                seas = map(self.province, order.route or ())
                return " ".join(("-", self.location(order.destination), "VIA", *seas))
            case SupportHold():
                return f"S {self.unit(order.supported)}"
            case SupportMove():
                move = f"{self.unit(order.supported)} - "
                return f"S {move}{self.location(order.destination)}"
            case Convoy():
                move = f"{self.unit(order.convoyed)} - "
                return f"C {move}{self.location(order.destination)}"
            case Retreat():
                return f"R {self.location(order.destination)}"
            case Disband() | Remove():
                return "D"
            case Build():
                return "B"
            case Waive():
                return "WAIVE"
            case _:
                assert_never(order)

    @cached_property
    def spelled(self) -> Mapping[str, Province]:
        """The province that each spelling of the table means."""
        return {text: province for province, text in self.provinces.items()}


COMMON: Final = Notation()
"""The board's names, and coasts as `STP/SC`."""


@frozen
class Reader:
    """Reads texts in a notation on one map, in one phase.

    `units` tells what stands where, the dislodged ones where nothing else does.
    """

    notation: Notation
    map: Map
    units: Mapping[Province, Unit]
    phase: Phase

    def location(self, text: str) -> Location:
        """Return the place that *text* names.

        Raises `NotationError` if the map has no such province.
        """
        name, slash, coast = text.strip().upper().partition("/")
        known = self.notation.spelled.get(name)
        province = Province(name) if known is None else known
        if province not in self.map.index:
            raise _error(text, f"a province of the map {self.map.name}")
        if slash and coast not in _COASTS:
            raise _error(text, "a coast such as STP/SC after the slash")
        where = province, _COASTS[coast] if slash else None
        return self.map.locations.get(where) or Location(*where)

    def unit(self, text: str, power: Power) -> Unit:
        """Return the unit of *power* that *text*, such as `F STP/SC`, names."""
        unit_type, place = _unit_words(text)
        return self.map.unit(power, unit_type, self.location(place))

    def order(self, text: str, power: Power) -> Order:
        """Return the order that *power* gives with *text*."""
        words = text.upper().split()
        if words == ["WAIVE"]:
            return Waive(power)
        if len(words) < _SHORTEST or words[2] not in _EXPECTED:
            raise _error(text, "an order such as 'A PAR - BUR' or 'F BRE H'")
        order = self._order(self.unit(" ".join(words[:2]), power), words[2:])
        if order is None:
            rest = " ".join(words[3:])
            raise _error(text, _EXPECTED[words[2]].format(rest))
        return order

    def _order(self, unit: Unit, words: list[str]) -> Order | None:
        """Return the order that *unit* is given, if *words* are one."""
        match words:
            case ["-", place]:
                return move_to(self.map, unit, self.location(place))
            case ["-", place, "VIA", *seas]:
                destination = self.location(place)
                route = tuple(self.location(sea).province for sea in seas)
                return ConvoyedMove(unit, destination, route or None)
            case ["S", kind, place]:
                return SupportHold(unit, self.on_board(f"{kind} {place}", unit.power))
            # Some add `VIA` to the move that is supported or convoyed.
            case ["S" | "C", kind, place, "-", to, *via] if len(via) <= 1:
                other = self.on_board(f"{kind} {place}", unit.power)
                helping = SupportMove if words[0] == "S" else Convoy
                return helping(unit, other, self.location(to))
            case ["R", place]:
                return Retreat(unit, self.location(place))
            case ["D"] if self.phase is Phase.ADJUSTMENTS:
                return Remove(unit)
            case ["H" | "B" | "D"]:
                return _ALONE[words[0]](unit)
            case _:
                return None

    def on_board(self, text: str, power: Power) -> Unit:
        """Return the unit on the board that *text* means, whosever it is.

        If there is none, the unit is one of *power*, and not on the board.
        """
        unit_type, place = _unit_words(text)
        location = self.location(place)
        there = self.units.get(location.province)
        if there is None or there.type is not unit_type:
            return self.map.unit(power, unit_type, location)
        if location.coast in {None, there.location.coast}:
            return there
        return self.map.unit(there.power, unit_type, location)


def move_to(board_map: Map, unit: Unit, destination: Location) -> Move | ConvoyedMove:
    """Return the move of *unit* where nothing says how: over sea if only that can be.

    An army that is not next to its destination is convoyed, if both are on a coast.
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
        return ConvoyedMove(unit, destination, route=None)
    return Move(unit, destination)


_SHORTEST = 3

_ALONE: Final[Mapping[str, Callable[[Unit], Order]]] = {
    "H": Hold,
    "D": Disband,
    "B": Build,
}

_OTHER_MOVE: Final = "a unit and its move, such as 'A MAR - BUR'"

_EXPECTED: Final[Mapping[str, str]] = {
    "-": "a move such as 'A PAR - BUR' or 'A LON - BEL VIA'",
    "S": _OTHER_MOVE,
    "C": _OTHER_MOVE,
    "R": "a retreat such as 'A PAR R PIC'",
    **dict.fromkeys(_ALONE, "nothing before {!r}"),
}
"""Each action, and what follows it."""


def reader_of(
    position: Position, board_map: Map, notation: Notation = COMMON
) -> Reader:
    """Return the reader of orders for the turn that *position* shows."""
    dislodged = {unit.province: unit for unit in position.dislodged}
    standing = {unit.province: unit for unit in position.units}
    units = dislodged | standing
    if position.turn.phase is Phase.RETREATS:
        units = standing | dislodged
    return Reader(notation, board_map, units, position.turn.phase)


def read_turn(text: str) -> Turn:
    """Return the turn that *text*, such as `SPR 1901`, names."""
    season, _, year = text.strip().upper().partition(" ")
    try:
        return Turn(Season(season), int(year))
    except ValueError:
        raise _error(text, "a turn such as 'SPR 1901'") from None


def _unit_words(text: str) -> tuple[UnitType, str]:
    letter, _, place = text.strip().upper().partition(" ")
    if letter not in {"A", "F"} or not place:
        raise _error(text, "a unit such as 'A PAR' or 'F STP/SC'")
    return UnitType(letter), place

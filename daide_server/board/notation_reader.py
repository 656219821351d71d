"""Reads orders in common notation (see `notation`).

The text does not contain the power of a unit: the caller passes the power that gives
the order, and the reader looks up supported and convoyed units on the board. Illegal
orders (`A PAR - LON`, the support of a missing unit) are read too; `judge` refuses
them.
"""

from collections.abc import Callable, Mapping
from typing import Final

from msgspec import Struct

from .map import Map, Terrain
from .names import Location, Power, Province, Unit, UnitType
from .notation import COASTS_BY_TEXT, COMMON, Notation, NotationError
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
from .turns import Phase


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

    def order(self, text: str, power: Power) -> Order:
        """Return the order of *power* that *text* contains; raises `NotationError`."""
        words = text.upper().split()
        if words == ["WAIVE"]:
            return Waive(power)
        if len(words) < _SHORTEST or words[2] not in _EXPECTED:
            raise NotationError.of(text, "an order such as 'A PAR - BUR' or 'F BRE H'")
        order = self._order(self.unit(" ".join(words[:2]), power), words[2:])
        if order is None:
            rest = " ".join(words[3:])
            raise NotationError.of(text, _EXPECTED[words[2]].format(rest))
        return order

    def _order(self, unit: Unit, words: list[str]) -> Order | None:
        """Return the order for *unit*, `None` if *words* are not an order."""
        match words:
            case ["-", place]:
                return move_to(self.map, unit, self.location(place))
            case ["-", place, "VIA", *seas]:
                destination = self.location(place)
                route = tuple(self.location(sea).province for sea in seas)
                return ConvoyedMove(unit, destination, route or None)
            case ["S", kind, place]:
                return SupportHold(unit, self.on_board(f"{kind} {place}", unit.power))
            # Some programs write `VIA` after a supported or convoyed move.
            case ["S" | "C", kind, place, "-", to, *via] if len(via) <= 1:
                other = self.on_board(f"{kind} {place}", unit.power)
                helping = SupportMove if words[0] == "S" else Convoy
                return helping(unit, other, self.location(to))
            case ["R", place]:
                return Retreat(unit, self.location(place))
            case ["D"] if self.phase is Phase.ADJUSTMENTS:
                return Remove(unit)
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


def move_to(board_map: Map, unit: Unit, destination: Location) -> Move | ConvoyedMove:
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
        return ConvoyedMove(unit, destination, route=None)
    return Move(unit, destination)


_SHORTEST = 3

_BARE_ORDERS: Final[Mapping[str, Callable[[Unit], Order]]] = {
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
    **dict.fromkeys(_BARE_ORDERS, "nothing before {!r}"),
}
"""By action: what is expected after it, for error messages."""


def reader_of(
    position: Position, board_map: Map, notation: Notation = COMMON
) -> Reader:
    """Return a reader of orders for *position*."""
    dislodged = {unit.province: unit for unit in position.dislodged}
    standing = {unit.province: unit for unit in position.units}
    units = dislodged | standing
    if position.turn.phase is Phase.RETREATS:
        units = standing | dislodged
    return Reader(notation, board_map, units, position.turn.phase)


def _unit_words(text: str) -> tuple[UnitType, str]:
    letter, _, place = text.strip().upper().partition(" ")
    if letter not in {"A", "F"} or not place:
        raise NotationError.of(text, "a unit such as 'A PAR' or 'F STP/SC'")
    return UnitType(letter), place

"""Civil disorder: which units leave when a power removes too few (4.D.8)."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Final, TypeVar

from daide_server.board.map import Map
from daide_server.board.names import Location, Power, Province, Unit, UnitType
from daide_server.board.position import Position

from .rules import CivilDisorder

Place = TypeVar("Place", Province, Location)

_UNREACHABLE: Final = 1 << 16

_COMMON_NAMES: Final = {"ECH": "ENG", "GOB": "BOT", "GOL": "LYO"}
"""Ties are by name, and elsewhere these three names are spelled like this."""

_Urgency = Callable[[Unit], tuple[int, int, str]]


def by_urgency(
    ground: Map, position: Position, power: Power, policy: CivilDisorder
) -> list[Unit]:
    """Return the units of *power*, those that are removed first in front."""
    urgency = _URGENCY[policy](ground, position, power)
    return sorted(position.units_of(power), key=urgency)


def _from_home_centres(ground: Map, _position: Position, power: Power) -> _Urgency:
    homes = ground.homes[power]

    def urgency(unit: Unit) -> tuple[int, int, str]:
        if unit.type is UnitType.FLEET:
            return -_way_by_sea(ground, unit, homes), 0, _name(unit)
        return -_way(ground, unit, homes), 1, _name(unit)

    return urgency


def _over_any_border(ground: Map, _position: Position, power: Power) -> _Urgency:
    homes = ground.homes[power]

    def urgency(unit: Unit) -> tuple[int, int, str]:
        return -_way(ground, unit, homes), -ground.index[unit.province], ""

    return urgency


def _from_owned_centres(ground: Map, position: Position, power: Power) -> _Urgency:
    # A home centre that nobody has taken is still its power's. In play each of them
    # has an owner; positions that are set up may leave some out (DATC 6.J.2).
    untaken = ground.homes[power].difference(position.owners)
    owned = {*position.centres_of(power), *untaken}

    def urgency(unit: Unit) -> tuple[int, int, str]:
        is_army = int(unit.type is UnitType.ARMY)
        return -_way(ground, unit, owned), is_army, _name(unit)

    return urgency


_URGENCY: Final[Mapping[CivilDisorder, Callable[[Map, Position, Power], _Urgency]]] = {
    CivilDisorder.HOME_CENTRES: _from_home_centres,
    CivilDisorder.ANY_BORDER: _over_any_border,
    CivilDisorder.OWNED_CENTRES: _from_owned_centres,
}


def _name(unit: Unit) -> str:
    return _COMMON_NAMES.get(unit.province, unit.province)


def _way_by_sea(ground: Map, fleet: Unit, goals: Collection[Province]) -> int:
    """Return how many moves take *fleet* to the nearest of *goals*."""
    ends = {at for (_, at) in ground.neighbours if at.province in goals}
    return _distance(fleet.location, ends, _sailing(ground))


def _way(ground: Map, unit: Unit, goals: Collection[Province]) -> int:
    """Return how many borders lie between the unit and the nearest of *goals*."""
    return _distance(unit.province, goals, _borders(ground))


def _distance(
    start: Place, ends: Collection[Place], ways: Mapping[Place, Iterable[Place]]
) -> int:
    steps, reached, ring = 0, {start}, {start}
    while ring:
        if not ring.isdisjoint(ends):
            return steps
        steps += 1
        ring = {ahead for place in ring for ahead in ways[place]} - reached
        reached |= ring
    return _UNREACHABLE


def _sailing(ground: Map) -> Mapping[Location, Iterable[Location]]:
    return {
        at: near
        for (unit_type, at), near in ground.neighbours.items()
        if unit_type is UnitType.FLEET
    }


def _borders(ground: Map) -> Mapping[Province, set[Province]]:
    """Return what is next to each province, for whatever unit."""
    found: dict[Province, set[Province]] = {at: set() for at in ground.provinces}
    for (_, at), near in ground.neighbours.items():
        found[at.province].update(place.province for place in near)
    return found

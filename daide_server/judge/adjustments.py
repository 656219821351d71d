"""The adjustment phase: builds, removals, waived builds and civil disorder.

Of too many builds or removals the first count (DATC 4.D.4, 4.D.6), of builds in one
centre the first or the last (4.D.5); builds that are not ordered are waived (4.D.7),
removals that are not ordered are made in the order of `by_urgency` (4.D.8).
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TypeVar

from daide_server.board.map import MAPS_KEPT, Map, Position
from daide_server.board.names import Location, Power, Province, Unit, UnitType
from daide_server.board.notation import province_spelling
from daide_server.board.orders import Build, Order, Remove, Waive, owner
from daide_server.board.results import OrderNote, OrderResult, Report

from .resolution import Adjusted, Noted, Outcome, Resolution, Superseded, Void
from .rules import CivilDisorder, RepeatedBuilds

# Civil disorder: which units leave when a power removes too few (4.D.8). Ties are by
# name, as other programs spell it (`board.notation`).

_Node = TypeVar("_Node", Province, Location)

_UNREACHABLE = 1 << 16
"""The distance to goals that no path reaches: longer than any path."""

_Urgency = Callable[[Unit], tuple[int, int, str]]


def by_urgency(
    board_map: Map, position: Position, power: Power, policy: CivilDisorder
) -> list[Unit]:
    """Return the units of *power*, those that are removed first in front."""
    urgency = _URGENCY[policy](board_map, position, power)
    return sorted(position.units_of(power), key=urgency)


def _from_home_centres(board_map: Map, _position: Position, power: Power) -> _Urgency:
    homes, spelled = board_map.homes[power], province_spelling(board_map)
    ends = {at for (_, at) in board_map.neighbours if at.province in homes}

    def urgency(unit: Unit) -> tuple[int, int, str]:
        name = spelled.get(unit.province, unit.province)
        if unit.type is UnitType.FLEET:
            return -_distance(unit.location, ends, _sailing(board_map)), 0, name
        return -_distance_over_borders(board_map, unit, homes), 1, name

    return urgency


def _over_any_border(board_map: Map, _position: Position, power: Power) -> _Urgency:
    homes = board_map.homes[power]

    def urgency(unit: Unit) -> tuple[int, int, str]:
        return (
            -_distance_over_borders(board_map, unit, homes),
            -board_map.index[unit.province],
            "",
        )

    return urgency


def _from_owned_centres(board_map: Map, position: Position, power: Power) -> _Urgency:
    # A home centre without owner is still its power's. In play each of them
    # has an owner; positions that are set up may leave some out (DATC 6.J.2).
    untaken = board_map.homes[power].difference(position.owners)
    owned = {*position.centres_of(power), *untaken}
    spelled = province_spelling(board_map)

    def urgency(unit: Unit) -> tuple[int, int, str]:
        is_army = int(unit.type is UnitType.ARMY)
        name = spelled.get(unit.province, unit.province)
        return -_distance_over_borders(board_map, unit, owned), is_army, name

    return urgency


_URGENCY: Mapping[CivilDisorder, Callable[[Map, Position, Power], _Urgency]] = {
    CivilDisorder.HOME_CENTRES: _from_home_centres,
    CivilDisorder.ANY_BORDER: _over_any_border,
    CivilDisorder.OWNED_CENTRES: _from_owned_centres,
}


def _distance_over_borders(
    board_map: Map, unit: Unit, goals: Collection[Province]
) -> int:
    """Return the number of borders between the unit and the nearest of *goals*."""
    return _distance(unit.province, goals, _borders(board_map))


def _distance(
    start: _Node, goals: Collection[_Node], edges: Mapping[_Node, Iterable[_Node]]
) -> int:
    """Return the edges between *start* and the nearest goal, breadth first."""
    steps, visited, frontier = 0, {start}, {start}
    while frontier:
        if not frontier.isdisjoint(goals):
            return steps
        steps += 1
        frontier = {ahead for node in frontier for ahead in edges[node]} - visited
        visited |= frontier
    return _UNREACHABLE


@lru_cache(MAPS_KEPT)
def _sailing(board_map: Map) -> Mapping[Location, Iterable[Location]]:
    return {
        at: near
        for (unit_type, at), near in board_map.neighbours.items()
        if unit_type is UnitType.FLEET
    }


@lru_cache(MAPS_KEPT)
def _borders(board_map: Map) -> Mapping[Province, set[Province]]:
    """Return the neighbours of each province, for any unit."""
    found: dict[Province, set[Province]] = {at: set() for at in board_map.provinces}
    for (_, at), near in board_map.neighbours.items():
        found[at.province].update(place.province for place in near)
    return found


class AdjustmentLegality:
    """The builds and removals that a position allows, given those accepted so far.

    No position allows a power both, and no removal of a unit is counted twice, so only
    the number of accepted orders matters.
    """

    def __init__(self, board_map: Map, position: Position) -> None:
        self._map = board_map
        self._position = position

    @cached_property
    def _units(self) -> frozenset[Unit]:
        return frozenset(self._position.units)

    @cached_property
    def _occupied(self) -> frozenset[str]:
        return frozenset(unit.province for unit in self._position.units)

    def note(
        self, order: Order, power: Power, accepted: Collection[Order] = ()
    ) -> OrderNote:
        """Return the note on *order* as *power* submits it."""
        match order:
            case Build():
                return self._build(order, power, accepted)
            case Remove():
                return self._remove(order.unit, power, accepted)
            case Waive():
                return self._count_builds(order, power, accepted)
            case _:
                return OrderNote.WRONG_SEASON

    def _count_builds(
        self, order: Build | Waive, power: Power, accepted: Collection[Order]
    ) -> OrderNote:
        if len(accepted) >= self._position.surplus(power):
            return OrderNote.NO_MORE_BUILDS
        return OrderNote.OK if owner(order) == power else OrderNote.NOT_YOUR_UNIT

    def _build(
        self, order: Build, power: Power, accepted: Collection[Order]
    ) -> OrderNote:
        note = self._count_builds(order, power, accepted)
        if note is not OrderNote.OK:
            return note
        note = self._site(order.unit, power)
        if note is not OrderNote.OK:
            return note
        sites = {other.unit.province for other in accepted if isinstance(other, Build)}
        taken = order.unit.province in sites
        return OrderNote.CENTRE_OCCUPIED if taken else OrderNote.OK

    def _site(self, unit: Unit, power: Power) -> OrderNote:
        """Return the first of the place tests that *unit* fails."""
        board_map, place = self._map, unit.province
        tests = (
            (place in board_map.index, OrderNote.NO_SUCH_PROVINCE),
            (place in board_map.centres, OrderNote.NOT_A_CENTRE),
            (place in board_map.homes[power], OrderNote.NOT_HOME_CENTRE),
            (self._position.owners.get(place) == power, OrderNote.NOT_YOUR_CENTRE),
            (place not in self._occupied, OrderNote.CENTRE_OCCUPIED),
            (board_map.can_stand(unit.type, unit.location), OrderNote.COAST_NEEDED),
        )
        return next((note for passed, note in tests if not passed), OrderNote.OK)

    def _remove(
        self, unit: Unit, power: Power, accepted: Collection[Order]
    ) -> OrderNote:
        surplus = self._position.surplus(power)
        tests = (
            (len(accepted) < -surplus, OrderNote.NO_MORE_REMOVALS),
            (unit.province in self._map.index, OrderNote.NO_SUCH_PROVINCE),
            (unit in self._units, OrderNote.NO_SUCH_UNIT),
            (unit.power == power, OrderNote.NOT_YOUR_UNIT),
        )
        return next((note for passed, note in tests if not passed), OrderNote.OK)


class AdjustmentResolution(Resolution):
    """The results of an adjustment turn.

    If there are too many orders the first ones count, so they are processed in order.
    """

    def _take_orders(self) -> None:
        legality = AdjustmentLegality(self.variant.map, self.position)
        self._notes: list[tuple[Order, OrderNote]] = []
        self._accepted: dict[Power, list[Order]] = {}
        for order in self._given:
            power = owner(order)
            accepted = self._accepted.setdefault(power, [])
            note = OrderNote.NOT_YOUR_UNIT
            if power in self.variant.map.power_index:
                note = self._take(order, power, accepted, legality)
            self._notes.append((order, note))

    def _take(
        self,
        order: Order,
        power: Power,
        accepted: list[Order],
        legality: AdjustmentLegality,
    ) -> OrderNote:
        """Put *order* among the *accepted* ones if it is legal; return its note."""
        earlier = None
        if self.rules.repeated_builds is RepeatedBuilds.LAST:
            earlier = _build_there(order, accepted)
        others = [each for each in accepted if each is not earlier]
        note = legality.note(order, power, others)
        if note is not OrderNote.OK:
            return note
        if earlier is not None:
            accepted[accepted.index(earlier)] = order
        elif not (isinstance(order, Remove) and order in accepted):
            # A repeated removal is the same removal; every waive is another one.
            accepted.append(order)
        return note

    @cached_property
    def _done(self) -> Sequence[Order]:
        """What is done, by power, then by unit, waived builds last."""
        return [
            order for power in self.variant.map.powers for order in self._done_by(power)
        ]

    def _done_by(self, power: Power) -> Sequence[Order]:
        surplus = self.position.surplus(power)
        if surplus == 0:
            return ()
        accepted = self._accepted.get(power, [])
        sort_key = self.variant.map.sort_key
        if surplus > 0:
            builds = [order for order in accepted if isinstance(order, Build)]
            builds.sort(key=lambda order: sort_key(order.unit))
            return [*builds, *[Waive(power)] * (surplus - len(builds))]
        removed = {order.unit for order in accepted if isinstance(order, Remove)}
        removed.update(self._in_disorder(power, removed, -surplus - len(removed)))
        return [
            Remove(unit) for unit in self.position.units_of(power) if unit in removed
        ]

    def _in_disorder(
        self, power: Power, removed: set[Unit], number: int
    ) -> Sequence[Unit]:
        if number == 0:
            return ()
        ranked = by_urgency(
            self.variant.map, self.position, power, self.rules.civil_disorder
        )
        return [unit for unit in ranked if unit not in removed][:number]

    def _find_units(self) -> Sequence[Unit]:
        unit_of = self.variant.map.unit
        removed = {order.unit for order in self._done if isinstance(order, Remove)}
        built = [
            unit_of(order.unit.power, order.unit.type, order.unit.location)
            for order in self._done
            if isinstance(order, Build)
        ]
        return [*(unit for unit in self.position.units if unit not in removed), *built]

    def _find_reports(self) -> Sequence[Report]:
        return [Report(order, OrderResult.SUCCEEDED) for order in self._done]

    def _noted(self) -> Sequence[Noted]:
        return [(order, order, note) for order, note in self._notes]

    def _outcome(self, order: Order, note: OrderNote) -> Outcome:
        if note is not OrderNote.OK:
            return Void(note)
        final = _build_there(order, self._accepted[owner(order)])
        if final is None or final == order:
            return Adjusted()
        return Superseded(final)


def _build_there(order: Order, accepted: Iterable[Order]) -> Build | None:
    """Return the accepted build in the centre in which *order* builds, if it does."""
    if not isinstance(order, Build):
        return None
    builds = (each for each in accepted if isinstance(each, Build))
    return next(
        (each for each in builds if each.unit.province == order.unit.province), None
    )

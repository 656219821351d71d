"""Every legal order of a position; what bots choose from."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from daide_server.board.map import Map
from daide_server.board.names import Coast, Power, Province, Unit, UnitType
from daide_server.board.orders import Build, Disband, Order, Remove, Retreat, Waive
from daide_server.board.position import Position
from daide_server.board.turns import Phase

from .convoys import Waters
from .movement_legality import MovementLegality
from .sites import free_homes
from .standings import Standing
from .tables import tables_of


def possible_orders(
    ground: Map, position: Position
) -> Mapping[Unit, tuple[Order, ...]]:
    """Return the legal orders of each unit that may be ordered in this turn.

    In an adjustment turn those are the units that could be built or removed; see
    `possible_adjustments` for the powers' choices, waived builds among them.
    Convoyed moves leave the route open, and a convoy is listed for the fleets that
    can have a part in it.
    """
    match position.turn.phase:
        case Phase.MOVEMENT:
            return _Movements(ground, position).orders()
        case Phase.RETREATS:
            return {
                unit: (*(Retreat(unit, at) for at in places), Disband(unit))
                for unit, places in position.dislodged.items()
            }
        case Phase.ADJUSTMENTS:
            return {
                order.unit: (order,)
                for choices in possible_adjustments(ground, position).values()
                for order in choices
                if not isinstance(order, Waive)
            }


def possible_adjustments(
    ground: Map, position: Position
) -> Mapping[Power, tuple[Build | Remove | Waive, ...]]:
    """Return the builds, removals and waives that each power may order."""
    found: dict[Power, tuple[Build | Remove | Waive, ...]] = {}
    for power in ground.powers:
        surplus = position.surplus(power)
        if surplus < 0:
            found[power] = tuple(map(Remove, position.units_of(power)))
        elif surplus > 0:
            sites = free_homes(ground, position, power)
            builds = (
                unit for home in sites for unit in _buildable(ground, power, home)
            )
            found[power] = (*map(Build, builds), Waive(power))
    return found


def _buildable(ground: Map, power: Power, home: Province) -> Iterator[Unit]:
    coasts: Sequence[Coast | None] = (None, *ground.coasts.get(home, ()))
    for unit_type in UnitType:
        for coast in coasts:
            at = ground.locations.get((home, coast))
            if at is not None and ground.can_stand(unit_type, at):
                yield ground.unit(power, unit_type, at)


class _Movements:
    """The orders of a movement turn: who may go where, then who may help whom."""

    def __init__(self, ground: Map, position: Position) -> None:
        tables = tables_of(ground)
        legality = MovementLegality(tables, position.units)
        self._choices = tables.choices
        self._standings = list(legality.at.values())
        self._armies = [standing for standing in self._standings if standing.army]
        self._waters = Waters(tables, legality.seas)
        landing: dict[int, list[Standing]] = {}
        for army in self._armies:
            for to in self._waters.reach(army.province) - army.near:
                landing.setdefault(to, []).append(army)
        self._landing = {to: tuple(armies) for to, armies in landing.items()}
        """The armies that may come to each province over sea only."""

    def orders(self) -> dict[Unit, tuple[Order, ...]]:
        """Return the orders of each unit."""
        return {standing.unit: self._orders(standing) for standing in self._standings}

    def _orders(self, standing: Standing) -> tuple[Order, ...]:
        choices = self._choices[standing]
        found: list[Order] = [*choices.alone]
        if standing.army:
            found += choices.land[self._waters.reach(standing.province)]
        support = choices.support.__getitem__
        found += chain.from_iterable(map(support, self._standings))
        for to in standing.near:
            if to in self._landing:
                armies = self._landing[to]
                if standing.at_sea:
                    armies = self._without(standing, armies, to)
                found += choices.support_landings[to, armies]
        if standing.at_sea:
            shores = self._waters.shores[standing.province]
            for army in self._armies:
                if army.province in shores:
                    found += choices.convoy[army, shores]
        return tuple(found)

    def _without(
        self, fleet: Standing, armies: tuple[Standing, ...], to: int
    ) -> tuple[Standing, ...]:
        """Return which of *armies* may come to *to* without the help of *fleet*."""
        reach, sea = self._waters.reach, fleet.province
        return tuple(army for army in armies if to in reach(army.province, sea))

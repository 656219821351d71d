"""A judge that is slow and obviously right: the equations of DATC 5.B, and search.

Every way in which the moves could turn out is tried; those that agree with the
equations are the consistent ones. One: that is the result. Several that differ only
in moves: a cycle, which succeeds as a whole. None, or several that disagree on a
convoy: a paradox; by Szykman's rule (4.A.2) the convoys that depend on themselves
fail. The rules are those of the edition `daide`. Nothing of the judge is used.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations, compress, product

from daide_server.board.map import Map, Terrain
from daide_server.board.names import Province, Unit, UnitType
from daide_server.board.orders import (
    Convoy,
    ConvoyedMove,
    Hold,
    Move,
    MovementOrder,
    SupportHold,
    SupportMove,
)


class Turn:
    """The legal orders of a turn, one for each unit."""

    def __init__(self, board_map: Map, orders: Mapping[Unit, MovementOrder]) -> None:
        self.board_map = board_map
        self.orders = orders
        self.at = {unit.province: unit for unit in orders}

    @cached_property
    def convoyed(self) -> dict[Unit, list[Unit]]:
        """The armies that have matching convoys, with the fleets."""
        found = {}
        for army, order in self.orders.items():
            if isinstance(order, ConvoyedMove):
                fleets = [
                    unit
                    for unit, other in self.orders.items()
                    if isinstance(other, Convoy)
                    and other.convoyed == army
                    and other.destination.province == order.destination.province
                ]
                if self.has_route(army, {fleet.province for fleet in fleets}):
                    found[army] = fleets
        return found

    @cached_property
    def target(self) -> dict[Unit, Province]:
        """Where each unit that moves wants to go."""
        return {
            unit: order.destination.province
            for unit, order in self.orders.items()
            if isinstance(order, Move)
            or (isinstance(order, ConvoyedMove) and unit in self.convoyed)
        }

    def movers_to(self, province: Province) -> list[Unit]:
        """Return the units that want to enter *province*."""
        return [unit for unit, target in self.target.items() if target == province]

    def has_route(self, army: Unit, seas: Iterable[Province]) -> bool:
        """Return whether fleets in *seas* join the army to its destination."""
        order = self.orders[army]
        assert isinstance(order, ConvoyedMove)
        free = set(seas)
        if order.route is not None:
            return set(order.route) <= free
        reached = set[Province]()
        for _ in free:
            places = {army.province, *reached}
            reached = {sea for sea in free if self._touches(sea, places)}
        return any(self._touches(sea, {order.destination.province}) for sea in reached)

    def _touches(self, sea: Province, places: Iterable[Province]) -> bool:
        board_map = self.board_map
        return board_map.terrain[sea] is Terrain.SEA and any(
            near.province in places
            for (kind, at), nearby in board_map.neighbours.items()
            if kind is UnitType.FLEET and at.province == sea
            for near in nearby
        )

    def supporters(self, unit: Unit) -> list[Unit]:
        """Return the units whose support is for what *unit* does."""
        return [
            supporter
            for supporter, order in self.orders.items()
            if isinstance(order, SupportHold | SupportMove)
            and order.supported == unit
            and self.is_matched(order)
        ]

    def is_matched(self, order: SupportHold | SupportMove) -> bool:
        """Return whether the supported unit does what *order* is for."""
        if isinstance(order, SupportMove):
            return self.target.get(order.supported) == order.destination.province
        return not isinstance(self.orders[order.supported], Move | ConvoyedMove)


class Guess:
    """The equations, for one guess of which moves succeed."""

    def __init__(
        self, turn: Turn, moved: frozenset[Unit], failed: frozenset[Unit]
    ) -> None:
        self.turn = turn
        self.moved = moved
        self.failed = failed
        """The armies whose convoy is a paradox."""

    def is_consistent(self) -> bool:
        return all(
            self.succeeds(unit) == (unit in self.moved) for unit in self.turn.target
        )

    def is_dislodged(self, unit: Unit) -> bool:
        entered = any(
            mover in self.moved for mover in self.turn.movers_to(unit.province)
        )
        return entered and unit not in self.moved

    def arrives(self, unit: Unit) -> bool:
        if unit not in self.turn.convoyed:
            return True
        fleets = self.turn.convoyed[unit]
        afloat = {fleet.province for fleet in fleets if not self.is_dislodged(fleet)}
        return unit not in self.failed and self.turn.has_route(unit, afloat)

    def arriving(self) -> frozenset[Unit]:
        return frozenset(army for army in self.turn.convoyed if self.arrives(army))

    def supports(self, unit: Unit, against: str | None = None) -> int:
        return sum(
            self.is_given(supporter)
            for supporter in self.turn.supporters(unit)
            if supporter.power != against
        )

    def is_given(self, supporter: Unit) -> bool:
        order = self.turn.orders[supporter]
        assert isinstance(order, SupportHold | SupportMove)
        aim = order.supported.province
        if isinstance(order, SupportMove):
            aim = order.destination.province
        attackers = [
            unit
            for unit in self.turn.movers_to(supporter.province)
            if unit.power != supporter.power and self.arrives(unit)
        ]
        elsewhere = any(unit.province != aim for unit in attackers)
        return not elsewhere and not self.is_dislodged(supporter)

    def head_to_head(self, unit: Unit) -> Unit | None:
        other = self.turn.at.get(self.turn.target[unit])
        if other is None or self.turn.target.get(other) != unit.province:
            return None
        by_convoy = {unit, other} & set(self.turn.convoyed)
        return None if by_convoy else other

    def hold_strength(self, province: Province) -> int:
        unit = self.turn.at.get(province)
        if unit is None or unit in self.moved:
            return 0
        return 1 if unit in self.turn.target else 1 + self.supports(unit)

    def attack_strength(self, unit: Unit) -> int:
        if not self.arrives(unit):
            return 0
        other = self.turn.at.get(self.turn.target[unit])
        leaves = other in self.moved and other != self.head_to_head(unit)
        if other is None or leaves:
            return 1 + self.supports(unit)
        if other.power == unit.power:
            return 0
        return 1 + self.supports(unit, against=other.power)

    def prevent_strength(self, unit: Unit) -> int:
        if not self.arrives(unit) or self.head_to_head(unit) in self.moved:
            return 0
        return 1 + self.supports(unit)

    def succeeds(self, unit: Unit) -> bool:
        head_to_head = self.head_to_head(unit)
        target = self.turn.target[unit]
        resistance = self.hold_strength(target)
        if head_to_head is not None:
            resistance = 1 + self.supports(head_to_head)
        rivals = [other for other in self.turn.movers_to(target) if other != unit]
        attack = self.attack_strength(unit)
        return attack > resistance and all(
            attack > self.prevent_strength(rival) for rival in rivals
        )


class Ruling:
    """What the oracle says: what becomes of the orders, and what it had to use."""

    def __init__(self, guess: Guess, *, paradox: bool, cycle: bool) -> None:
        self.moved = guess.moved
        self.void = void(guess.turn)
        self.cut = frozenset(
            unit
            for unit, order in guess.turn.orders.items()
            if isinstance(order, SupportHold | SupportMove)
            and unit not in self.void
            and not guess.is_given(unit)
        )
        self.disrupted = frozenset(guess.turn.convoyed) - guess.arriving()
        self.paradox = paradox
        self.cycle = cycle


def ruling(board_map: Map, orders: Mapping[Unit, MovementOrder]) -> Ruling:
    """Return what becomes of the moves."""
    turn = Turn(board_map, orders)
    found = consistent(turn, frozenset())
    agreed = is_agreed(found)
    if not agreed:
        found = consistent(turn, disrupted(turn))
    best = max(found, key=lambda guess: len(guess.moved))
    return Ruling(best, paradox=not agreed, cycle=len(found) > 1)


def void(turn: Turn) -> frozenset[Unit]:
    """Return the units with orders for something that the other unit does not do.

    And the armies without a convoy.
    """
    carrying = {fleet for fleets in turn.convoyed.values() for fleet in fleets}
    return frozenset(
        unit
        for unit, order in turn.orders.items()
        if (isinstance(order, ConvoyedMove) and unit not in turn.convoyed)
        or (isinstance(order, Convoy) and unit not in carrying)
        or (isinstance(order, SupportHold | SupportMove) and not turn.is_matched(order))
    )


def consistent(turn: Turn, failed: frozenset[Unit]) -> list[Guess]:
    """Return the guesses that agree with the equations."""
    movers = list(turn.target)
    guesses = (
        Guess(turn, frozenset(compress(movers, sides)), failed)
        for sides in product((True, False), repeat=len(movers))
    )
    return [guess for guess in guesses if guess.is_consistent()]


def is_agreed(found: Sequence[Guess]) -> bool:
    """Return whether there is a guess, and all agree on the convoys."""
    return len({guess.arriving() for guess in found}) == 1


def disrupted(turn: Turn) -> frozenset[Unit]:
    """Return the armies whose convoys fail: the fewest that end the paradox.

    Where one set is as good as another, all of them fail.
    """
    doubtful = sorted(self_dependent(turn), key=str)
    for number in range(1, len(doubtful) + 1):
        enough = [
            frozenset(armies)
            for armies in combinations(doubtful, number)
            if is_agreed(consistent(turn, frozenset(armies)))
        ]
        if enough:
            return frozenset().union(*enough)
    raise AssertionError


def self_dependent(turn: Turn) -> Iterator[Unit]:
    """Yield the armies whose convoy may depend on whether it arrives."""
    for army in turn.convoyed:
        reached: set[Unit] = set()
        ahead = [army]
        while ahead:
            for other in depends(turn, ahead.pop()):
                if other not in reached:
                    reached.add(other)
                    ahead.append(other)
        if army in reached:
            yield army


def depends(turn: Turn, unit: Unit) -> set[Unit]:
    """Return the units whose orders the success of a unit's order looks at."""
    order = turn.orders[unit]
    found = set(turn.movers_to(unit.province)) - {unit}
    if isinstance(order, Hold | SupportHold | SupportMove | Convoy):
        return found
    if unit not in turn.target:
        return set()
    parties = {unit, *turn.movers_to(turn.target[unit])}
    occupant = turn.at.get(turn.target[unit])
    if occupant is not None:
        parties.add(occupant)
    found = parties | {
        fleet for army in parties for fleet in turn.convoyed.get(army, ())
    }
    return found | {
        supporter for party in parties for supporter in turn.supporters(party)
    }

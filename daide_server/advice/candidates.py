"""Order sets of one power, and the steps from one to another.

A set has a slot for each unit, or for each build or removal that is due. A step
replaces a few orders that belong together: a move and its supports, a move to the
province that another unit leaves, a convoy.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain, combinations
from typing import TypeVar

from attrs import frozen

from daide_server.board.map import Map, Phase, Position
from daide_server.board.names import Power, Province, Unit
from daide_server.board.orders import (
    Convoy,
    ConvoyedMove,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    UnitOrder,
    Waive,
)
from daide_server.judge.possible import possible_adjustments, possible_orders

OrderSet = tuple[Order, ...]
Step = tuple[tuple[int, Order], ...]
"""Slots and their new orders."""

ItemT = TypeVar("ItemT")

MAX_SUPPORTS = 3
MAX_FLEETS = 3
"""Maximum number of supports, and of fleets of a convoy, in one step."""


@frozen
class Candidates:
    """The set where a search begins, and all steps that it may take from any set."""

    first: OrderSet
    steps: tuple[Step, ...]

    def after(self, orders: OrderSet, step: Step) -> OrderSet | None:
        """Return *orders* after *step*, or `None` if two orders then conflict.

        Help for an attack of another power on a unit that stays conflicts as well.
        """
        changed = list(orders)
        for slot, order in step:
            changed[slot] = order
        fits = _are_compatible(changed) and not _betrays(changed)
        return tuple(changed) if fits else None


def candidates(
    board_map: Map, position: Position, power: Power, others: Collection[Order]
) -> Candidates:
    """Return the candidates of *power*; *others* are orders that it may support."""
    if position.turn.phase is Phase.ADJUSTMENTS:
        return _adjustments(board_map, position, power)
    possible = {
        unit: orders
        for unit, orders in possible_orders(board_map, position).items()
        if unit.power == power
    }
    if position.turn.phase is Phase.RETREATS:
        return _retreats(possible)
    return Candidates(
        tuple(map(Hold, possible)), tuple(_Movements(possible, others).steps())
    )


def _are_compatible(orders: Sequence[Order]) -> bool:
    """Return whether no two builds, removals, retreats or units share a province."""
    places = [
        order.destination.province
        if isinstance(order, Retreat)
        else (order.unit.province, type(order) is Disband)
        for order in orders
        if not isinstance(order, Waive)
    ]
    return len(places) == len(set(places))


def _betrays(orders: Sequence[Order]) -> bool:
    """Return whether an order helps another power into the place of an own unit.

    A unit that leaves may be followed by an ally.
    """
    helped = [
        order.destination.province
        for order in orders
        if (
            isinstance(order, SupportMove) and order.supported.power != order.unit.power
        )
        or (isinstance(order, Convoy) and order.convoyed.power != order.unit.power)
    ]
    return bool(helped) and any(
        order.unit.province in helped
        for order in orders
        if not isinstance(order, Waive | Move | ConvoyedMove)
    )


def _retreats(possible: Mapping[Unit, Sequence[Order]]) -> Candidates:
    slots = tuple(enumerate(possible.values()))
    first = tuple(orders[-1] for _, orders in slots)
    single = [((slot, order),) for slot, orders in slots for order in orders]
    return Candidates(first, (*single, *_pairs(slots)))


def _pairs(slots: Sequence[tuple[int, Sequence[Order]]]) -> Iterator[Step]:
    for (one, ours), (other, theirs) in combinations(slots, 2):
        for order in ours:
            yield from (((one, order), (other, also)) for also in theirs)


def _adjustments(board_map: Map, position: Position, power: Power) -> Candidates:
    due = position.surplus(power)
    choices = possible_adjustments(board_map, position).get(power, ())
    if due >= 0:
        first: OrderSet = (Waive(power),) * due
    else:
        first = tuple(choices[:-due])
    single = [((slot, order),) for slot in range(len(first)) for order in choices]
    return Candidates(first, tuple(single))


def _groups(orders: Sequence[ItemT], most: int) -> Iterator[tuple[ItemT, ...]]:
    """Yield the combinations of 1 to *most* of *orders*."""
    for count in range(1, most + 1):
        yield from combinations(orders, count)


class _Movements:
    """Makes the steps of a movement turn."""

    def __init__(
        self, possible: Mapping[Unit, Sequence[Order]], others: Collection[Order]
    ) -> None:
        self.possible = possible
        self.slot = {unit: slot for slot, unit in enumerate(possible)}
        self.at = {unit.province: unit for unit in possible}
        self.expected = {
            (order.unit, order.destination.province)
            for order in others
            if isinstance(order, Move | ConvoyedMove)
        }
        self.supports = self._find_supports()

    def steps(self) -> Iterator[Step]:
        """Yield the steps, the simple ones first."""
        yield from ((self._slotted(order),) for order in self._alone())
        yield from self._supported()
        yield from self._followed()
        yield from self._convoyed()
        yield from self._foreign()

    def _find_supports(self) -> Mapping[tuple[Unit, Province], list[UnitOrder]]:
        """Return the supports by unit and the province it moves to or stays in."""
        found: dict[tuple[Unit, Province], list[UnitOrder]] = {}
        for move in self._of(SupportMove):
            key = move.supported, move.destination.province
            found.setdefault(key, []).append(move)
        for hold in self._of(SupportHold):
            key = hold.supported, hold.supported.province
            found.setdefault(key, []).append(hold)
        return found

    def _supported(self) -> Iterator[Step]:
        """Yield each move or hold with one to three supports."""
        for order in self._alone():
            end = order.destination if isinstance(order, Move) else order.unit.location
            supports = self.supports.get((order.unit, end.province), ())
            for group in _groups(supports, MAX_SUPPORTS):
                yield (self._slotted(order), *map(self._slotted, group))
            if isinstance(order, Hold):
                # The unit may give a support, and be supported where it stands.
                yield from ((self._slotted(support),) for support in supports)

    def _followed(self) -> Iterator[Step]:
        """Yield each move to a province that another unit of the power leaves."""
        leaving: dict[Unit, list[Move]] = {}
        for order in self._of(Move):
            leaving.setdefault(order.unit, []).append(order)
        for order in self._of(Move):
            ahead = self.at.get(order.destination.province)
            for other in leaving.get(ahead, ()) if ahead else ():
                yield (self._slotted(order), self._slotted(other))

    def _convoyed(self) -> Iterator[Step]:
        """Yield each convoyed move with the fleets that can convoy it."""
        convoying: dict[tuple[Unit, Province], list[Convoy]] = {}
        for order in self._of(Convoy):
            key = order.convoyed, order.destination.province
            convoying.setdefault(key, []).append(order)
        for move in self._of(ConvoyedMove):
            key = move.unit, move.destination.province
            for fleets in _groups(convoying.get(key, ()), MAX_FLEETS):
                yield from self._landings(move, fleets)

    def _landings(self, move: ConvoyedMove, fleets: Sequence[Convoy]) -> Iterator[Step]:
        """Yield a convoy, alone and with each support of the convoyed move."""
        convoy = (self._slotted(move), *map(self._slotted, fleets))
        yield convoy
        convoying = {fleet.unit for fleet in fleets}
        for support in self.supports.get((move.unit, move.destination.province), ()):
            if support.unit not in convoying:
                yield (*convoy, self._slotted(support))

    def _foreign(self) -> Iterator[Step]:
        """Yield supports and convoys for the expected moves of other powers."""
        for support in self._of(SupportMove):
            if (support.supported, support.destination.province) in self.expected:
                yield (self._slotted(support),)
        for convoy in self._of(Convoy):
            if (convoy.convoyed, convoy.destination.province) in self.expected:
                yield (self._slotted(convoy),)

    def _alone(self) -> Iterator[Hold | Move]:
        """Yield the orders that need no other unit."""
        return self._of(Hold, Move)

    def _of(self, *kinds: type[ItemT]) -> Iterator[ItemT]:
        """Yield the possible orders of these kinds."""
        for order in chain.from_iterable(self.possible.values()):
            if isinstance(order, kinds):
                yield order

    def _slotted(self, order: UnitOrder) -> tuple[int, Order]:
        return self.slot[order.unit], order

"""The actions of each power: its orders by turn, its votes, and the end of the game."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, pairwise
from operator import attrgetter
from typing import Final

from daide_server.board import orders
from daide_server.board.map import Phase, Position, Turn
from daide_server.board.names import Power, Province, Unit
from daide_server.board.orders import Order, owner
from daide_server.board.results import OrderNote
from daide_server.judge.legality import Legality
from daide_server.judge.rules import DAIDE_RULES, EDITIONS
from daide_server.records.record import Ending, GameRecord, PlayedTurn

_TURN = attrgetter("position.turn")

Attack = tuple[Order, Power]
"""An order and the power that it is against."""


class RecordedActions:
    """The actions of the powers of one recorded game."""

    def __init__(self, record: GameRecord) -> None:
        self.record: Final = record
        self.turns: Final = record.turns
        # A transcript may have its turns in another order.
        self._in_time: Final = sorted(self.turns, key=_TURN)
        self._rules: Final = EDITIONS.get(record.edition, DAIDE_RULES)
        self._attacks: Final[dict[int, Mapping[Power, Sequence[Attack]]]] = {}

    def turns_from(self, first: Turn, last: Turn | None = None) -> Iterator[PlayedTurn]:
        """Yield the turns that were played from *first* to *last* (`None`: the end)."""
        begin = bisect_left(self._in_time, first, key=_TURN)
        for played in islice(self._in_time, begin, None):
            if last is not None and played.position.turn > last:
                return
            yield played

    def attacks(self, played: PlayedTurn, power: Power) -> Sequence[Attack]:
        """Return the attacks of *power* in a turn, which are computed only once."""
        # By identity: a transcript may have two turns of one name.
        found = self._attacks.get(id(played))
        if found is None:
            found = self._attacks[id(played)] = attacks_in(played)
        return found.get(power, ())

    def next_turn(self, phase: Phase, first: Turn) -> PlayedTurn | None:
        """Return the first turn of *phase* that was played from *first* on."""
        turns = self.turns_from(first)
        return next((each for each in turns if each.position.turn.phase is phase), None)

    def positions_from(self, first: Turn) -> Iterator[Position]:
        """Yield the position after each played turn, beginning with *first*."""
        for before, after in pairwise(self.record.positions):
            if before.turn >= first:
                yield after

    def note(self, played: PlayedTurn, order: Order) -> OrderNote:
        """Return whether the owner of *order* could have given it in that turn."""
        legality = Legality(self.record.variant.map, played.position, self._rules)
        return legality.note(order, owner(order))

    def voted_for_draw(
        self, power: Power, turn: Turn, powers: tuple[Power, ...] | None
    ) -> bool | None:
        """Return whether *power* wanted the draw; `None` if the record has no votes."""
        record = self.record
        is_last = turn == record.last.turn or turn == self.turns[-1].position.turn
        if record.ending is Ending.DRAW and is_last:
            return True
        if record.foreign and not record.votes:
            return None
        wanted = False
        for vote in record.votes:
            if vote.power == power and vote.turn == turn and _same(vote.powers, powers):
                wanted = not vote.withdrawn
        return wanted


def _same(one: tuple[Power, ...] | None, other: tuple[Power, ...] | None) -> bool:
    return one is None or other is None or set(one) == set(other)


def phase_of(order: Order) -> Phase:
    """Return the phase that takes such orders."""
    if isinstance(order, orders.RetreatOrder):
        return Phase.RETREATS
    adjusts = isinstance(order, orders.AdjustmentOrder)
    return Phase.ADJUSTMENTS if adjusts else Phase.MOVEMENT


def was_given(played: PlayedTurn, wanted: Order) -> bool:
    """Return whether *wanted* was among the orders of the turn.

    A unit without an order holds, or disbands. Coasts and routes need not be the same.
    """
    power, key = owner(wanted), comparable(wanted)
    given = [order for order in played.orders if owner(order) == power]
    if isinstance(wanted, orders.Waive):
        return any(isinstance(order, orders.Waive) for order in given)
    if isinstance(wanted, orders.Hold | orders.Disband) and all(
        isinstance(order, orders.Waive) or order.unit.province != wanted.unit.province
        for order in given
    ):
        return any(
            unit.power == power and unit.province == wanted.unit.province
            for unit in (*played.position.units, *played.position.dislodged)
        )
    return any(comparable(order) == key for order in given)


def comparable(order: Order) -> tuple[object, ...]:
    """Return the comparable part of *order*: provinces without coasts, no routes."""
    match order:
        case orders.Waive(power):
            return (orders.Waive, power)
        case orders.Build(unit):
            return (orders.Build, unit.power, unit.type, unit.province)
        case orders.SupportHold(unit, supported):
            return (orders.SupportHold, unit.province, supported.province)
        case orders.SupportMove(unit, other, to) | orders.Convoy(unit, other, to):
            return (type(order), unit.province, other.province, to.province)
        case (
            orders.Move(unit, to)
            | orders.ConvoyedMove(unit, to)
            | orders.Retreat(unit, to)
        ):
            return (type(order), unit.province, to.province)
        case orders.Hold(unit) | orders.Disband(unit) | orders.Remove(unit):
            return (type(order), unit.province)


def target(order: Order) -> Province | None:
    """Return the province that *order* brings a unit to, if it succeeds."""
    match order:
        case (
            orders.Move()
            | orders.ConvoyedMove()
            | orders.SupportMove()
            | orders.Convoy()
            | orders.Retreat()
        ):
            return order.destination.province
        case orders.Build():
            return order.unit.province
        case _:
            return None


def brought(order: Order) -> Unit | None:
    """Return the unit that *order* moves, or helps to move."""
    match order:
        case orders.Move(unit) | orders.ConvoyedMove(unit):
            return unit
        case orders.SupportMove(supported=unit) | orders.Convoy(convoyed=unit):
            return unit
        case _:
            return None


def attacks_in(played: PlayedTurn) -> Mapping[Power, Sequence[Attack]]:
    """Return the attacks of each power in a turn.

    An attack is a move, or its support or convoy, to a province with a unit of another
    power, the victim, or to a centre that it owns. A move of the victim's own unit
    is no attack, nor one that the victim supports or convoys.
    """
    position = played.position
    held: Mapping[Province, Power] = {
        **position.owners,
        **{unit.location.province: unit.power for unit in position.units},
    }
    consented = {
        (owner(order), brought(order), target(order))
        for order in played.orders
        if isinstance(order, orders.SupportMove | orders.Convoy)
    }
    found: dict[Power, list[Attack]] = {}
    for order in played.orders:
        to, power = target(order), owner(order)
        victim = None if to is None else held.get(to)
        if victim is None or victim == power:
            continue
        unit = brought(order)
        if unit is None or victim == unit.power:
            continue
        if (victim, unit, to) not in consented:
            found.setdefault(power, []).append((order, victim))
    return found

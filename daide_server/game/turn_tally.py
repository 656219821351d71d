"""How the players do in a turn: refused orders, syntax errors, lateness, think times.

A tally watches a game and changes nothing in it: it is kept beside the game, because it
also counts what is no event of the game (HUH and PRN). It is pure, and bounded whatever
clients send. Message Syntax: THX, HUH, PRN.
"""

from collections.abc import Iterator, Sequence
from statistics import median
from typing import Final

from attrs import Factory, define

from daide_server.board.names import Power, Province
from daide_server.board.orders import Waive
from daide_server.board.results import OrderNote
from daide_server.board.turns import Turn
from daide_server.language.messages import OrderNoted, SubmitOrders, SubmittedOrder
from daide_server.language.text import to_text
from daide_server.records.entries import (
    Began,
    PlayerTally,
    RecordEntry,
    RefusedOrder,
    TurnResolved,
    TurnTallied,
)
from daide_server.records.folding import PRECISION

from .effects import Effect, Send
from .events import ClientId, GameEvent, MessageReceived, Seconds
from .game_state import GameState

MAX_REFUSED_ORDERS: Final = 40
"""Of so many units of a power the last refused order is kept."""
MAX_ORDER_TOKENS: Final = 50
"""Of an order that was refused so many tokens are kept."""
MAX_THINK_TIMES: Final = 50
"""The median is that of so many SUBs of a turn."""

_Refusal = tuple[SubmittedOrder, OrderNote]


@define
class _Counts:
    """What was counted of one player in this turn."""

    refused_orders: dict[Province | None, _Refusal] = Factory(dict)
    refused: int = 0
    syntax_errors: int = 0
    late: int = 0
    messages: int = 0
    think_times: list[Seconds] = Factory(list)
    think_longest: Seconds | None = None

    def count_message(self) -> None:
        self.messages += 1

    def come_late(self) -> None:
        self.late += 1

    def misunderstand(self) -> int:
        self.syntax_errors += 1
        return self.syntax_errors

    def refuse(self, refusal: _Refusal) -> None:
        order = refusal[0].order
        province = None if isinstance(order, Waive) else order.unit.province
        kept = self.refused_orders
        self.refused += 1
        if province in kept or len(kept) < MAX_REFUSED_ORDERS:
            kept[province] = refusal

    def think(self, seconds: Seconds) -> None:
        self.think_longest = seconds
        if len(self.think_times) < MAX_THINK_TIMES:
            self.think_times.append(seconds)


class TurnTally:
    """The counts of the turn that a game is in, by power."""

    def __init__(self, state: GameState) -> None:
        self._state: Final = state
        self._begin(0.0)

    def _begin(self, now: Seconds) -> None:
        self._turn = self._state.turn
        self._began = now
        self._counts: dict[Power, _Counts] = {}

    @property
    def turn(self) -> Turn:
        """Return the turn that is counted."""
        return self._turn.position.turn

    # While the turn lasts

    def count(
        self, event: GameEvent, effects: Sequence[Effect], now: Seconds
    ) -> RefusedOrder | None:
        """Count a message of a player, which had *effects*.

        Return an order of it that was refused, if it is the power's first this turn.
        """
        if not isinstance(event, MessageReceived):
            return None
        counts = self._counts_of(event.client)
        if counts is None:
            return None
        counts.count_message()
        if not isinstance(event.message, SubmitOrders):
            return None
        counts.think(round(now - self._began, PRECISION))
        if event.message.turn not in (None, self.turn):
            counts.come_late()
        before = counts.refused
        refusals = list(_refusals(event.message, effects))
        for refusal in refusals:
            counts.refuse(refusal)
        return self._value(refusals[0]) if refusals and not before else None

    def count_syntax_error(self, client: ClientId) -> bool:
        """Count a HUH or PRN to a player; return whether it is the first this turn."""
        counts = self._counts_of(client)
        if counts is None:
            return False
        counts.count_message()
        return counts.misunderstand() == 1

    def _counts_of(self, client: ClientId) -> _Counts | None:
        seat = self._state.seating.of(client)
        return None if seat is None else self._counts.setdefault(seat.power, _Counts())

    # When it is over

    def follow(
        self, entry: RecordEntry, known: TurnTallied | None = None
    ) -> list[RecordEntry]:
        """Begin with the game and with each turn; return the tally of one that ended.

        To be called with each entry of the game, after `count`. With *known*, that is
        the tally of the turn, whatever was counted.
        """
        match entry:
            case Began():
                self._begin(entry.seconds)
            case TurnResolved():
                tallied = known or self._close(entry.seconds)
                self._begin(entry.seconds)
                return [tallied]
            case _:
                pass
        return []

    def _close(self, now: Seconds) -> TurnTallied:
        tallies = {
            power: self._tally(power)
            for power in self._state.variant.map.powers
            if power in self._counts or self._is_late(power)
        }
        return TurnTallied(self.turn, tallies, now)

    def _is_late(self, power: Power) -> bool:
        """Return whether a player who is there owed orders when the turn ended."""
        is_present = power in self._turn.survivors & self._state.seating.occupied
        return is_present and not self._turn.orders.is_complete(power)

    def _tally(self, power: Power) -> PlayerTally:
        counts, is_late = self._counts.get(power, _Counts()), self._is_late(power)
        times = counts.think_times
        return PlayerTally(
            refused_orders=tuple(map(self._value, counts.refused_orders.values())),
            refused=counts.refused,
            syntax_errors=counts.syntax_errors,
            late=counts.late + is_late,
            silent=is_late and not counts.messages,
            think_median=round(median(times), PRECISION) if times else None,
            think_longest=counts.think_longest,
        )

    def _value(self, refusal: _Refusal) -> RefusedOrder:
        submitted, note = refusal
        order = submitted.order
        return RefusedOrder(
            None if isinstance(order, Waive) else order.unit.province,
            to_text(submitted.as_sent[:MAX_ORDER_TOKENS], self._state.vocabulary),
            note,
        )


def _refusals(said: SubmitOrders, effects: Sequence[Effect]) -> Iterator[_Refusal]:
    """Yield the orders of *said* that THX did not note as MBV."""
    notes = (
        message.note
        for effect in effects
        if isinstance(effect, Send)
        for message in effect.messages
        if isinstance(message, OrderNoted)
    )
    for order, note in zip(said.orders, notes, strict=False):
        if note is not OrderNote.OK:
            yield order, note

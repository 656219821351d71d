"""How players do in a turn: refused orders, syntax errors, lateness, think times.

A tally observes a game and changes nothing in it. It is separate from the game, because
it also counts what is no event of the game (HUH and PRN). It is pure, and its size is
bounded whatever clients send. Message Syntax: THX, HUH, PRN.
"""

from collections import defaultdict
from collections.abc import Sequence
from statistics import median
from typing import Final

from attrs import Factory, define
from msgspec.structs import replace

from daide_server.board.map import Turn
from daide_server.board.names import Power, Province
from daide_server.board.orders import Waive
from daide_server.board.results import OrderNote
from daide_server.daide import messages as said
from daide_server.daide.tokens import ERR, Tokens
from daide_server.daide.translation import Writer
from daide_server.daide.vocabulary import to_text, without_passcodes
from daide_server.records import entries
from daide_server.records.entries import PRECISION
from daide_server.records.record import PlayerTally, RefusedOrder

from .events import ClientId, Effect, GameEvent, MessageReceived, Seconds, Send
from .game_state import GameState

MAX_REFUSED_ORDERS = 40
"""Maximum units of a power whose last refused order is recorded in a turn."""
MAX_ORDER_TOKENS = 50
"""Maximum tokens that are recorded of a refused order."""
MAX_ERROR_TOKENS = 50
"""Maximum tokens that are recorded of a message answered with HUH or PRN."""
MAX_THINK_TIMES = 50
"""The median think time is that of the first SUBs of a turn, at most this many."""

_Refusal = tuple[said.SubmittedOrder, OrderNote]
_SyntaxReply = said.SyntaxRefused | said.BracketsRefused


@define
class _Faults:
    """What went wrong for one player in this turn."""

    refused_orders: dict[Province | None, _Refusal] = Factory(dict)
    refused: int = 0
    syntax_errors: int = 0
    last_syntax_error: _SyntaxReply | None = None
    late: int = 0

    def refuse(self, refusal: _Refusal) -> None:
        order = refusal[0].order
        province = None if isinstance(order, Waive) else order.unit.province
        kept = self.refused_orders
        self.refused += 1
        if province in kept or len(kept) < MAX_REFUSED_ORDERS:
            kept[province] = refusal


class TurnTally:
    """The counts of the current turn of a game, by power."""

    def __init__(self, state: GameState) -> None:
        self._state: Final = state
        self._begin(0.0)

    def _begin(self, now: Seconds) -> None:
        self._turn = self._state.turn
        self._began = now
        self._heard: set[Power] = set()
        """The powers whose players have sent something other than SUB."""
        self._refused = 0
        self._think_times: dict[Power, list[Seconds]] = {}
        """The first think times, then the last one."""
        self._faults: defaultdict[Power, _Faults] = defaultdict(_Faults)

    @property
    def turn(self) -> Turn:
        """Return the turn that is being counted."""
        return self._turn.position.turn

    def count(
        self, event: GameEvent, effects: Sequence[Effect], now: Seconds
    ) -> RefusedOrder | None:
        """Count a message; return its first refused order, if the first of the turn."""
        if not isinstance(event, MessageReceived):
            return None
        seat = self._state.seating.by_client.get(event.client)
        if seat is None:
            return None
        power, message = seat.power, event.message
        if self._state.policy.strict:
            self._count_strictness(event.client, effects)
        if not isinstance(message, said.SubmitOrders):
            self._heard.add(power)
            return None
        self._think(power, now - self._began)
        if message.turn is not None and message.turn != self.turn:
            self._faults[power].late += 1
        # The turn that the orders were for, which they may have ended.
        if self._turn.refused == self._refused:
            return None
        self._refused = self._turn.refused
        return self._refuse(power, _refusals(event, message, effects))

    def _count_strictness(self, client: ClientId, effects: Sequence[Effect]) -> None:
        """Count the HUH of a strict server, which is an answer of the game."""
        for effect in effects:
            if isinstance(effect, Send) and effect.clients == (client,):
                for spoken in effect.messages:
                    if isinstance(spoken, said.SyntaxRefused):
                        self.count_syntax_error(client, spoken)

    def _think(self, power: Power, seconds: Seconds) -> None:
        times = self._think_times.get(power)
        if times is None:
            self._think_times[power] = [seconds]
        elif len(times) <= MAX_THINK_TIMES:
            times.append(seconds)
        else:
            times[-1] = seconds

    def _refuse(self, power: Power, refusals: list[_Refusal]) -> RefusedOrder | None:
        faults = self._faults[power]
        is_first = not faults.refused
        for refusal in refusals:
            faults.refuse(refusal)
        return self._value(refusals[0]) if is_first else None

    def count_syntax_error(self, client: ClientId, reply: _SyntaxReply) -> bool:
        """Count a HUH or PRN to a player; return whether it is the turn's first."""
        seat = self._state.seating.by_client.get(client)
        if seat is None:
            return False
        self._heard.add(seat.power)
        faults = self._faults[seat.power]
        faults.syntax_errors += 1
        faults.last_syntax_error = reply
        return faults.syntax_errors == 1

    def follow(
        self, entry: entries.RecordEntry, known: entries.TurnTallied | None = None
    ) -> list[entries.TurnTallied]:
        """Follow the start of the game and of turns; return the tally of an ended turn.

        Call it after `count`. *known* is the tally of the turn, whatever was counted.
        """
        match entry:
            case entries.Began():
                self._begin(entry.seconds)
            case entries.TurnResolved():
                tallied = known or self._close(entry.seconds)
                self._begin(entry.seconds)
                return [tallied]
            case _:
                pass
        return []

    def _close(self, now: Seconds) -> entries.TurnTallied:
        # The players who are there and owed orders when the turn ended.
        present = self._turn.survivors & self._state.seating.occupied
        late = self._turn.incomplete(present)
        counted = self._heard | self._think_times.keys() | late
        tallies = {
            power: self._tally(power, is_late=power in late)
            for power in self._state.variant.map.powers
            if power in counted
        }
        return entries.TurnTallied(self.turn, tallies, now)

    def _tally(self, power: Power, *, is_late: bool) -> PlayerTally:
        typical = longest = None
        if (times := self._think_times.get(power)) is not None:
            longest = round(times[-1], PRECISION)
            typical = round(median(times[:MAX_THINK_TIMES]), PRECISION)
        if power not in self._faults and not is_late:
            return PlayerTally(think_median=typical, think_longest=longest)
        faults = self._faults[power]
        return PlayerTally(
            refused_orders=tuple(map(self._value, faults.refused_orders.values())),
            refused=faults.refused,
            syntax_errors=faults.syntax_errors,
            last_syntax_error=self._text(faults.last_syntax_error),
            late=faults.late + is_late,
            silent=is_late and typical is None and power not in self._heard,
            think_median=typical,
            think_longest=longest,
        )

    def _text(self, reply: _SyntaxReply | None) -> str:
        if reply is None:
            return ""
        vocabulary = self._state.vocabulary
        spoken = without_passcodes(reply.message)
        shown = replace(reply, message=_around_error(spoken))
        return to_text(Writer(vocabulary).write(shown), vocabulary)

    def _value(self, refusal: _Refusal) -> RefusedOrder:
        submitted, note = refusal
        order = submitted.order
        return RefusedOrder(
            None if isinstance(order, Waive) else order.unit.province,
            to_text(submitted.as_sent[:MAX_ORDER_TOKENS], self._state.vocabulary),
            note,
        )


def _around_error(message: Tokens) -> Tokens:
    """Return a part of *message* of limited length, around ERR if there is one."""
    middle = message.index(ERR) if ERR in message else 0
    begin = max(0, min(middle - MAX_ERROR_TOKENS // 2, len(message) - MAX_ERROR_TOKENS))
    return message[begin : begin + MAX_ERROR_TOKENS]


def _refusals(
    event: MessageReceived, spoken: said.SubmitOrders, effects: Sequence[Effect]
) -> list[_Refusal]:
    """Return the orders of *spoken* for which THX had a note other than MBV."""
    for effect in effects:
        if isinstance(effect, Send) and effect.clients == (event.client,):
            return [
                (order, noted.note)
                for order, noted in zip(spoken.orders, effect.messages, strict=False)
                if noted is not order.accepted
                and isinstance(noted, said.OrderNoted)
                and noted.note is not OrderNote.OK
            ]
    return []

"""Reports what a game does: its entries, refused orders, pauses."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from daide_server.game.absence import awaited
from daide_server.game.effects import Effect
from daide_server.game.events import ClientId, GameEvent, MessageReceived, Seconds
from daide_server.game.game_state import GameState
from daide_server.game.stages import Stage
from daide_server.game.turn_tally import TurnTally
from daide_server.lobby.directory import GameId
from daide_server.records.entries import (
    Began,
    DrawVoted,
    Ended,
    PressSent,
    RefusedOrder,
    Seated,
    TurnResolved,
    TurnTallied,
    Vacated,
)

from .client_context import ClientContext
from .event_sink import EventSink

EntryReport = Callable[[GameId, Any], None]
"""`Any`, because a mapping cannot say that each takes the entry of its key."""

WAITING: Final = frozenset({Stage.PAUSED, Stage.LOADING, Stage.RECOVERING})
"""The stages in which the clock stands still."""
_PAUSED: Final = Stage.PAUSED
"""A name of the module is looked up faster than a member of an enum."""


class GameReporter:
    """Watches one game, and changes nothing in it."""

    def __init__(self, number: GameId, state: GameState, events: EventSink) -> None:
        self.tally = TurnTally(state)
        """The counts of the turn."""
        self._number: Final = number
        self._state: Final = state
        self._events: Final = events
        self._stage = state.stage
        self._missed = state.missed

    def go_on(self, tally: TurnTally) -> None:
        """Go on from *tally*, and the stage that the game is in now."""
        self.tally = tally
        self._stage, self._missed = self._state.stage, self._state.missed

    def report(self, event: GameEvent, effects: Sequence[Effect], now: Seconds) -> None:
        """Report what *event* did; to be called before its *effects* are recorded."""
        refused = self.tally.count(event, effects, now)
        if refused is not None and isinstance(event, MessageReceived):
            self._report_refused(event.client, refused)
        if self._state.stage is not self._stage or self._stage is _PAUSED:
            self._report_pause()

    def _report_refused(self, client: ClientId, refused: RefusedOrder) -> None:
        seat = self._state.seating.of(client)
        if seat is not None:
            context = ClientContext(
                client, game=self._number, power=seat.power, name=seat.name
            )
            self._events.orders_refused(context, self.tally.turn, refused)

    def _report_pause(self) -> None:
        """Report a pause, one more power that is missed, and that the game goes on."""
        state = self._state
        before, missed = self._stage, self._missed
        self._stage, self._missed = state.stage, state.missed
        if state.stage is Stage.PAUSED:
            is_new = before is not Stage.PAUSED or state.missed > missed
            found = awaited(state) if is_new else None
            if found is not None:
                self._events.game_paused(self._number, found)
        elif state.stage is Stage.PLAYING and before in WAITING:
            self._events.game_resumed(self._number, state.position.turn)


def entry_reports(events: EventSink) -> Mapping[type[object], EntryReport]:
    """Return the method of *events* that is for each type of entry."""
    return {
        Began: events.game_started,
        Seated: events.seat_taken,
        Vacated: events.seat_vacated,
        PressSent: events.press_sent,
        DrawVoted: events.draw_voted,
        TurnResolved: events.turn_resolved,
        TurnTallied: events.turn_tallied,
        Ended: events.game_ended,
    }

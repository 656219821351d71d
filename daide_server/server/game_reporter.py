"""Reports what a game does: refused orders, pauses."""

from collections.abc import Sequence
from typing import Final

from daide_server.game.absence import awaited
from daide_server.game.effects import Effect
from daide_server.game.events import ClientId, GameEvent, MessageReceived, Seconds
from daide_server.game.game_state import GameState
from daide_server.game.stages import Stage
from daide_server.game.turn_tally import TurnTally
from daide_server.lobby.directory import GameId
from daide_server.records.entries import RefusedOrder

from .events import ClientContext, Events, GamePaused, GameResumed, OrdersRefused

WAITING: Final = frozenset({Stage.PAUSED, Stage.LOADING, Stage.RECOVERING})
"""The stages in which the clock stands still."""
_PAUSED: Final = Stage.PAUSED
"""A name of the module is looked up faster than a member of an enum."""


class GameReporter:
    """Watches one game, and changes nothing in it."""

    def __init__(self, number: GameId, state: GameState, events: Events) -> None:
        self.tally = TurnTally(state)
        """The counts of the turn."""
        self._number: Final = number
        self._state: Final = state
        self._emit: Final = events
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
            self._emit(OrdersRefused(context, self.tally.turn, refused))

    def _report_pause(self) -> None:
        """Report a pause, one more power that is missed, and that the game goes on."""
        state = self._state
        before, missed = self._stage, self._missed
        self._stage, self._missed = state.stage, state.missed
        if state.stage is Stage.PAUSED:
            is_new = before is not Stage.PAUSED or state.missed > missed
            found = awaited(state) if is_new else None
            if found is not None:
                self._emit(GamePaused(self._number, found))
        elif state.stage is Stage.PLAYING and before in WAITING:
            self._emit(GameResumed(self._number, state.position.turn))

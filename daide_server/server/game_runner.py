"""One game at work: events in, effects carried out, in the order of the calls."""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

import structlog
import trio
from structlog.typing import FilteringBoundLogger

from daide_server.game.effects import Admit, CloseClient, Effect, Record, Send
from daide_server.game.events import (
    ClientId,
    ClockTicked,
    GameEvent,
    GameLoaded,
    GameSaved,
    Seconds,
)
from daide_server.game.game import Game
from daide_server.game.journal import Journal, play_again
from daide_server.game.journal_lines import JournalLine
from daide_server.game.stages import Stage
from daide_server.language.client_reader import ClientReader
from daide_server.language.messages import ServerMessage, SwitchOff
from daide_server.lobby.directory import GameId
from daide_server.records.entries import Ended, Ending, RecordEntry

from .encoding import Encoder
from .observing import observe_entry, observe_sent
from .session import Session


class GameRunner:
    """A game, its clock, and the way from its effects to its clients' outboxes."""

    def __init__(
        self,
        number: GameId,
        game: Game,
        encoder: Encoder,
        sessions: Mapping[ClientId, Session],
        publish: Callable[["GameRunner", RecordEntry], None],
    ) -> None:
        self.number: Final = number
        self.game: Final = game
        self.entries: list[RecordEntry] = []
        self.journal: Final = Journal(game.state.policy)
        self.name: str | None = None
        """Under which the game is saved, once it has been."""
        self.log: Final[FilteringBoundLogger] = structlog.get_logger(game=number)
        self._verbose = self.log.is_enabled_for(logging.DEBUG)
        self._encoder = encoder
        self._sessions = sessions
        self._publish = publish
        self._opened = trio.current_time()
        self._alarm: Seconds | None = None
        self._alarm_moved = trio.Event()
        self._broken = False

    @property
    def is_closed(self) -> bool:
        """Return whether the game is gone."""
        return self._broken or self.game.stage is Stage.CLOSED

    def save(self, name: str) -> None:
        """Tell everybody that the game is saved under *name*."""
        self.name = name
        self.post(GameSaved(name))

    def load(
        self,
        name: str,
        lines: Iterable[JournalLine],
        reader: ClientReader,
        seconds: Seconds,
    ) -> None:
        """Play again what a saved game was, up to *seconds*, and wait for clients."""
        self.name = name
        self._opened = trio.current_time() - seconds
        self.entries += play_again(self.game, lines, reader, self.journal)
        self._handle(GameLoaded(name), seconds)

    @property
    def seconds(self) -> Seconds:
        """Return the game time now."""
        return trio.current_time() - self._opened

    def post(self, event: GameEvent) -> Sequence[Effect]:
        """Hand *event* to the game now, after an alarm that has already passed.

        Return the effects of *event*, which have been carried out.
        """
        now = self.seconds
        if self._alarm is not None and self._alarm <= now:
            self._handle(ClockTicked(), now)
        return self._handle(event, now)

    async def keep_time(self) -> None:
        """Tick the game at each alarm, until it is closed."""
        while not self.is_closed:
            with trio.move_on_at(self._wake_time()):
                await self._alarm_moved.wait()
                continue
            now = self.seconds
            self._handle(
                ClockTicked(), now if self._alarm is None else max(now, self._alarm)
            )

    def _wake_time(self) -> float:
        return float("inf") if self._alarm is None else self._opened + self._alarm

    def _handle(self, event: GameEvent, now: Seconds) -> Sequence[Effect]:
        if self._broken:
            return ()
        try:
            self.journal.note(event, now)
            effects = self.game.handle(event, now)
            self._carry_out(effects)
            if self._verbose:
                self.log.debug(
                    "game.handled", kind=type(event).__name__, effects=len(effects)
                )
        except Exception:
            # Our own fault, whatever it is: it must cost this game only.
            self.log.exception("game.failed", kind=type(event).__name__)
            self._break(now)
            return ()
        alarm = self.game.alarm
        if alarm != self._alarm:
            self._alarm = alarm
            self._move_alarm()
        return effects

    def _move_alarm(self) -> None:
        self._alarm_moved.set()
        self._alarm_moved = trio.Event()

    def _carry_out(self, effects: Sequence[Effect]) -> None:
        """Send each client all that it is told in one step as one object."""
        outgoing: dict[ClientId, bytes] = {}
        closing: list[ClientId] = []
        for effect in effects:
            match effect:
                case Send(clients=clients, messages=messages):
                    data = self._encoded(clients, messages)
                    for client in clients:
                        before = outgoing.get(client)
                        outgoing[client] = data if before is None else before + data
                case Record(entry=entry):
                    self.entries.append(entry)
                    observe_entry(self.log, entry)
                    self._publish(self, entry)
                case Admit(client=client):
                    if client in self._sessions:
                        self._sessions[client].joined()
                case CloseClient(client=client):
                    closing.append(client)
        for client, data in outgoing.items():
            if client in self._sessions:
                self._sessions[client].outbox.put(data)
        self._close(closing)

    def _close(self, clients: Iterable[ClientId]) -> None:
        for client in clients:
            if client in self._sessions:
                self._sessions[client].finish()

    def _encoded(
        self, clients: Sequence[ClientId], messages: Sequence[ServerMessage]
    ) -> bytes:
        if self._verbose:
            observe_sent(self.log, clients, self._encoder.texts(messages))
        return self._encoder.encode(messages)

    def _break(self, now: Seconds) -> None:
        """Give up a game that failed: what was recorded is kept, its clients leave."""
        self._broken = True
        self._move_alarm()
        state = self.game.state
        if self.entries and not any(isinstance(e, Ended) for e in self.entries):
            ended = Ended(Ending.ABORTED, (), state.position, now)
            self.entries.append(ended)
            self._publish(self, ended)
        off = self._encoder.encode((SwitchOff(),))
        for client in state.joined():
            if client in self._sessions:
                self._sessions[client].outbox.put(off)
                self._sessions[client].finish()

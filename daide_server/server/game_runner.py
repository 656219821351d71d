"""Runs one game: events in, effects carried out, in the order of the calls."""

from collections.abc import Iterable, Sequence
from time import perf_counter
from typing import Final

from daide_server.game.effects import Effect
from daide_server.game.events import (
    ClockTicked,
    GameBrokenOff,
    GameEvent,
    GameLoaded,
    GameSaved,
    Seconds,
)
from daide_server.game.game import Game
from daide_server.game.journal import Journal, replay
from daide_server.game.journal_lines import JournalLine
from daide_server.game.stages import Stage
from daide_server.game.turn_tally import TurnTally
from daide_server.language.client_reader import ClientReader
from daide_server.language.messages import SwitchOff
from daide_server.records.entries import (
    Began,
    Ended,
    Ending,
    RecordEntry,
    TurnResolved,
    TurnTallied,
)

from .effect_carrier import EffectCarrier
from .game_alarm import BEFORE_DEADLINE, LATE_SECONDS, GameAlarm
from .game_notes import GameNotes
from .game_reporter import GameReporter, entry_reports
from .game_setup import GameIdentity, GameServices
from .recovered_game import RecoveredGame
from .runner_hooks import RunnerHooks
from .session_phases import Rank

MILESTONES: Final = frozenset({Began, TurnResolved, Ended})
"""The entries with which a turn, or the game, begins or ends."""


class GameRunner:
    """A game, its clock, and the way from its effects to its clients' outboxes."""

    def __init__(
        self,
        identity: GameIdentity,
        game: Game,
        services: GameServices,
        hooks: "RunnerHooks[GameRunner]",
    ) -> None:
        """Run *game*."""
        self.identity: Final = identity
        self.number: Final = identity.number
        self.game: Final = game
        self.seats: Final = game.state.seating.by_client
        """The seats that clients hold."""
        self.entries: Final[list[RecordEntry]] = []
        self.reader: ClientReader = services.reader
        """Reads what the clients of this game send."""
        self._reporter = GameReporter(self.number, game.state, services.events)
        self.name: str | None = None
        """Under which the game is saved, once it has been."""
        self._clients: Final = services.clients
        self._events: Final = services.events
        self._reports: Final = entry_reports(services.events)
        self._passes: Final = services.passes
        self._poller: Final = services.poller
        self._verbose: Final = services.events.wants_messages
        self._hooks: Final = hooks
        self._alarm: Final = GameAlarm(services.clock)
        self._effects: Final = EffectCarrier(
            self.number, game.state, services, self._record
        )
        self._handled_at: Seconds = 0.0
        self._began = 0.0
        """When the last event was handed to the game, as the processor counts."""
        self._failed = False
        self._is_kept = False
        self._description: bytes | None = None
        self._notes: Final = GameNotes(
            self.number, services.committer, lambda: self.description
        )

    @property
    def tally(self) -> TurnTally:
        """Return the counts of the turn."""
        return self._reporter.tally

    @property
    def is_closed(self) -> bool:
        """Return whether the game is gone."""
        return self._failed or self.game.stage is Stage.CLOSED

    def save(self, name: str) -> None:
        """Send SVE with *name*, under which the game is saved, to everybody."""
        self.name = name
        self.post(GameSaved(name))

    def load(self, name: str, lines: Iterable[JournalLine], seconds: Seconds) -> None:
        """Play again what a saved game was, up to *seconds*, and wait for clients."""
        self.name = name
        self._alarm.go_on(seconds)
        self.entries.extend(
            replay(self.game, lines, self.reader, self.journal, self.tally)
        )
        self._notes.hand_in()
        self._handle(GameLoaded(name), seconds)

    def recover(self, found: RecoveredGame, event: GameEvent) -> None:
        """Go on from *found*, which *event* happens to; one that is over is recorded.

        To be called in a pass.
        """
        has_ended = any(isinstance(entry, Ended) for entry in found.entries)
        self._alarm.go_on(found.seconds)
        self.entries.extend(found.entries)
        self.reader = found.reader
        self._reporter.go_on(found.tally)
        self._description = found.opened
        self._notes.go_on(found.journal, has_ended=has_ended)
        if has_ended:
            self._hooks.on_ended(self)
        else:
            self._handle(event, found.seconds)

    def keep(self) -> None:
        """Take in nothing more: the next server goes on with the game as it is."""
        self._is_kept = True
        self._alarm.set(None)

    @property
    def journal(self) -> Journal:
        """Return what happened to the game."""
        return self._notes.journal

    @property
    def description(self) -> bytes:
        """Return how the game was opened, for the journal."""
        return self._description or self._hooks.describe(self)

    def break_off(self) -> None:
        """End the game without a result, for the server's sake; in a pass."""
        self.post(GameBrokenOff())

    @property
    def seconds(self) -> Seconds:
        """Return the game time now."""
        return self._alarm.now()

    def post(self, event: GameEvent) -> Sequence[Effect]:
        """Hand *event* to the game now, after an alarm that has already passed.

        A deadline that passed while the process stood still comes after what had
        reached the socket. Return the effects of *event*, which have been carried
        out. To be called in a pass.
        """
        now = self._alarm.now()
        alarm = self._alarm.at
        if alarm is not None and alarm <= now:
            if self._missed_deadline(alarm, now):
                now = max(self._handled_at, alarm - BEFORE_DEADLINE)
            else:
                self._handle(ClockTicked(), now)
        return self._handle(event, now)

    def _missed_deadline(self, alarm: Seconds, now: Seconds) -> bool:
        """Return whether the deadline of the turn is over, and the loop was late."""
        is_late = self._alarm.is_late(now)
        return is_late and self.game.state.clock.timer.passed(alarm)

    async def keep_time(self) -> None:
        """Tick the game at each alarm, until it is closed."""
        while not self.is_closed:
            if await self._alarm.rings():
                with self._passes:
                    self._catch_up()
                    self._tick()

    def _catch_up(self) -> None:
        """Let orders that had reached the socket go before a clock that is late."""
        alarm = self._alarm.at
        if alarm is not None and self._missed_deadline(alarm, self.seconds):
            self._poller.catch_up()

    def _tick(self) -> None:
        # The clock of trio may wake a task some nanoseconds before its time.
        now, alarm = self.seconds, self._alarm.at
        if alarm is None or alarm <= now + LATE_SECONDS:
            self._handle(ClockTicked(), now if alarm is None else max(now, alarm))

    def _handle(self, event: GameEvent, now: Seconds) -> Sequence[Effect]:
        if self._failed or self._is_kept:
            return ()
        self._handled_at = now
        try:
            is_ignored = self.game.ignores(event)
            self._began = perf_counter()
            effects = self.game.handle(event, now)
            if not is_ignored:
                self._notes.note(event, effects, now)
            self._reporter.report(event, effects, now)
            self._effects.carry_out(effects)
            if self._verbose:
                kind = type(event).__name__
                self._events.event_handled(self.number, kind, len(effects))
        except Exception as error:  # noqa: BLE001 (whatever it is, it ends this game only)
            self._events.game_failed(self.number, type(event).__name__, error)
            self._give_up(now)
            return ()
        alarm = self.game.state.clock.alarm
        if alarm != self._alarm.at:
            self._alarm.set(alarm)
        return effects

    def _record(self, entry: RecordEntry) -> None:
        self.entries.append(entry)
        self._reports[type(entry)](self.number, entry)
        if type(entry) in MILESTONES:
            self._begin_or_end(entry)

    def _begin_or_end(self, entry: RecordEntry) -> None:
        """Do what goes with the beginning or the end of the game, or of a turn."""
        for tallied in self.tally.follow(entry):
            self.entries.append(tallied)
            self._notes.note_tally(tallied)
            self._reports[TurnTallied](self.number, tallied)
        if isinstance(entry, TurnResolved):
            seconds = perf_counter() - self._began
            self._events.turn_processed(self.number, seconds)
            return
        rank = Rank.PLAYING if isinstance(entry, Began) else Rank.SEATED
        clients = self.game.state.seating.clients()
        self._clients.set_rank(clients, rank, self.number)
        if isinstance(entry, Ended):
            self._notes.end()
            self._hooks.on_ended(self)

    def _give_up(self, now: Seconds) -> None:
        """End a game that failed: what was recorded is kept, its clients leave."""
        self._failed = True
        self._alarm.wake()
        self._notes.break_off(now)
        state = self.game.state
        if self.entries and not any(isinstance(e, Ended) for e in self.entries):
            self._record(Ended(Ending.ABORTED, (), state.position, now))
        clients = tuple(state.joined())
        self._clients.send(clients, (SwitchOff(),), self.number)
        self._clients.finish(clients)

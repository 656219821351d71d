"""Runs one game: events in, effects carried out, in the order of the calls."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

import trio
from attrs import frozen

from daide_server import __version__
from daide_server.board.names import Power
from daide_server.game.effects import (
    Admit,
    CloseClient,
    Effect,
    Record,
    Refuse,
    ReportRecordFull,
    Send,
)
from daide_server.game.events import (
    ClientId,
    ClockTicked,
    GameBrokenOff,
    GameEvent,
    GameLoaded,
    GameSaved,
    Seconds,
)
from daide_server.game.game import Game
from daide_server.game.journal import Journal, replay
from daide_server.game.journal_lines import BrokenOffLine, JournalLine
from daide_server.game.permissions import ClientRole
from daide_server.game.position_digest import turn_digest
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

from .game_reporter import GameReporter, report_entry
from .game_setup import GameIdentity, GameServices
from .handover import HandedGame
from .recovered_game import RecoveredGame
from .session_phases import Rank

WITHOUT_MAP: Final = {
    ClientRole.JOINED,
    ClientRole.OBSERVER,
    ClientRole.LOAD_PENDING,
}
"""What a client is that has yet to accept the map, when it is let in."""
LATE_SECONDS: Final = 0.05
"""If the loop wakes later than that, it stood still: the process was stopped."""
BEFORE_DEADLINE: Final = 1e-5
"""Seconds: more than the tolerance of `game.turn_timer`."""
ALARM_TOLERANCE: Final = 1e-6
"""Seconds by which a clock may wake a task before its time."""


def _describe_nothing(_: "GameRunner") -> bytes:
    return b""


@frozen
class RunnerHooks:
    """What a game's runner asks of others."""

    on_ended: Callable[["GameRunner"], None]
    """Called once, when the game has its result."""
    describe: Callable[["GameRunner"], bytes] = _describe_nothing
    """Returns how the game was opened, for the journal."""


class GameRunner:
    """A game, its clock, and the way from its effects to its clients' outboxes."""

    def __init__(
        self,
        identity: GameIdentity,
        game: Game,
        services: GameServices,
        hooks: RunnerHooks,
    ) -> None:
        """Run *game*."""
        self.identity: Final = identity
        self.number: Final = identity.number
        self.game: Final = game
        self.entries: Final[list[RecordEntry]] = []
        self.journal = Journal()
        self.reader: ClientReader = services.reader
        """Reads what the clients of this game send."""
        self._reporter = GameReporter(self.number, game.state, services.events)
        self.name: str | None = None
        """Under which the game is saved, once it has been."""
        self._clients: Final = services.clients
        self._clock: Final = services.clock
        self._committer: Final = services.committer
        self._events: Final = services.events
        self._passes: Final = services.passes
        self._poller: Final = services.poller
        self._verbose: Final = services.events.wants_messages
        self._hooks: Final = hooks
        self._opened = self._clock.now()
        self._alarm: Seconds | None = None
        self._alarm_moved = trio.Event()
        self._handled_at: Seconds = 0.0
        self._failed = False
        self._is_kept = False
        self._has_ended = False
        self._description: bytes | None = None

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
        self._opened = self._clock.now() - seconds
        self.entries.extend(
            replay(self.game, lines, self.reader, self.journal, self.tally)
        )
        if self._committer is not None:
            for line in self.journal.lines():
                self._committer.note(self.number, line)
            self._committer.begin(self.number, self.description)
        self._handle(GameLoaded(name), seconds)

    def recover(self, found: RecoveredGame, event: GameEvent) -> None:
        """Go on from *found*, which *event* happens to; one that is over is recorded.

        To be called in a pass.
        """
        self._opened = self._clock.now() - found.seconds
        self.entries.extend(found.entries)
        self.journal, self.reader = found.journal, found.reader
        self._reporter.go_on(found.tally)
        self._description = found.opened
        if any(isinstance(entry, Ended) for entry in found.entries):
            self._hooks.on_ended(self)
        else:
            self._handle(event, found.seconds)

    def keep(self) -> None:
        """Take in nothing more: the next server goes on with the game as it is."""
        self._is_kept = True

    def resume(self, found: RecoveredGame, handed: HandedGame) -> None:
        """Go on from *found*, which was *handed* over, as if nothing had happened."""
        self.name = handed.name
        self._opened = self._clock.now() - handed.seconds
        self.entries.extend(found.entries)
        self.journal, self.reader = found.journal, found.reader
        self._reporter.go_on(found.tally)
        self._description = found.opened
        self._has_ended = any(isinstance(entry, Ended) for entry in found.entries)
        self._alarm, self._handled_at = self.game.alarm, found.seconds
        self.game.hear_all(handed.seconds)

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
        return self._clock.now() - self._opened

    def post(self, event: GameEvent) -> Sequence[Effect]:
        """Hand *event* to the game now, after an alarm that has already passed.

        A deadline that passed while the process stood still comes after what had
        reached the socket. Return the effects of *event*, which have been carried
        out. To be called in a pass.
        """
        now, alarm = self.seconds, self._alarm
        if alarm is not None and alarm <= now:
            if self._missed_deadline(alarm, now):
                now = max(self._handled_at, alarm - BEFORE_DEADLINE)
            else:
                self._handle(ClockTicked(), now)
        return self._handle(event, now)

    def _missed_deadline(self, alarm: Seconds, now: Seconds) -> bool:
        """Return whether the deadline of the turn is over, and the loop was late."""
        if now - alarm <= LATE_SECONDS:
            return False
        return self.game.state.clock.timer.passed(alarm)

    async def keep_time(self) -> None:
        """Tick the game at each alarm, until it is closed."""
        while not self.is_closed:
            await self._clock.running()
            with trio.move_on_at(self._wake_time()):
                await self._alarm_moved.wait()
                continue
            if self._is_due():
                with self._passes:
                    self._catch_up()
                    self._tick()

    def _catch_up(self) -> None:
        """Let orders that had reached the socket go before a clock that is late."""
        alarm, now = self._alarm, self.seconds
        if alarm is not None and self._missed_deadline(alarm, now):
            self._poller.catch_up()

    def _wake_time(self) -> float:
        if self._alarm is None:
            return float("inf")
        return self._clock.wake_time(self._opened + self._alarm)

    def _is_due(self) -> bool:
        """Return whether the alarm's time has come: the clock may have stopped."""
        if self._alarm is None or not self._clock.is_running:
            return False
        return self.seconds >= self._alarm - ALARM_TOLERANCE

    def _tick(self) -> None:
        # The clock of trio may wake a task some nanoseconds before its time.
        now, alarm = self.seconds, self._alarm
        if alarm is None or alarm <= now + LATE_SECONDS:
            self._handle(ClockTicked(), now if alarm is None else max(now, alarm))

    def _handle(self, event: GameEvent, now: Seconds) -> Sequence[Effect]:
        if self._failed or self._is_kept:
            return ()
        self._handled_at = now
        try:
            is_ignored = self.game.ignores(event)
            effects = self.game.handle(event, now)
            if not is_ignored:
                self._note(event, effects, now)
            self._reporter.report(event, effects, now)
            self._carry_out(effects)
            if self._verbose:
                kind = type(event).__name__
                self._events.event_handled(self.number, kind, len(effects))
        except Exception as error:  # noqa: BLE001 (whatever it is, it ends this game only)
            self._events.game_failed(self.number, type(event).__name__, error)
            self._give_up(now)
            return ()
        alarm = self.game.alarm
        if alarm != self._alarm:
            self._alarm = alarm
            self._move_alarm()
        return effects

    def _note(self, event: GameEvent, effects: Sequence[Effect], now: Seconds) -> None:
        """Keep *event* in the journal, with the position that it leads to."""
        lines = self.journal.note(event, effects, now)
        if not lines or self._committer is None or self._has_ended:
            return
        for line in lines:
            self._committer.note(self.number, line)
        for effect in effects:
            if isinstance(effect, Record):
                if isinstance(effect.entry, TurnResolved):
                    digest = turn_digest(effect.entry, __version__)
                    self._committer.note(self.number, digest)
                elif isinstance(effect.entry, Began):
                    self._committer.begin(self.number, self.description)

    def _move_alarm(self) -> None:
        self._alarm_moved.set()
        self._alarm_moved = trio.Event()

    def _carry_out(self, effects: Sequence[Effect]) -> None:
        """Send and record; close connections after all that they are sent."""
        closing: list[ClientId] = []
        for effect in effects:
            match effect:
                case Send(clients=clients, messages=messages):
                    self._clients.send(clients, messages, self.number)
                case Record(entry=entry):
                    self._record(entry)
                case Admit(client=client, role=role, power=power):
                    self._clients.admit(
                        client, self._rank(role, power), awaits_map=role in WITHOUT_MAP
                    )
                case Refuse():
                    pass  # the dispatcher reports why
                case CloseClient(client=client, reason=reason):
                    closing.append(client)
                    if reason:
                        self._events.client_dropped(client, reason)
                case ReportRecordFull(power=power):
                    self._events.record_full(self.number, power)
        self._clients.finish(closing)

    def _record(self, entry: RecordEntry) -> None:
        for each in (entry, *self.tally.follow(entry)):
            self.entries.append(each)
            if isinstance(each, TurnTallied) and self._committer is not None:
                self._committer.note(self.number, each)
            report_entry(self._events, self.number, each)
        if isinstance(entry, Began | Ended):
            rank = Rank.PLAYING if isinstance(entry, Began) else Rank.SEATED
            self._clients.set_rank(self.game.state.seating.clients(), rank)
        if isinstance(entry, Ended):
            self._has_ended = True
            self._hooks.on_ended(self)

    def _rank(self, role: ClientRole, power: Power | None) -> Rank:
        if role is ClientRole.JOINED:
            # It may have no power until the game begins.
            return Rank.SEATED
        if power is None:
            return Rank.GUEST
        return Rank.PLAYING if self.game.state.is_running else Rank.SEATED

    def _give_up(self, now: Seconds) -> None:
        """End a game that failed: what was recorded is kept, its clients leave."""
        self._failed = True
        self._move_alarm()
        if self._committer is not None:
            self._committer.note(self.number, BrokenOffLine(now))
        state = self.game.state
        if self.entries and not any(isinstance(e, Ended) for e in self.entries):
            self._record(Ended(Ending.ABORTED, (), state.position, now))
        clients = tuple(state.joined())
        self._clients.send(clients, (SwitchOff(),), self.number)
        self._clients.finish(clients)

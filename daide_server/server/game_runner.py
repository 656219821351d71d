"""One running game: events in, effects carried out, in the order of the calls.

`GameRunner.post` passes an event to the pure game, writes it to the journal, counts
what the players did, and carries out the effects. `keep_time` ticks the game at its
alarms. If the clock was stopped, or the loop is late, input that reached the socket
before a deadline is handled before the deadline.
"""

import math
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Final

import trio
from attrs import frozen

from daide_server.daide.messages import SwitchOff
from daide_server.daide.translation import ClientReader
from daide_server.game import events as game_events
from daide_server.game.absence import wait_status
from daide_server.game.directory import GameId
from daide_server.game.events import ClientId, ClientRole, Effect, Seconds, Stage
from daide_server.game.game import Game
from daide_server.game.turn_tally import TurnTally
from daide_server.library.journal_file import GameHeader
from daide_server.records.entries import Began, Ended, RecordEntry, TurnResolved
from daide_server.records.record import Ending

from . import events as happened
from .clients import ClientSessions
from .events import ClientContext
from .journal import GameJournal
from .poller import Poller

MILESTONES = frozenset({Began, TurnResolved, Ended})
"""Entries that begin or end a game or a turn."""
WAITING = frozenset({Stage.PAUSED, Stage.LOADING, Stage.RECOVERING})
"""Stages in which the clock of a game is stopped."""
WITHOUT_MAP = frozenset(
    {ClientRole.JOINED, ClientRole.OBSERVER, ClientRole.LOAD_PENDING}
)
"""Roles of admitted clients that have not yet accepted the map."""
LATE_SECONDS = 0.05
"""Delay of an alarm in seconds above which the process counts as stopped."""
BEFORE_DEADLINE = 1e-5
"""Seconds before a missed deadline at which late input counts as received."""
ALARM_TOLERANCE = 1e-6
"""Seconds by which a task may be woken too early."""


@frozen
class GameSoFar:
    """A game that is new, or was replayed from its journal."""

    header: GameHeader
    game: Game
    reader: ClientReader
    """Parses the messages of its clients, according to its settings."""
    tally: TurnTally
    entries: Sequence[RecordEntry] = ()
    seconds: Seconds = 0.0
    """The game time of its last event."""
    name: str | None = None
    """The name of its last save."""


class GameRunner:
    """A game, its clock, and the path of its effects to the outboxes of its clients."""

    def __init__(
        self,
        found: GameSoFar,
        journal: GameJournal,
        clients: ClientSessions,
        poller: Poller,
        on_ended: "Callable[[GameRunner], None]",
    ) -> None:
        """Run a game with its *journal*; call *on_ended* when it has a result."""
        self.header: Final = found.header
        self.number: Final = GameId(found.header.number)
        self.game: Final = found.game
        self._state: Final = found.game.state
        self.seats: Final = self._state.seating.by_client
        self.entries: Final[list[RecordEntry]] = list(found.entries)
        self.reader: Final = found.reader
        self.tally: Final = found.tally
        self.name = found.name
        self.journal: Final = journal
        self._clients: Final = clients
        self._emit: Final = clients.events
        self._verbose: Final = clients.events.wants_messages
        self._poller: Final = poller
        self._clock: Final = poller.clock
        self._on_ended: Final = on_ended
        self._stage, self._missed = self._state.stage, self._state.missed
        self._opened = self._clock.now() - found.seconds
        """The server's time at which the game time was zero."""
        self._alarm: Seconds | None = None
        self._sleep = trio.CancelScope()
        """The scope of the sleep until the alarm."""
        self._handled_at = found.seconds
        self._began = 0.0
        """When the last event was passed to the game."""
        self._failed = False
        self._is_kept = False
        self.scope: Final = trio.CancelScope()
        """Cancelled to close the game earlier than its clock does."""

    @property
    def is_closed(self) -> bool:
        """Return whether the game is closed."""
        return self._failed or self.game.state.stage is Stage.CLOSED

    def save(self, name: str) -> None:
        """Send SVE with *name*, the name of the save, to all clients."""
        self.name = name
        self.post(game_events.GameSaved(name))

    def resume(self, event: game_events.GameEvent) -> None:
        """Continue a replayed game with *event*, or record its result; in a pass."""
        if self._has_ended:
            self.journal.end()
            self._on_ended(self)
        else:
            self._handle(event, self._handled_at)

    def keep(self) -> None:
        """Handle no more events: the next server resumes the game from this state."""
        self._is_kept = True
        self._set_alarm(None)

    @property
    def _has_ended(self) -> bool:
        """Return whether the game has its result."""
        return any(isinstance(entry, Ended) for entry in self.entries)

    @property
    def seconds(self) -> Seconds:
        """Return the present game time."""
        return self._clock.now() - self._opened

    def post(self, event: game_events.GameEvent) -> Sequence[Effect]:
        """Pass *event* to the game now, after an alarm that is due.

        If the process was stopped, a deadline that has passed is handled after the
        input that had reached the socket. Returns the effects, carried out; in a pass.
        """
        now, alarm = self.seconds, self._alarm
        if alarm is not None and alarm <= now:
            if self._missed_deadline(now):
                now = max(self._handled_at, alarm - BEFORE_DEADLINE)
            else:
                self._handle(game_events.ClockTicked(), now)
        return self._handle(event, now)

    # Time

    async def keep_time(self) -> None:
        """Tick the game at each alarm, until it is closed."""
        while not self.is_closed:
            await self._clock.running()
            with trio.CancelScope(deadline=self._wakes_at()) as self._sleep:
                await trio.sleep_forever()
            # The alarm may have been moved, or the clock have stopped meanwhile.
            alarm, is_running = self._alarm, self._clock.is_running
            if alarm is None or not is_running:
                continue
            if self.seconds >= alarm - ALARM_TOLERANCE:
                with self._poller.passes:
                    if self._missed_deadline(self.seconds):
                        # Orders that had reached the socket go before a late clock.
                        self._poller.catch_up()
                    self._tick()

    def _wakes_at(self) -> Seconds:
        """Return when `keep_time` must act next, on trio's clock."""
        if self.is_closed:
            return -math.inf
        alarm = self._alarm
        return math.inf if alarm is None else self._opened + alarm + self._clock.stood

    def _set_alarm(self, at: Seconds | None) -> None:
        if at != self._alarm:
            self._alarm = at
            self._sleep.deadline = self._wakes_at()

    def _missed_deadline(self, now: Seconds) -> bool:
        """Return whether the deadline of the turn has passed and the loop was late."""
        alarm = self._alarm
        if alarm is None or now - alarm <= LATE_SECONDS:
            return False
        return self._state.clock.passed(alarm)

    def _tick(self) -> None:
        # The clock of trio may wake a task some nanoseconds before its time.
        now, alarm = self.seconds, self._alarm
        at = now if alarm is None else alarm
        if at <= now + LATE_SECONDS:
            self._handle(game_events.ClockTicked(), max(now, at))

    # Events and effects

    def _handle(self, event: game_events.GameEvent, now: Seconds) -> Sequence[Effect]:
        if self._failed or self._is_kept:
            return ()
        self._handled_at = now
        try:
            is_ignored = self.game.ignores(event)
            self._began = perf_counter()
            effects = self.game.handle(event, now)
            if not is_ignored:
                self.journal.note(event, effects, now)
            self._report(event, effects, now)
            self._carry_out(effects)
            if self._verbose:
                kind, count = type(event).__name__, len(effects)
                fields = {"game": self.number, "kind": kind, "effects": count}
                self._emit(happened.Traced("game.handled", fields))
        except Exception as error:  # noqa: BLE001 (whatever it is, it ends this game only)
            self._emit(happened.GameFailed(self.number, type(event).__name__, error))
            self._give_up(now)
            return ()
        self._set_alarm(self._state.clock.alarm)
        return effects

    def _report(
        self, event: game_events.GameEvent, effects: Sequence[Effect], now: Seconds
    ) -> None:
        """Report refused orders and pauses, before *effects* are recorded."""
        refused = self.tally.count(event, effects, now)
        if refused is not None and isinstance(event, game_events.MessageReceived):
            context = self.context_of(event.client)
            self._emit(happened.OrdersRefused(context, self.tally.turn, refused))
        if self._state.stage is not self._stage or self._stage is Stage.PAUSED:
            self._report_pause()

    def context_of(self, client: ClientId, address: str | None = None) -> ClientContext:
        """Return the context of a client: this game, its power and its name."""
        seat = self.seats.get(client)
        if seat is None:
            return ClientContext(client, address, self.number)
        return ClientContext(client, address, self.number, seat.power, seat.name)

    def _report_pause(self) -> None:
        """Report a pause, another missing power, and the end of the pause."""
        state = self._state
        before, missed = self._stage, self._missed
        self._stage, self._missed = state.stage, state.missed
        if state.stage is Stage.PAUSED:
            is_new = before is not Stage.PAUSED or state.missed > missed
            found = wait_status(state) if is_new else None
            if found is not None:
                fields = {"game": self.number, "awaited": found}
                self._emit(happened.Warned("game.paused", fields))
        elif state.stage is Stage.PLAYING and before in WAITING:
            fields = {"game": self.number, "turn": state.position.turn}
            self._emit(happened.Noted("game.resumed", fields))

    def _carry_out(self, effects: Sequence[Effect]) -> None:
        """Send and record; close connections after their last messages."""
        closing: list[ClientId] = []
        for effect in effects:
            match effect:
                case game_events.Send(clients=clients, messages=messages):
                    self._clients.send(clients, messages, self.number)
                case game_events.Record(entry=entry):
                    self._record(entry)
                case game_events.Admit(client=client, role=role, power=power):
                    has_seat = power is not None or role is ClientRole.JOINED
                    awaits_map = role in WITHOUT_MAP
                    self._clients.admit(
                        client, has_seat=has_seat, awaits_map=awaits_map
                    )
                    is_playing = power is not None and self._state.is_running
                    self._clients.set_playing((client,), is_playing=is_playing)
                case game_events.Refuse():
                    pass  # the dispatcher reports why
                case game_events.CloseClient(client=client, reason=reason):
                    closing.append(client)
                    if reason:
                        self._emit(happened.ClientDropped(client, reason))
                case game_events.ReportRecordFull(power=power):
                    fields = {"game": self.number, "seat": power}
                    self._emit(happened.Warned("record.full", fields))
        if closing:
            self._clients.finish(closing)

    def _record(self, entry: RecordEntry) -> None:
        self.entries.append(entry)
        self._emit(happened.EntryRecorded(self.number, entry))
        if type(entry) in MILESTONES:
            self._begin_or_end(entry)

    def _begin_or_end(self, entry: RecordEntry) -> None:
        """Do what accompanies the beginning or end of the game, or of a turn."""
        for tallied in self.tally.follow(entry):
            self.entries.append(tallied)
            self.journal.note_tally(tallied)
            self._emit(happened.EntryRecorded(self.number, tallied))
        self._poller.queues.excuse()
        if isinstance(entry, TurnResolved):
            seconds = perf_counter() - self._began
            self._emit(happened.TurnProcessed(self.number, seconds))
            return
        clients = self._state.seating.clients()
        self._clients.set_playing(clients, is_playing=isinstance(entry, Began))
        if isinstance(entry, Ended):
            self.journal.end()
            self._on_ended(self)

    def _give_up(self, now: Seconds) -> None:
        """End a game after an error: keep its record so far, disconnect its clients."""
        self._failed = True
        self._sleep.cancel()
        self.journal.note(game_events.GameBrokenOff(), (), now)
        state = self._state
        if self.entries and not self._has_ended:
            self._record(Ended(Ending.ABORTED, (), state.position, now))
        clients = tuple(state.joined())
        self._clients.send(clients, (SwitchOff(),), self.number)
        self._clients.finish(clients)

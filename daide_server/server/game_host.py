"""The games of a server: opened, run, recorded and closed.

A new game is opened when no open game has a free seat. What the server does for one
game is in `game_runner.py`, for one client in `session.py`.
"""

from collections.abc import Awaitable, Callable, Iterable
from functools import partial

import trio
from attrs import define, field

from daide_server.board.map import Turn
from daide_server.daide.messages import SwitchOff
from daide_server.game.absence import wait_status
from daide_server.game.directory import Directory, GameId
from daide_server.game.events import Cause, ClientId, GameBrokenOff, GameEvent, Stage

from .clients import ClientSessions
from .events import Events, Failed, Warned
from .game_runner import GameRunner, GameSoFar
from .journal import GameJournal, ServerJournal
from .limits import MAX_PLACES
from .poller import Poller

FIRST_SECONDS = 60.0
"""Seconds until the first report of a waiting game; doubled for each further one."""
LONGEST_SECONDS = 3600.0
"""Maximum seconds between two reports of one game."""
WAITING_CHECK_SECONDS = 15.0
"""Seconds between two checks for waiting games."""


@define(eq=False)
class WaitingReporter:
    """Reports open games that have waited for a long time."""

    _games: Callable[[], Iterable[GameRunner]]
    _emit: Events
    _waits: dict[tuple[GameId, Stage, Turn], tuple[float, float]] = field(factory=dict)
    """Since when each game waits in its turn, and when its next report is due."""

    async def run(self) -> None:
        """Check the games repeatedly, until cancelled."""
        while True:
            await trio.sleep(WAITING_CHECK_SECONDS)
            self.look(trio.current_time())

    def look(self, now: float) -> None:
        """Report the games whose report is due."""
        before, self._waits = self._waits, {}
        for runner in self._games():
            found = wait_status(runner.game.state)
            if found is None:
                continue
            key = runner.number, found.stage, found.turn
            since, report_at = before.get(key, (now, now + FIRST_SECONDS))
            if now >= report_at:
                seconds = round(now - since)
                fields = {"game": runner.number, "awaited": found, "seconds": seconds}
                self._emit(Warned("game.waiting", fields))
                report_at = now + min(now - since, LONGEST_SECONDS)
            self._waits[key] = since, report_at


BackgroundTask = Callable[[], Awaitable[None]]
"""Runs beside a game."""

UNCOUNTED = frozenset({Cause.NOBODY_RETURNED, Cause.BROKEN_OFF})
"""Endings that do not count towards the number of games to play."""


class SeatsUnavailableError(Exception):
    """No seats can be drawn for another game; the message says why."""


@define(eq=False, kw_only=True)
class GameHost:
    """Opens the games of one server, and runs them until they are closed."""

    clients: ClientSessions
    poller: Poller
    journal: ServerJournal
    new_game: Callable[[GameId, Directory], GameSoFar]
    """Makes a game with unused passcodes; raises `SeatsUnavailableError`."""
    archive: Callable[[GameRunner], Awaitable[None]]
    while_open: Callable[[GameRunner], BackgroundTask]
    """Called when a game is opened; its result runs until the game is closed."""
    limit: int | None = None
    """The number of games to play; `None`: no limit."""
    places: int = MAX_PLACES
    directory: Directory = field(factory=Directory, init=False)
    is_draining: bool = field(default=False, init=False)
    _nursery: trio.Nursery | None = field(default=None, init=False)
    _runners: dict[GameId, GameRunner] = field(factory=dict, init=False)
    _closed: trio.Event = field(factory=trio.Event, init=False)
    """Set when a game is closed, or when no more games will be opened."""
    _pending: int = field(default=0, init=False)
    """The number of records being written and journals being dropped."""
    _settled: trio.Event = field(factory=trio.Event, init=False)
    _opened: int = field(default=0, init=False)
    _uncounted: int = field(default=0, init=False)
    _is_short: bool = field(default=False, init=False)
    """Whether the last game that was due could not be opened."""

    def start(self, nursery: trio.Nursery) -> None:
        """Run games in *nursery*; must be called before the first game is opened."""
        self._nursery = nursery

    def _start_soon(self, work: BackgroundTask) -> None:
        assert self._nursery is not None, "games are opened by a server that runs"
        self._nursery.start_soon(work)

    def open_if_full(self) -> None:
        """Open a game, unless another game has an open seat."""
        if not self.is_draining and not self.directory.has_open_seat():
            self.open_game()

    def open_game(self) -> None:
        """Open the next game, if one is due and there is room."""
        opened, limit = self._opened - self._uncounted, self.limit
        if (limit is not None and opened >= limit) or self._has_no_room():
            return
        number = GameId(self._opened + 1)
        try:
            game = self.new_game(number, self.directory)
        except SeatsUnavailableError as error:
            self._report_short(str(error))
            return
        self._is_short = False
        self._opened = number
        journal = self.journal.game(game.header, game.game.state.vocabulary)
        self._open(self._runner(game, journal))

    def _has_no_room(self) -> bool:
        """Return whether one more game could not be filled; the first always can."""
        states = [each.game.state for each in self._runners.values()]
        playing = [state for state in states if not state.ending]
        games = len(playing)
        seats = len(playing[0].variant.map.powers) if playing else 0
        is_full = bool(playing) and (games + 1) * seats > self.places
        if is_full:
            self._report_short(
                f"{games} games need {games * seats} of {self.places} connections"
            )
        return is_full

    def _report_short(self, reason: str) -> None:
        """Report once that a game that is due cannot be opened."""
        if not self._is_short:
            self.clients.events(Warned("game.not_opened", {"reason": reason}))
        self._is_short = True

    def resume_count(self, highest: int, uncounted: int) -> None:
        """Continue after game *highest*; *uncounted* games are outside the limit."""
        self._opened = max(self._opened, highest)
        self._uncounted = uncounted

    def resume_game(
        self, found: GameSoFar, journal: GameJournal, event: GameEvent
    ) -> None:
        """Continue a replayed game with *event*."""
        self._opened = max(self._opened, found.header.number)
        runner = self._runner(found, journal)
        with self.poller.passes:
            runner.resume(event)
        state = found.game.state
        if state.is_running or state.stage is Stage.FORMING:
            self._open(runner)
        elif not state.ending:
            self._start_pending(partial(self.forget, runner))

    def end_game(self, runner: GameRunner) -> None:
        """Abort one running game, and send OFF to its clients; in a pass."""
        clients = runner.game.state.joined()
        runner.post(GameBrokenOff())
        self.clients.send(clients, (SwitchOff(),), runner.number)
        self.clients.finish(clients)
        runner.scope.cancel()

    def drain(self) -> None:
        """Open no more games, and stop when no running game is left."""
        self.is_draining = True
        self.directory.takes_new = False
        self._closed.set()

    @property
    def is_over(self) -> bool:
        """Return whether no game is left, or while draining, whether none has begun."""
        runners = self._runners.values()
        begun = any(runner.game.state.has_started for runner in runners)
        return not (begun if self.is_draining else runners)

    async def until_over(self) -> None:
        """Wait until the last game is closed, and its record is written."""
        while True:
            await self.settled()
            if self.is_over:
                return
            self._closed = trio.Event()
            await self._closed.wait()

    def runner(self, number: GameId | None) -> GameRunner | None:
        """Return the open game with this number, if there is one."""
        return None if number is None else self._runners.get(number)

    def runner_of(self, client: ClientId) -> GameRunner | None:
        """Return the open game that handles messages of *client*, if there is one."""
        return self.runner(self.directory.joined.get(client))

    def open_games(self) -> list[GameRunner]:
        """Return all games that are not closed."""
        return list(self._runners.values())

    def running(self) -> list[GameRunner]:
        """Return the games that are played or paused."""
        runners = self._runners.values()
        return [runner for runner in runners if runner.game.state.is_running]

    async def settled(self) -> None:
        """Wait until the records of all finished games are written."""
        while self._pending:
            # The same event for all waiting tasks.
            await self._settled.wait()

    def _runner(self, found: GameSoFar, journal: GameJournal) -> GameRunner:
        return GameRunner(found, journal, self.clients, self.poller, self._archive)

    def _archive(self, runner: GameRunner) -> None:
        self._start_pending(partial(self.archive, runner))

    def _start_pending(self, work: BackgroundTask) -> None:
        """Start a task that must complete before the server ends."""
        self._pending += 1
        self._start_soon(partial(self._settle, work))

    async def _settle(self, work: BackgroundTask) -> None:
        try:
            await work()
        finally:
            self._pending -= 1
            if not self._pending:
                self._settled.set()
                self._settled = trio.Event()

    def _open(self, runner: GameRunner) -> None:
        self._runners[runner.number] = runner
        self.directory.add(runner.number, runner.game)
        # Called here, so that ports are opened in the order of the games.
        accepting = self.while_open(runner)
        self._start_soon(partial(self._run, runner, accepting))

    async def _run(self, runner: GameRunner, accepting: BackgroundTask) -> None:
        """Run the clock of a game until the game is closed, then forget the game."""
        with runner.scope:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(accepting)
                await runner.keep_time()
                nursery.cancel_scope.cancel()
        self.directory.remove(runner.number)
        del self._runners[runner.number]
        if not runner.entries:
            # It failed before it began, and has no record.
            self._start_pending(partial(self.forget, runner))
        if runner.game.state.cause is Cause.NOBODY_RETURNED:
            self._uncounted += 1
        self.open_if_full()
        self._closed.set()

    async def forget(self, runner: GameRunner) -> None:
        """Drop the journal of a finished game, and count the game."""
        counts = bool(runner.entries) and runner.game.state.cause not in UNCOUNTED
        try:
            await self.journal.finish(runner.journal, counts=counts)
        except OSError as error:
            path = error.filename or runner.journal.header.record
            reason = f"cannot drop the journal {path}: {error.strerror or error}"
            fields = {"game": runner.number, "reason": reason}
            self.clients.events(Failed("save.failed", fields))

"""The games of a server: opened, run, recorded and closed.

A new game is opened when all seats of the others are taken. What the server does
for one game is in `game_runner.py`, for one client in `session.py`.
"""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

import trio

from daide_server.classes import frozen
from daide_server.game.events import ClientId, GameEvent
from daide_server.game.game import Game
from daide_server.game.options import SeatAssignment
from daide_server.game.stages import Cause, Stage
from daide_server.language.messages import SwitchOff
from daide_server.lobby.directory import Directory, GameId
from daide_server.storage.journal_file import GameHeader

from .events import GameNotOpened, SaveFailed
from .game_runner import GameRunner, ReplayedGame
from .game_setup import GameIdentity, GameServices, GameSetup
from .journal import GameJournal
from .pending import PendingTasks

UNCOUNTED: Final = frozenset({Cause.NOBODY_RETURNED, Cause.BROKEN_OFF})
"""Ends of games that do not count for the number of games to play."""


def _unnamed(number: GameId) -> GameIdentity:
    return GameIdentity(number, f"{number:04}", 0.0, {})


def _without_options(identity: GameIdentity, seats: SeatAssignment) -> GameHeader:
    """Return the header of a game that nobody saves."""
    return GameHeader(
        number=identity.number,
        record=identity.record,
        opened=identity.opened,
        metadata=identity.metadata,
        board="",
        board_digest="",
        options={},
        seats=seats.seats,
        passcodes=seats.passcodes,
    )


class SeatsUnavailableError(Exception):
    """No seats can be drawn for one game more; the message says why."""


@frozen
class ServerHooks:
    """What the server leaves to the application."""

    draw_seats: Callable[[GameId, Directory], SeatAssignment]
    """Draws the seats of a new game, with passcodes that are free in the directory.

    Raises `SeatsUnavailableError` if there are none.
    """
    archive: Callable[[GameRunner], Awaitable[None]]
    """Writes the record of a finished game."""
    opened: Callable[[GameRunner], Awaitable[None]]
    """Called when a game is opened; what it returns is cancelled when that closes."""
    identify: Callable[[GameId], GameIdentity] = _unnamed
    """Returns what a new game is called."""
    describe: Callable[[GameIdentity, SeatAssignment], GameHeader] = _without_options
    """Returns how a new game is set up, for its journal."""


class GameHost:
    """Opens the games of one server, and runs them until they are closed."""

    def __init__(
        self,
        setup: GameSetup,
        hooks: ServerHooks,
        services: GameServices,
        nursery: trio.Nursery,
    ) -> None:
        self.directory: Final = Directory()
        self._joined: Final = self.directory.joined
        self.finished: Final = trio.Event()
        """Set when the last game is closed and its record is written."""
        self._setup: Final = setup
        self._hooks: Final = hooks
        self._services: Final = services
        self._nursery: Final = nursery
        self._runners: Final[dict[GameId, GameRunner]] = {}
        self._scopes: Final[dict[GameId, trio.CancelScope]] = {}
        """Cancelled to close a game before its clock does."""
        self._records: Final = PendingTasks(nursery)
        self.is_draining = False
        self._opened = 0
        self._is_short = False
        """Whether the last game that was due could not be opened."""
        self._uncounted = 0

    def open_if_full(self) -> None:
        """Open a game unless another has an open seat.

        Whoever comes next need not wait until the players of a full game have
        accepted the map.
        """
        if not self.is_draining and not self.directory.has_open_seat():
            self.open_game()

    def open_game(self) -> None:
        """Open the next game, unless that was the last one, or there is no room."""
        if self._is_full_count() or self._has_no_room():
            return
        number = GameId(self._opened + 1)
        try:
            seats = self._hooks.draw_seats(number, self.directory)
        except SeatsUnavailableError as error:
            self._report_short(str(error))
            return
        self._is_short = False
        self._opened = number
        identity = self._hooks.identify(number)
        header = self._hooks.describe(identity, seats)
        journal = self._services.journal.game(header, self._services.vocabulary)
        self._start(self._runner(identity, self._setup.game(seats), journal))

    def _has_no_room(self) -> bool:
        """Return whether one more game could not be filled; the first always can."""
        seats, places = len(self._setup.variant.map.powers), self._services.places
        if (len(self._runners) + 1) * seats <= places:
            return False
        games = sum(1 for each in self._runners.values() if not each.game.state.ending)
        if games and (games + 1) * seats > places:
            needed = f"{games} games need {games * seats} of {places} connections"
            self._report_short(needed)
            return True
        return False

    def _report_short(self, reason: str) -> None:
        """Report that a game that is due cannot be opened, unless that is known."""
        if not self._is_short:
            self._services.events(GameNotOpened(reason))
        self._is_short = True

    def resume_count(self, highest: int, uncounted: int) -> None:
        """Go on after game *highest*; *uncounted* games do not count for the limit."""
        self._opened = max(self._opened, highest)
        self._uncounted = uncounted

    def resume_game(
        self, found: ReplayedGame, journal: GameJournal, event: GameEvent
    ) -> None:
        """Continue with a game that was replayed, which *event* happens to."""
        self._opened = max(self._opened, found.identity.number)
        runner = self._runner(found.identity, found.game, journal)
        with self._services.passes:
            runner.resume(found, event)
        state = found.game.state
        if state.is_running or state.stage is Stage.FORMING:
            self._start(runner)
        elif not state.ending:
            self._drop_journal(runner)

    def end_game(self, runner: GameRunner) -> None:
        """Break off one running game, and send its clients OFF; in a pass."""
        clients = runner.game.state.joined()
        runner.break_off()
        self._services.clients.send(clients, (SwitchOff(),), runner.number)
        self._services.clients.finish(clients)
        self._scopes[runner.number].cancel()

    def drain(self) -> None:
        """Open no more games, and finish when no running game is left."""
        self.is_draining = True
        self.directory.close_forming()
        self._finish_if_drained()

    def _finish_if_drained(self) -> None:
        if self._is_drained():
            self._nursery.start_soon(self._finish)

    def _is_drained(self) -> bool:
        stages = (runner.game.stage for runner in self._runners.values())
        return self.is_draining and all(stage is Stage.FORMING for stage in stages)

    def finish_if_over(self) -> None:
        """Finish the server if no game is left, as soon as records are written."""
        if not self._runners:
            self._nursery.start_soon(self._finish)

    def runner(self, number: GameId | None) -> GameRunner | None:
        """Return the game of that number, if it is open."""
        return None if number is None else self._runners.get(number)

    def runner_of(self, client: ClientId) -> GameRunner | None:
        """Return the game to which what *client* sends goes, if it is open."""
        number = self._joined.get(client)
        return None if number is None else self._runners.get(number)

    def open_games(self) -> list[GameRunner]:
        """Return all games that are not closed."""
        return list(self._runners.values())

    def running(self) -> list[GameRunner]:
        """Return the games that are played or paused."""
        runners = self._runners.values()
        return [runner for runner in runners if runner.game.state.is_running]

    async def settled(self) -> None:
        """Wait until the records of all finished games are written."""
        await self._records.settled()

    def _runner(
        self, identity: GameIdentity, game: Game, journal: GameJournal
    ) -> GameRunner:
        return GameRunner(identity, game, self._services, journal, self._archive)

    def _drop_journal(self, runner: GameRunner) -> None:
        """Drop the journal of a game that failed before it began: it has no record."""
        self._records.start(partial(self.forget, runner))

    def _archive(self, runner: GameRunner) -> None:
        self._records.start(partial(self._hooks.archive, runner))

    def _start(self, runner: GameRunner) -> None:
        self._runners[runner.number] = runner
        scope = self._scopes[runner.number] = trio.CancelScope()
        self.directory.add(runner.number, runner.game)
        # Called here, so that ports are opened in the order of the games.
        accepting = self._hooks.opened(runner)
        self._nursery.start_soon(self._run, runner, accepting, scope)

    async def _run(
        self, runner: GameRunner, accepting: Awaitable[None], scope: trio.CancelScope
    ) -> None:
        """Run the clock of a game until it is closed, then forget the game."""
        with scope:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_await, accepting)
                await runner.keep_time()
                nursery.cancel_scope.cancel()
        self.directory.remove(runner.number)
        del self._runners[runner.number], self._scopes[runner.number]
        if not runner.entries:
            self._drop_journal(runner)
        if runner.game.state.cause is Cause.NOBODY_RETURNED:
            self._uncounted += 1
        self.open_if_full()
        await self._finish()

    async def forget(self, runner: GameRunner) -> None:
        """Drop the journal of a game that is over, and count it."""
        counts = bool(runner.entries) and runner.game.state.cause not in UNCOUNTED
        try:
            await self._services.journal.finish(runner.journal, counts=counts)
        except OSError as error:
            path = error.filename or runner.journal.header.record
            reason = f"cannot drop the journal {path}: {error.strerror or error}"
            self._services.events(SaveFailed(runner.number, reason))

    def _is_full_count(self) -> bool:
        """Return whether as many games were opened as there are to be."""
        limit = self._setup.games
        return limit is not None and self._opened - self._uncounted >= limit

    async def _finish(self) -> None:
        await self.settled()
        if not self._runners or self._is_drained():
            self.finished.set()


async def _await(work: Awaitable[None]) -> None:
    await work

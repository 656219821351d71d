"""One run of a scenario: the server on its world, the players, the faults."""

import hashlib
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cached_property, partial
from math import inf
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, Final
from unittest.mock import patch

import trio
import trio._core._run as trio_run
from attrs import frozen

from daide_server.app import game_server, making
from daide_server.app import server as server_module
from daide_server.app.making import SeatAssigner
from daide_server.app.server import Server
from daide_server.game.directory import COMMON_PORT
from daide_server.records.record import GameRecord
from daide_server.server import journal as journal_module
from daide_server.server import log as log_module
from daide_server.server.events import Events, ServerEvent
from daide_server.server.listener import Admission
from daide_server.server.log import LogReader
from daide_server.storage.game_files import games_in
from daide_server.storage.game_files import read_game as read_record
from daide_server.storage.variants import load_variant
from daide_server.web import running_files
from tests.support.settings import settings_with

from . import invariants
from .players import Board, Player
from .scenario import (
    AnyFault,
    Babble,
    Cut,
    FailedSync,
    Flood,
    FullDisk,
    Gone,
    Guess,
    Kill,
    Left,
    Look,
    Lost,
    Scenario,
    Slow,
    Stop,
    Theft,
    Unread,
    WallClock,
)
from .watching import Page, Watch
from .world import Link, MemoryPoller, World

PATIENCE: Final = 4_000.0
"""Seconds of the simulated clock until the last game must be over."""
NO_GAME: Final = "none"
STAGES: Final = ("forming", "playing", "paused", "recovering", "ended", NO_GAME)
"""What a fault finds: a game in a stage, or no game."""
HIGH: Final = 7000
"""Above this are the passcodes, and few other numbers of a run."""
SHM: Final = Path("/dev/shm")  # noqa: S108 (a folder in it is made safely)
"""Where files are memory, on Linux."""


class SimulatedServer(Server):
    """A server whose clients come by links."""

    def take(self, link: Link) -> None:
        """Accept a connection."""
        assert self._connections is not None
        self._connections.start_soon(self._serve_link, link)

    async def _serve_link(self, link: Link) -> None:
        await self._serve(link, COMMON_PORT, Admission.ORDINARY)  # type: ignore[arg-type]

    def _transport(self, connection: Any) -> Any:  # noqa: ANN401 (a link)
        return connection

    async def _accept_at(self, *_: object) -> None:
        await trio.sleep_forever()


class _NoSocket:
    """What a server listens on that is reached by links."""

    def getsockname(self) -> tuple[str, int]:
        """Return an address of this machine."""
        return "127.0.0.1", 16713

    def close(self) -> None:
        """Do nothing."""


@frozen
class Outcome:
    """What became of a scenario."""

    problems: tuple[str, ...]
    """Each broken invariant, in a line; none if all held."""
    digest: str
    """Equal for two runs that did the same."""
    met: frozenset[tuple[str, str]]
    """Each fault that happened, with the stage of the game that it met."""


class Run:
    """A scenario as it is played."""

    def __init__(self, scenario: Scenario, folder: Path) -> None:
        self.scenario: Final = scenario
        self.folder: Final = folder
        self.settings: Final = _settings(folder, scenario.settings)
        self.variant: Final = load_variant("standard")
        self.world: Final = World(scenario.seed)
        self.problems: Final[list[str]] = []
        self.events: Final[list[ServerEvent]] = []
        self.board: Final = Board(self.variant)
        self.players: Final = [
            Player(self.world, self.board, scenario, number)
            for number in range(len(scenario.players))
        ]
        self.strangers: Final[list[Player]] = []
        """Who guesses passcodes, and never knows one."""
        self.thieves: Final[list[tuple[Player, Player, float]]] = []
        """Who knows the passcode of a player, that player, and since when."""
        self.server: SimulatedServer | None = None
        self.takeovers = 0
        """How many servers have taken up games of others."""
        self.codes: Final[set[str]] = set()
        """The passcodes of all seats."""
        self.page: Final = Page(self)
        self.met: Final[set[tuple[str, str]]] = set()
        self._links: list[Link] = []
        self._scope = trio.CancelScope()
        self._is_again = True
        self._pause = 0.0
        self._passcodes: Final = Random(scenario.seed)
        self._names = 0

    # The server

    @property
    def records(self) -> Path:
        """Return the folder of the records."""
        return self.folder / "records"

    @property
    def journals(self) -> Path:
        """Return the folder of the journals."""
        return self.folder / "journal" / "127.0.0.1_16713"

    def _name(self) -> str:
        self._names += 1
        return f"20260101T000000Z-{self._names:04x}"

    async def serve(self) -> None:
        """Run the server, and start it again whenever it was stopped or killed."""
        while self._is_again:
            self._is_again = False
            await trio.sleep(self._pause)
            self.world.disk.restart()
            with trio.CancelScope() as self._scope:
                await self._serve_once()
            self.world.network.accept = None
            killed, self.server = self.server, None
            if self._scope.cancelled_caught and killed is not None:
                # The kernel does this when a process is killed.
                killed.journal.close()
                assert killed.folder is not None
                killed.folder.close()

    async def _serve_once(self) -> None:
        settings = self.settings
        listens = trio.Event()
        server = SimulatedServer(
            settings,
            lambda _line: listens.set(),
            Events(self.events.append, wants_messages=self.scenario.verbose),
        )
        server.maker.draw = SeatAssigner(settings, self.variant, self._draw).draw
        self.server = server
        async with trio.open_nursery() as nursery:
            nursery.start_soon(server.run)
            await listens.wait()
            self.takeovers += bool(server.games.running())
            self.problems.extend(invariants.after_start(self))
            self._links = []
            self.world.network.accept = self._accept

    def _accept(self, link: Link) -> bool:
        """Hand a new connection to the server, unless that listens no more."""
        if self.server is None or self.server.is_stopping:
            return False
        self._links.append(link)
        self.server.take(link)
        return True

    def _draw(self, limit: int) -> int:
        """Return a number below *limit*, from which a passcode is made."""
        number = self._passcodes.randrange(HIGH, limit)
        self.codes.add(str(number + 1))
        return number

    # Faults

    def plan(self) -> None:
        """Let all faults of the scenario happen at their times."""
        for fault in self.scenario.faults:
            self.world.agenda.at(fault.at, partial(self._happen, fault))

    def _happen(self, fault: AnyFault) -> None:  # noqa: C901, PLR0912 (a table)
        world, agenda = self.world, self.world.agenda
        self.met.add((type(fault).__name__, self._stage()))
        match fault:
            case Kill(power=power, pause=pause):
                self._kill(pause, has_power=not power)
            case Stop(pause=pause):
                self._stop(pause)
            case FullDisk(seconds=seconds):
                world.disk.is_full = True
                agenda.after(seconds, partial(setattr, world.disk, "is_full", False))
            case FailedSync(seconds=seconds):
                world.disk.fails_sync = True
                agenda.after(seconds, partial(setattr, world.disk, "fails_sync", False))
            case Slow(factor=factor, seconds=seconds):
                world.network.slow_down(factor)
                agenda.after(seconds, partial(world.network.slow_down, 1.0))
            case WallClock(by=by):
                world.wall_offset += by
            case Guess(player=number):
                self._guess(self.players[number])
            case Theft(player=number):
                self._steal(self.players[number])
            case Left(player=number):
                self.players[number].leave()
            case Gone(player=number):
                self._remove(self.players[number])
            case Babble(player=number):
                self.players[number].babble()
            case Look():
                self.page.look()
            case Flood(player=number, seconds=seconds):
                self._stop_reading(self.players[number], seconds)
                self.players[number].flood()
            case Unread(player=number, seconds=seconds):
                self._stop_reading(self.players[number], seconds)
            case Lost(player=number):
                self._lose(self.players[number])
            case Cut(player=number):
                link = self.players[number].link
                if link is not None:
                    link.cut()

    def _remove(self, player: Player) -> None:
        """Let a player go for good, but not before a game: that would not form."""
        if player.turn:
            player.leave()
            player.is_over = True

    def _stage(self) -> str:
        """Return the stage of the first game, of `STAGES`."""
        games = [] if self.server is None else self.server.games.open_games()
        return games[0].game.stage.name.lower() if games else NO_GAME

    def _lose(self, player: Player) -> None:
        if player.link is not None:
            player.link.lose()
            self.world.agenda.after(5.0, player.leave)

    def _stop_reading(self, player: Player, seconds: float) -> None:
        if player.link is not None:
            player.link.is_reading, player.link.may_end = False, True
            player.link.whole_since = inf
            self.world.agenda.after(seconds, player.link.read_again)

    def _guess(self, player: Player) -> None:
        """Let a stranger try to get the seat of a player that leaves for a moment."""
        if not player.passcode:
            return
        player.leave()
        code = player.passcode % 8191 + 1
        self.strangers.append(self._stranger(player.power, code, 30.0))

    def _steal(self, player: Player) -> None:
        """Let a stranger ask for the seat of a player that has it."""
        if player.passcode and player.is_in:
            thief = self._stranger(player.power, player.passcode, 3.0)
            self.thieves.append((thief, player, trio.current_time()))

    def _stranger(self, power: str, passcode: int, seconds: float) -> Player:
        """Return somebody who asks for a seat for some *seconds*."""
        number = len(self.players) + len(self.strangers) + len(self.thieves)
        stranger = Player(self.world, self.board, self.scenario, number)
        stranger.power, stranger.passcode = power, passcode
        stranger.connect()
        self.world.agenda.after(seconds, partial(setattr, stranger, "is_over", True))
        self.world.agenda.after(seconds + 1.0, stranger.leave)
        return stranger

    def _kill(self, pause: float, *, has_power: bool) -> None:
        if self.server is None or self.world.network.accept is None:
            return
        disk = self.world.disk
        disk.is_dead = True
        for link in self._links:
            link.die()
        if not has_power and self.scenario.settings["durability"] == "disk":
            disk.cut_power(self.journals)
        self.world.network.accept = None
        self._is_again, self._pause = True, pause
        self._scope.cancel()

    def _stop(self, pause: float) -> None:
        server = self.server
        if server is None or server.is_stopping or self.world.network.accept is None:
            return
        self.world.network.accept = None
        self._is_again, self._pause = True, pause
        for link in self._links:
            link.may_end = link.outlives_server = True
        server.stop(keep_games=True)

    # The whole run

    async def run(self) -> None:
        """Play until all games are over, or much too much time has passed."""
        self.world.network.is_splitting = self.scenario.splits
        self.world.network.room = self.scenario.room
        with trio.move_on_after(PATIENCE) as patience:
            self.world.agenda.passing = Watch(self).pass_time
            self.world.agenda.stand_still = partial(self._give_up, patience)
            self.plan()
            chance = self.world.chance
            for player in self.players:
                self.world.agenda.after(chance.uniform(0.0, 2.0), player.connect)
            await self.serve()
        if patience.cancelled_caught and not self.problems:
            self.problems.append(f"not over after {PATIENCE:.0f} s")

    def _give_up(self, patience: trio.CancelScope) -> None:
        self.problems.append("time stands still: a task does not sleep")
        patience.cancel()

    @cached_property
    def log(self) -> list[str]:
        """What the lines of the log say, without their times."""
        found: list[str] = []

        def write(_level: int, name: str, fields: dict[str, object]) -> str:
            return f"{name} {fields}"

        with patch.object(log_module, "log_record", write):
            read = LogReader(found.append, "debug")  # type: ignore[arg-type]
            for event in self.events:
                read(event)
        return found

    @cached_property
    def written(self) -> list[GameRecord]:
        """The records that were written, by their names."""
        return [
            read_record(found)
            for path in sorted(self.records.glob("*.json"))
            for found in games_in(path)
        ]


def _settings(folder: Path, given: dict[str, Any]) -> Any:  # noqa: ANN401 (of a table)
    return settings_with(
        records=str(folder / "records"),
        journal=str(folder / "journal"),
        port=16713,
        **given,
    )


@contextmanager
def _deterministic(world: World, run: Run) -> Iterator[None]:
    """Take chance, wall time and sockets of the server from *world*.

    The order of trio's tasks is that of their making (trio 0.22 and later: `_run._r`).
    """
    clock = SimpleNamespace(time=world.wall)
    with ExitStack() as stack:
        for target, name, value in (
            (trio_run, "_ALLOW_DETERMINISTIC_SCHEDULING", True),
            (trio_run, "_r", Random(0)),
            (making, "time", clock),
            (journal_module, "time", world.wall),
            (running_files, "time", clock),
            (server_module, "run_name", run._name),
            (server_module, "listen", lambda *_: _NoSocket()),
        ):
            stack.enter_context(patch.object(target, name, value))
        poll = partial(MemoryPoller, world.network)
        stack.enter_context(
            patch.object(game_server.GameServer.__init__, "__defaults__", (None, poll))
        )
        stack.enter_context(world.installed())
        yield


def simulate(scenario: Scenario) -> Outcome:
    """Return what becomes of *scenario*, always the same."""
    place = SHM if SHM.is_dir() else None
    with tempfile.TemporaryDirectory(dir=place, prefix="simulated-") as name:
        folder = Path(name)
        run = Run(scenario, folder)
        with _deterministic(run.world, run):
            try:
                trio.run(run.run, clock=run.world.agenda)
            except Exception as error:  # noqa: BLE001 (whatever it is, it is found)
                run.problems.append(f"the server failed: {_inner(error)!r}")
            else:
                run.problems.extend(invariants.at_end(run))
            finally:
                run.page.close()
        return Outcome(
            tuple(run.problems),
            _digest(run, name),
            frozenset(run.met),
        )


def _inner(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def _digest(run: Run, folder: str) -> str:
    found = hashlib.sha256()
    for line in run.log:
        found.update(line.replace(folder, "").encode())
    for path in sorted(run.folder.rglob("*")):
        if path.is_file() and path.name != "lock":
            found.update(path.name.encode() + path.read_bytes())
    return found.hexdigest()

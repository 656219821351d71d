"""One run of a scenario: the server on its world, the players, the faults."""

import gc
import hashlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache, cached_property, partial
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, Final
from unittest.mock import patch

import trio
import trio._core._run as trio_run
from attrs import frozen

from daide_server.daide.translation import ClientReader
from daide_server.game.directory import COMMON_PORT
from daide_server.game.events import GameEvent, Seconds
from daide_server.library.game_files import games_in
from daide_server.library.game_files import read_game as read_record
from daide_server.library.variants import load_variant
from daide_server.records.record import GameRecord
from daide_server.server import game_server, making
from daide_server.server import journal as journal_module
from daide_server.server import log as log_module
from daide_server.server import server as server_module
from daide_server.server.clients import Encoder
from daide_server.server.events import Events, ServerEvent
from daide_server.server.game_runner import GameRunner
from daide_server.server.listener import Admission
from daide_server.server.log import LogReader
from daide_server.server.making import SeatAssigner
from daide_server.server.server import Server
from daide_server.text import game_views
from daide_server.web import running_files
from tests.support.settings import settings_with

from . import faults, invariants
from .network import Link, MemoryPoller
from .players import Player
from .scenario import FAULTS_UNTIL, SEATS, Fault, Scenario
from .speech import Board
from .watching import Page, Watch
from .world import World

PATIENCE = 4_000.0
"""Seconds of the simulated clock until the last game must be over."""
HIGH = 7000
"""Above this are the passcodes, and few other numbers of a run."""
_READERS, _ENCODERS, _BOARDS = cache(ClientReader), cache(Encoder), cache(Board)
"""What all runs share, with its caches: it depends on the map alone.

A fault of a cache may need the seeds before it to be seen again."""
SHM = Path("/dev/shm")  # noqa: S108 (a folder in it is made safely)
"""Where files are memory, on Linux."""


class SimulatedServer(Server):
    """A server whose clients come by links."""

    def take(self, link: Link) -> None:
        """Accept a connection."""
        assert self._connections is not None
        serve: Any = self._serve  # which takes a stream of sockets
        self._connections.start_soon(serve, link, COMMON_PORT, Admission.ORDINARY)

    def _transport(self, connection: Any) -> Any:  # noqa: ANN401 (a link)
        return connection

    async def _accept_at(self, *_: object) -> None:
        await trio.sleep_forever()


_NO_SOCKET = SimpleNamespace(
    getsockname=lambda: ("127.0.0.1", 16713), close=lambda: None
)
"""What a server listens on that is reached by links."""


@frozen
class Outcome:
    """What became of a scenario."""

    problems: tuple[str, ...]
    """Each broken invariant, in a line; none if all held."""
    digest: str
    """Equal for two runs that did the same."""
    met: frozenset[tuple[type[Fault], str]]
    """Each kind of fault that happened, with the stage of the game that it met."""


class Run:
    """A scenario as it is played."""

    def __init__(self, scenario: Scenario, folder: Path) -> None:
        self.scenario: Final = scenario
        self.folder: Final = folder
        self.records: Final = folder / "records"
        self.settings: Final = settings_with(
            records=str(self.records),
            journal=str(folder / "journal"),
            port=16713,
            **scenario.settings,
        )
        self.journals: Final = folder / "journal" / "127.0.0.1_16713"
        self.variant: Final = load_variant("standard")
        self.world: Final = World(scenario.seed)
        self.problems: Final[list[str]] = []
        self.events: Final[list[ServerEvent]] = []
        self.board: Final = _BOARDS(self.variant)
        self.players: Final = [
            Player(self.world, self.board, scenario, number)
            for number in range(len(scenario.players))
        ]
        self.strangers: Final[list[tuple[Player, int]]] = []
        """Who guesses passcodes, and which."""
        self.thieves: Final[list[tuple[Player, Player, float]]] = []
        """Who knows the passcode of a player, that player, and since when."""
        self.server: SimulatedServer | None = None
        self.takeovers = 0
        """How many servers have taken up games of others."""
        self.codes: Final[set[str]] = set()
        """The passcodes of all seats."""
        self.page: Final = Page(self)
        self.watch: Final = Watch(self)
        self.met: Final[set[tuple[type[Fault], str]]] = set()
        self._links: list[Link] = []
        self._scope = trio.CancelScope()
        self._is_again = True
        self._pause = 0.0
        self._passcodes: Final = Random(scenario.seed)
        self._names = 0

    # The server

    def _name(self) -> str:
        self._names += 1
        return f"20260101T000000Z-{self._names:04x}"

    async def serve(self) -> None:
        """Run the server, and start it again whenever it was stopped or killed."""
        while self._is_again:
            self._is_again = False
            await trio.sleep(self._pause)
            self.world.disk.is_dead = False
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

    @property
    def listens(self) -> bool:
        """Return whether a server runs, and takes connections."""
        return self.server is not None and self.world.network.accept is not None

    def _draw(self, limit: int) -> int:
        """Return a number below *limit*, from which a passcode is made."""
        number = self._passcodes.randrange(HIGH, limit)
        self.codes.add(str(number + 1))
        return number

    # How the server ends

    def kill(self, pause: float, *, has_power: bool) -> None:
        """Kill the server; without *has_power* what was not synced is lost."""
        disk = self.world.disk
        disk.is_dead = True
        for link in self._links:
            link.die()
        if not has_power and self.scenario.settings["durability"] == "disk":
            disk.cut_power(self.journals)
        self.world.network.accept = None
        self._is_again, self._pause = True, pause
        self._scope.cancel()

    def stop(self, pause: float) -> None:
        """Send SIGTERM to the server, unless it ends by itself."""
        if self.server is None or self.server.is_stopping:
            return
        self.world.network.accept = None
        self._is_again, self._pause = True, pause
        for link in self._links:
            link.may_end = link.outlives_server = True
        self.server.stop(keep_games=True)

    # The whole run

    async def run(self) -> None:
        """Play until all games are over, or much too much time has passed."""
        self.world.network.is_splitting = self.scenario.splits
        self.world.network.room = self.scenario.room
        with trio.move_on_after(PATIENCE) as patience:
            self.world.agenda.passing = self.watch.pass_time
            self.world.disk.changed = self.watch.change
            self.world.agenda.stand_still = partial(self._give_up, patience)
            faults.plan(self)
            chance = self.world.chance
            for number in range(len(self.players)):
                enter = partial(self._enter, number)
                self.world.agenda.after(chance.uniform(0.0, 2.0), enter)
            await self.serve()
        if patience.cancelled_caught and not self.problems:
            self.problems.append(f"not over after {PATIENCE:.0f} s")

    def _enter(self, number: int) -> None:
        """Let a player connect, or wait until the game before is closed."""
        before = self.players[: number // SEATS * SEATS]
        is_early = self.scenario.in_a_row and self.world.agenda.now < FAULTS_UNTIL
        is_closed = any(each.told.ending and each.link is None for each in before)
        if is_early and before and not is_closed:
            self.world.agenda.after(5.0, partial(self._enter, number))
        else:
            self.players[number].connect()

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


@contextmanager
def _deterministic(world: World, run: Run) -> Iterator[None]:
    """Take chance, wall time and sockets of the server from *world*.

    The order of trio's tasks is that of their making (trio 0.22 and later: `_run._r`).
    """
    clock = SimpleNamespace(time=world.wall)
    poll = partial(MemoryPoller, world.network)
    before = GameRunner._handle

    def handle(runner: GameRunner, event: GameEvent, now: Seconds) -> object:
        run.watch.change()
        return before(runner, event, now)

    with ExitStack() as stack:
        for target, name, value in (
            (trio_run, "_ALLOW_DETERMINISTIC_SCHEDULING", True),
            (trio_run, "_r", Random(0)),
            (making, "time", clock),
            (making, "ClientReader", _READERS),
            (game_server, "Encoder", _ENCODERS),
            (game_views, "all_points", lambda _result: {}),
            (GameRunner, "_handle", handle),
            (game_server.GameServer.__init__, "__defaults__", (None, poll)),
            (journal_module, "time", world.wall),
            (running_files, "time", clock),
            (server_module, "run_name", run._name),
            (server_module, "listen", lambda *_: _NO_SOCKET),
        ):
            stack.enter_context(patch.object(target, name, value))
        stack.enter_context(world.installed())
        yield


def simulate(scenario: Scenario) -> Outcome:
    """Return what becomes of *scenario*, always the same."""
    gc.disable()  # a seventh of the time; what is left over is small
    try:
        return _simulate(scenario)
    finally:
        gc.enable()


def _simulate(scenario: Scenario) -> Outcome:
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
        return Outcome(tuple(run.problems), _digest(run, name), frozenset(run.met))


def _inner(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def _digest(run: Run, folder: str) -> str:
    found = hashlib.sha256()
    for line in run.log:
        found.update(line.replace(folder, "").encode())
    for place, folders, names in os.walk(run.folder):
        folders.sort()
        for name in sorted(set(names) - {"lock"}):
            found.update(name.encode() + Path(place, name).read_bytes())
    return found.hexdigest()

"""A run that is killed at any moment goes on, and counts each game once."""

import shutil
import sqlite3
import tempfile
from pathlib import Path

import trio
from attrs import define, field, frozen
from hypothesis import settings, stateful
from hypothesis import strategies as st

from daide_server.tournament.game_outcomes import GameOutcome, PlayedGame, VoidGame
from daide_server.tournament.run.game_task import GameReport, GameTask
from daide_server.tournament.run.store import Store
from daide_server.tournament.run.tournament_state import TournamentFolder, playing
from tests.tournament import cups


class Killed(BaseException):
    """The process is gone: nothing below it may run on."""


@define
class Bomb:
    """Goes off after some of the steps at which a process can be killed."""

    steps: int
    left: int = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.left = self.steps

    def tick(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise Killed


@frozen
class BombedFolder(TournamentFolder):
    """A folder whose process may be killed before and after it writes."""

    bomb: Bomb

    def write(self, report: GameReport) -> None:
        self.bomb.tick()
        super().write(report)
        self.bomb.tick()


class BombedStore(Store):
    """A store whose process may be killed before and after a transaction."""

    def __init__(self, path: Path, bomb: Bomb) -> None:
        super().__init__(path, sqlite3.connect(path, isolation_level=None))
        self.bomb = bomb

    def add(self, outcome: GameOutcome, *, seconds: float | None = None) -> bool:
        self.bomb.tick()
        counts = super().add(outcome, seconds=seconds)
        self.bomb.tick()
        return counts


class KilledRuns(stateful.RuleBasedStateMachine):
    """Runs that are killed, whose games are void, and whose number changes."""

    @stateful.initialize()
    def begin(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.games = 7
        self.counted: dict[int, PlayedGame] = {}
        self.handed: dict[int, list[GameTask]] = {}
        cups.write_cup(self.folder, games=self.games)

    @stateful.rule(
        steps=st.integers(0, 40),
        voids=st.sets(st.integers(1, 28), max_size=3),
        slots=st.integers(1, 4),
    )
    def run(self, steps: int, voids: set[int], slots: int) -> None:
        bomb = Bomb(steps)

        def play(task: GameTask) -> GameReport:
            self.handed.setdefault(task.attempt.game, []).append(task)
            bomb.tick()
            if task.attempt.game in voids and task.attempt.number == 1:
                void = VoidGame(task.attempt.game, 1, "no memory")
                return GameReport(void)
            return cups.play_by_seed(task)

        self.play(bomb, play, slots)

    def play(self, bomb: Bomb, play: cups.PlayTask, slots: int = 2) -> None:
        try:
            with playing(self.folder) as (state, _):
                state.folder = BombedFolder(self.folder, bomb)
                state.store = BombedStore(state.results.path, bomb)
                run, _ = cups.scheduler(state, play, slots=slots)
                trio.run(run.run)
        except* Killed:
            pass

    @stateful.precondition(lambda self: self.games < 28)
    @stateful.rule()
    def add_games(self) -> None:
        self.games += 7
        cups.write_cup(self.folder, games=self.games)

    @stateful.invariant()
    def what_counts_stays(self) -> None:
        found = cups.look(self.folder).ledger.played
        for game, before in self.counted.items():
            assert found[game] == before
        self.counted = dict(found)
        for game in found:
            assert (self.folder / "games" / f"{game:06}.json").exists()

    def teardown(self) -> None:
        self.play(Bomb(10_000), cups.play_by_seed)
        status = cups.status_of(self.folder)
        assert (status.played, status.unplayed) == (self.games, 0)
        for tasks in self.handed.values():
            first, *others = (task.seats for task in tasks)
            assert all(seats == first for seats in others)
        shutil.rmtree(self.folder)


TestKilledRuns = KilledRuns.TestCase
TestKilledRuns.settings = settings(
    max_examples=15, stateful_step_count=6, deadline=None
)

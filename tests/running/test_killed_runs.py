"""A run that is killed at any moment goes on, and counts each game once."""

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar
from unittest.mock import patch

import trio
from hypothesis import settings, stateful
from hypothesis import strategies as st

from daide_server.running.game_task import GameReport, GameTask
from daide_server.running.store import Store
from daide_server.running.tournament_state import TournamentFolder, playing
from daide_server.tournament.game_outcomes import PlayedGame, VoidGame
from tests.running import cups

DoneT = TypeVar("DoneT")


class Killed(BaseException):
    """The process is gone: nothing below it may run on."""


class Bomb:
    """Goes off after some of the steps at which a process can be killed."""

    def __init__(self, steps: int) -> None:
        self.left = steps

    def tick(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise Killed

    def around(self, write: Callable[..., DoneT]) -> Callable[..., DoneT]:
        """Return *write*, before and after which a process may be killed."""

        def written(*words: object, **named: object) -> DoneT:
            self.tick()
            done = write(*words, **named)
            self.tick()
            return done

        return written


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
        write, add = bomb.around(TournamentFolder.write), bomb.around(Store.add)
        try:
            with (
                patch.object(TournamentFolder, "write", write),
                patch.object(Store, "add", add),
                playing(self.folder) as (state, _),
            ):
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

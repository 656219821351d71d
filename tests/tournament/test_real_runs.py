"""Runs as processes: workers, kills, Ctrl-C, exit codes; a kill at any moment."""

import json
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TypeVar
from unittest.mock import patch

import psutil
import pytest
import trio
from attrs import evolve
from hypothesis import settings, stateful
from hypothesis import strategies as st

from daide_server.tournament.game_outcomes import PlayedGame, VoidGame
from daide_server.tournament.run.game_task import GameReport, GameTask
from daide_server.tournament.run.store import Store
from daide_server.tournament.run.tournament_state import TournamentFolder, playing
from tests.support import commands
from tests.tournament import cups
from tests.tournament.cups import ONE_YEAR, look, write_cup

pytestmark = pytest.mark.end_to_end

LONG = evolve(ONE_YEAR, year_limit=8000)
"""Games that no machine has played before the test is over."""
PATIENCE = 60.0


@pytest.fixture
def processes() -> Iterator[list["subprocess.Popen[str]"]]:
    started: list[subprocess.Popen[str]] = []
    yield started
    for process in started:
        for child in _family(process.pid):
            child.kill()
        process.kill()
        process.communicate()


def _family(pid: int) -> list[psutil.Process]:
    try:
        return psutil.Process(pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return []


def start(
    processes: list["subprocess.Popen[str]"], *arguments: str
) -> "subprocess.Popen[str]":
    process = subprocess.Popen(
        [sys.executable, "-m", "daide_server", "tournament", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    processes.append(process)
    return process


run = partial(commands.run, "tournament")
"""Run a command in this process; games have workers as ever."""


def wait_for(process: "subprocess.Popen[str]", event: str, count: int = 1) -> None:
    assert process.stdout is not None
    found = 0
    for line in process.stdout:
        found += json.loads(line).get("event") == event
        if found == count:
            return
    pytest.fail(f"no {event}")


def until_gone(children: list[psutil.Process]) -> None:
    _, alive = psutil.wait_procs(children, PATIENCE)
    assert not alive


def test_the_last_line_is_the_status(tmp_path: Path) -> None:
    folder = str(write_cup(tmp_path / "cup", games=7, policy=ONE_YEAR))

    done = run("run", folder, "--json")

    *events, last = map(json.loads, done.stdout.splitlines())
    assert done.exit_code == 0, done.stderr
    assert [each["event"] for each in events].count("played") == 7
    assert last == json.loads(run("status", folder, "--json").stdout)
    assert (last["played"], last["running"], last["stopped"]) == (7, 0, None)
    assert {bot["version"] for bot in last["bots"]} != {""}


def test_a_killed_run_resumes_and_leaves_no_process(
    tmp_path: Path, processes: list["subprocess.Popen[str]"]
) -> None:
    folder = write_cup(tmp_path, games=14, policy=ONE_YEAR)
    process = start(processes, "run", str(folder), "--json")
    wait_for(process, "played", 3)
    children = _family(process.pid)

    process.kill()

    process.wait()
    assert children
    before = dict(look(folder).ledger.played)
    done = run("run", str(folder), "--quiet")
    assert done.exit_code == 0, done.stderr
    after = look(folder).ledger.played
    assert len(before) >= 3
    assert {game: after[game] for game in before} == before
    assert len(after) == 14
    until_gone(children)


def test_a_second_run_is_refused_and_a_second_interrupt_aborts_the_first(
    tmp_path: Path, processes: list["subprocess.Popen[str]"]
) -> None:
    """The first interrupt waits for the games that are played."""
    folder = write_cup(tmp_path, games=7, policy=LONG)
    process = start(processes, "run", str(folder), "--json")
    wait_for(process, "begun")

    second = run("run", str(folder))

    assert second.exit_code == 1
    assert f"found a run in process {process.pid}, expected none" in second.stderr
    assert len(second.stderr.splitlines()) == 1
    assert json.loads(run("status", str(folder), "--json").stdout)["running"] >= 1

    process.send_signal(signal.SIGINT)
    wait_for(process, "notice")
    children = _family(process.pid)
    process.send_signal(signal.SIGINT)

    output, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    last = json.loads(output.splitlines()[-1])
    assert (last["played"], last["running"], last["remaining"]) == (0, 0, 7)
    until_gone(children)


def test_after_an_interrupt_the_last_line_says_how_to_resume(
    tmp_path: Path, processes: list["subprocess.Popen[str]"]
) -> None:
    folder = write_cup(tmp_path, games=700, policy=ONE_YEAR)
    process = start(processes, "run", str(folder))
    assert process.stdout is not None
    process.stdout.readline()

    process.send_signal(signal.SIGINT)

    output, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    last = output.splitlines()[-1]
    assert last == f"to resume: daide-server tournament run {folder}"


def test_a_new_tournament_is_playable_whatever_its_folder(tmp_path: Path) -> None:
    folder = str(tmp_path / "a 'b'\n\u00fc")

    made, again, planned = run("new", folder), run("new", folder), run("plan", folder)

    assert (made.exit_code, again.exit_code, planned.exit_code) == (0, 1, 0)
    assert f"tournament run '{tmp_path}/a '\"'\"'b'\"'\"'" in made.stdout
    assert "found a tournament, expected none" in again.stderr
    assert "42 games in 14 blocks" in planned.stdout


def test_what_a_bot_printed_before_it_died_is_shown_in_lines(tmp_path: Path) -> None:
    folder = write_cup(tmp_path / "cup", games=7, policy=ONE_YEAR)
    with (folder / "tournament.toml").open("a") as file:
        script = "print('one'); print('two'); exit(3)"
        command = json.dumps([sys.executable, "-c", script, "{port}"])
        file.write(f'\n[[bot]]\nname = "mine"\ncommand = {command}\n')

    checked = run("check", str(folder), "--bot", "mine")

    assert checked.exit_code == 1
    assert checked.stdout.splitlines()[-2:] == ["    one", "    two"]


# A run that is killed at any moment goes on, and counts each game once


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

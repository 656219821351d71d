"""Workers end with what they play; bots that harm them, the machine or others lose."""

import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from multiprocessing import Pipe
from pathlib import Path

import psutil
import pytest
from attrs import evolve

from daide_server.tournament.game_outcomes import PlayedGame, UnfinishedGame
from daide_server.tournament.run import worker as worker_module
from daide_server.tournament.run.bot_settings import BWRAP, NO_SANDBOX, BotSettings
from daide_server.tournament.run.game_task import AT_FAULT, GameReport, GameTask
from daide_server.tournament.run.tournament_settings import DesignSettings
from daide_server.tournament.run.worker import Show, Worker, WorkerError, Workers, work
from tests.support.commands import run
from tests.support.foreign_bots import foreign_bot, game_task, processes_of
from tests.support.needed import need_sandbox
from tests.tournament.cups import ONE_YEAR, look, write_cup

pytestmark = pytest.mark.end_to_end

SILENT_SECONDS = 10
"""More than three heartbeats; each stopped worker costs the test as much."""

HOLDS = """
SUB, HLD = 0x4818, 0x4322

def groups(tokens):
    depth, found = 0, []
    for token in tokens:
        if token == BRA:
            depth += 1
            if depth == 1:
                found.append([])
                continue
        if token == KET:
            depth -= 1
        if depth:
            found[-1].append(token)
    return found

stream = join(port)
own = until(stream, HLO)[2]
while True:
    tokens = until(stream, NOW)
    units = [unit for unit in groups(tokens[1:])[1:] if unit[0] == own]
    orders = [[BRA, BRA, *unit, KET, HLD, KET] for unit in units]
    stream.sendall(message(SUB, *sum(orders, [])))
"""

SIGNALS_WORKER = """
def words(pid):
    return open("/proc/%d/cmdline" % pid, "rb").read().decode().split("\\0")

def parent(pid):
    return int(open("/proc/%d/stat" % pid).read().rpartition(")")[2].split()[1])

worker = os.getppid()
while "daide_server.tournament.run.worker" not in words(worker):
    worker = parent(worker)
stream = join(port)
until(stream, NOW)
os.kill(worker, signal.{name})
time.sleep(1000)
"""


def signals_worker(folder: Path, name: str) -> BotSettings:
    """Return a bot, without a sandbox, that sends its worker a signal in the game."""
    bot = foreign_bot(folder, SIGNALS_WORKER.format(name=name), name.lower())
    return evolve(bot, sandbox=NO_SANDBOX)


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a worker that was stopped killed soon."""
    monkeypatch.setattr(worker_module, "WORKER_SILENT_SECONDS", SILENT_SECONDS)


def killers_cup(folder: Path, *programs: BotSettings, games: int) -> Path:
    """Write a cup of *programs*, six honest ones, and twelve bots of ours."""
    honest = [foreign_bot(folder, HOLDS, f"honest{at}") for at in range(6)]
    ours = [BotSettings(name=f"ours{at}", builtin="hold") for at in range(12)]
    bots = [*programs, *honest, *ours]
    design = DesignSettings(games=games, at_once=4)
    return write_cup(folder, bots=bots, policy=ONE_YEAR, design=design)


@pytest.mark.usefixtures("soon")
def test_bots_that_kill_or_stop_their_workers_lose_and_nobody_else(
    tmp_path: Path,
) -> None:
    killers = [signals_worker(tmp_path, name) for name in ("SIGKILL", "SIGSTOP")]
    folder = killers_cup(tmp_path, *killers, games=40)

    done = run("tournament", "run", folder, "--json")

    status = json.loads(done.stdout.splitlines()[-1])
    bots = {bot["name"]: bot for bot in status["bots"]}
    ledger = look(tmp_path).ledger
    # They forfeit until they are benched, and have no more games.
    assert done.exit_code == (1 if ledger.unplayed else 0), status
    assert status["played"] + status["unplayed"] == status["games"]
    assert all(ledger.left_out_of(game) <= {0, 1} for game in ledger.unplayed)
    assert all(ledger.left_out_of(game) for game in ledger.unplayed)
    assert ledger.deaths.at_fault == {0, 1}
    for name in ("sigkill", "sigstop"):
        assert bots[name]["worker_deaths"] >= 3
        assert bots[name]["score"] == 0
    for name, bot in bots.items():
        assert bot["forfeits"] == 0 or name in {"sigkill", "sigstop"}, name
    assert {bot["worker_deaths"] for name, bot in bots.items() if "ours" in name} == {0}
    forfeits = [
        (seat.bot, seat.forfeit.reason)
        for game in ledger.played.values()
        for seat in game.seats
        if seat.forfeit
    ]
    assert set(forfeits) == {(0, AT_FAULT), (1, AT_FAULT)}
    report = run("tournament", "report", folder)
    assert report.exit_code == 0, report.output
    page = (tmp_path / "report" / "index.html").read_text()
    assert AT_FAULT in page
    assert "ended with SIGKILL; its bots: " in page
    assert "ended with SIGKILL, because it did not answer; its bots: " in page


def play_one(*programs: BotSettings) -> GameReport:
    worker = Worker()
    try:
        return worker.play(game_task(*programs))
    finally:
        worker.stop()


ONLY_IN_A_BOX = """
if sum(map(str.isdigit, os.listdir("/proc"))) > 5:
    time.sleep(1000)
"""
"""Waits where it sees processes of others: it is not ready in time then."""
STOPS_ALL = """
for name in filter(str.isdigit, os.listdir("/proc")):
    if int(name) not in (os.getpid(), 1):
        os.kill(int(name), signal.SIGSTOP)
os.kill(1, signal.SIGTERM)
sys.exit(1)
"""


@pytest.mark.parametrize(
    "body",
    [
        SIGNALS_WORKER.format(name="SIGKILL"),
        f"{ONLY_IN_A_BOX}stream = join(port); until(stream, NOW); os.kill(-1, 9)",
        f"{ONLY_IN_A_BOX}{STOPS_ALL}",
        f"{ONLY_IN_A_BOX}os.kill(os.getppid(), signal.SIGKILL); sys.exit(1)",
    ],
    ids=["its worker", "kills all", "stops all", "its parent"],
)
def test_a_bot_in_a_sandbox_harms_itself_only(body: str, tmp_path: Path) -> None:
    """It finds neither its worker nor another bot."""
    need_sandbox()
    bots = foreign_bot(tmp_path, body), foreign_bot(tmp_path, HOLDS, "honest")

    outcome = play_one(*(evolve(bot, sandbox=BWRAP) for bot in bots)).outcome

    assert isinstance(outcome, PlayedGame)
    assert outcome.forfeits == {0}
    assert [seat.box for seat in outcome.seats[:3]] == [BWRAP, BWRAP, ""]
    assert not processes_of(tmp_path)


def test_a_game_may_take_longer_than_a_worker_may_be_silent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its heartbeats say that it is well."""
    monkeypatch.setattr(worker_module, "WORKER_SILENT_SECONDS", 6)
    slow = foreign_bot(
        tmp_path, "stream = join(port); until(stream, NOW); time.sleep(13); sys.exit(1)"
    )

    report = play_one(slow)

    assert isinstance(report.outcome, PlayedGame)


def test_no_bot_is_at_fault_if_the_machine_has_no_memory_left(
    oom_kill: str, tmp_path: Path
) -> None:
    body = oom_kill + SIGNALS_WORKER.format(name="SIGKILL")

    with pytest.raises(WorkerError) as raised:
        play_one(evolve(foreign_bot(tmp_path, body), sandbox=NO_SANDBOX))

    assert raised.type is WorkerError


# Workers


READS_ONE = """
import os, signal, sys
from multiprocessing.connection import Connection
if len(Connection(int(sys.argv[1])).recv_bytes()) < 9:
    os.kill(os.getpid(), signal.SIGKILL)
"""
"""Kills itself if it is told first that there is no task."""
PATIENCE = 60.0


@pytest.mark.parametrize("is_interrupted", [False, True])
def test_a_worker_that_starts_after_the_interrupt_plays_nothing(
    monkeypatch: pytest.MonkeyPatch, *, is_interrupted: bool
) -> None:
    """A killed worker may be replaced in just that moment; no bot has harmed it."""
    command = (sys.executable, "-SE", "-c", READS_ONE)
    monkeypatch.setattr(worker_module, "COMMAND", command)
    workers = Workers()
    if is_interrupted:
        workers.interrupt()

    how = "SIGKILL" if is_interrupted else "exit code 0"
    with pytest.raises(WorkerError, match=f"ended with {how}") as raised:
        workers.play(game_task())
    workers.stop()

    assert raised.type is WorkerError


def test_a_worker_that_died_between_two_games_is_replaced() -> None:
    workers, others = Workers(), {*psutil.Process().children()}
    try:
        workers.play(game_task())
        (worker,) = {*psutil.Process().children()} - others
        worker.kill()
        # Until all of its threads have ended; it stays a zombie.
        os.waitid(os.P_PID, worker.pid, os.WEXITED | os.WNOWAIT)
        assert workers.play(game_task()).record
    finally:
        workers.stop()
    assert {*psutil.Process().children()} <= others


@pytest.fixture
def interrupted() -> Iterator[threading.Event]:
    """Give an event that SIGINT sets, which would abort a game."""
    seen = threading.Event()
    before = signal.signal(signal.SIGINT, lambda *_: seen.set())
    yield seen
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("is_killed", [False, True])
def test_the_end_of_its_run_aborts_the_game(
    interrupted: threading.Event, *, is_killed: bool
) -> None:
    run, theirs = Pipe()

    def play(task: GameTask, _: Show | None, __: Callable[[], None]) -> GameReport:
        # The run is gone as soon as the game has begun, or asks for its end.
        run.close() if is_killed else run.send(None)
        assert interrupted.wait(PATIENCE)
        return GameReport(UnfinishedGame(task.attempt.game, task.attempt.number))

    run.send((game_task(), False))
    work(theirs, play)

    if not is_killed:
        assert isinstance(run.recv().outcome, UnfinishedGame)


def test_a_task_that_fails_is_a_text() -> None:
    run, theirs = Pipe()

    def play(*_: object) -> GameReport:
        raise ValueError("no such board")

    run.send((game_task(), False))
    run.send(None)
    work(theirs, play)

    assert run.recv() == "ValueError: no such board"

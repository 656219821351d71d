"""SIGUSR2: tried first, then everything is handed over; if that fails, nothing is."""

import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import pytest
import trio
import trio.testing

from daide_server.app import memory_file, rehearsal
from daide_server.app.process import stop_on_signals
from daide_server.app.rehearsal import (
    VARIABLE,
    RenewalError,
    answer_rehearsal,
    received,
    rehearse,
)
from daide_server.app.renewal import NewProgram, Renewal
from daide_server.app.renewal_report import RenewalReport, ReportFile, report_of
from daide_server.app.server import Server, open_server
from daide_server.app.taking_over import HandoverTaker
from daide_server.game.events import ClientId
from daide_server.server.events import (
    RenewalRefused,
    RenewalWarned,
    ServerStopped,
    SignalReceived,
)
from daide_server.server.handover import Handover, decode_handover
from tests.support.fakes import RecordedEvents
from tests.support.peers import Running
from tests.support.settings import settings_with


class Execution:
    """Stands for the exec of a process: keeps what the new program would get."""

    def __init__(self, error: OSError | None = None) -> None:
        self.handover: Handover | None = None
        self.inherited: dict[int, bool] = {}
        self.error = error
        self.before: Callable[[], None] = lambda: None

    def __call__(self, _command: list[str], env: dict[str, str]) -> None:
        """Read the handover, and fail."""
        self.before()
        what, fd = env[VARIABLE].split(":")
        assert what == "resume"
        self.handover = decode_handover(memory_file.read_all(int(fd)))
        self.inherited = {
            each: os.get_inheritable(each) for each in self.handover.descriptors()
        }
        raise self.error or OSError(2, "No such file or directory")


async def agree(_games: Handover, _command: list[str]) -> str:
    return "no compiled files"


class Renewed:
    """A server in this process that SIGUSR2 renews."""

    def __init__(self, server: Server, events: RecordedEvents) -> None:
        self.server = server
        self.events = events
        self.report = ReportFile()
        self.execution = Execution()
        self.program = NewProgram(agree, self.execution)

    def renewal(self) -> Renewal:
        """Return a renewal."""
        return Renewal(self.server, self.report, 0, self.program)


@asynccontextmanager
async def renewed(
    folder: Path, **given: object
) -> AsyncIterator[tuple[Renewed, Running]]:
    events = RecordedEvents()
    chosen = settings_with(
        port=0, records=str(folder / "r"), journal=str(folder / "j"), **given
    )
    server = open_server(chosen, lambda _: None, events)
    running = Running(server, server.address, folder / "r")
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(server.run)
            it = Renewed(server, events)
            try:
                yield it, running
            finally:
                await running.hang_up()
                server.stop()
    os.close(it.report.fd)


async def test_a_program_that_cannot_be_executed_leaves_the_old_one_serving(
    tmp_path: Path,
) -> None:
    async with renewed(tmp_path) as (it, running):
        peer = await running.introduced()
        await peer.join()
        await it.renewal().run()
        assert it.events.of(RenewalWarned) == [("no compiled files",)]
        ((reason,),) = it.events.of(RenewalRefused)
        assert "cannot execute" in str(reason)
        assert "No such file" in str(reason)
        report = report_of(os.getpid())
        assert report == RenewalReport(attempts=1, is_renewed=False, text=str(reason))
        handover = it.execution.handover
        assert handover is not None
        assert len(handover.sessions) == 1
        assert set(it.execution.inherited.values()) == {True}
        inheritable = map(os.get_inheritable, handover.descriptors())
        assert not any(inheritable)
        await peer.say("MAP")
        await peer.hears("MAP ('standard')")


async def test_a_rehearsal_that_fails_changes_nothing(tmp_path: Path) -> None:
    async def fail(_games: Handover, _command: list[str]) -> str:
        message = "the new program fails with 1: game 3: another position"
        raise RenewalError(message)

    async with renewed(tmp_path) as (it, running):
        await running.introduced()
        it.program = NewProgram(fail, it.execution)
        await it.renewal().run()
        ((reason,),) = it.events.of(RenewalRefused)
        assert "another position" in str(reason)
        assert it.execution.handover is None


async def test_a_second_signal_is_ignored_while_one_is_worked_on(
    tmp_path: Path,
) -> None:
    tried: list[Handover] = []
    go_on = trio.Event()

    async def wait(games: Handover, _command: list[str]) -> str:
        tried.append(games)
        await go_on.wait()
        return ""

    async with renewed(tmp_path) as (it, running):
        it.program = NewProgram(wait, it.execution)
        await running.introduced()
        async with trio.open_nursery() as nursery:
            await nursery.start(stop_on_signals, it.server, None, it.renewal())
            os.kill(os.getpid(), signal.SIGUSR2)
            await _until(lambda: bool(tried))
            os.kill(os.getpid(), signal.SIGUSR2)
            await trio.testing.wait_all_tasks_blocked(0.01)
            go_on.set()
            await _until(lambda: bool(it.events.of(RenewalRefused)))
            nursery.cancel_scope.cancel()
        assert len(tried) == 1


async def test_a_stop_while_the_program_is_tried_is_obeyed(tmp_path: Path) -> None:
    async def stop(_games: Handover, _command: list[str]) -> str:
        os.kill(os.getpid(), signal.SIGTERM)
        await trio.testing.wait_all_tasks_blocked(0.01)
        return ""

    async with renewed(tmp_path) as (it, running):
        it.program = NewProgram(stop, it.execution)
        await running.introduced()
        async with trio.open_nursery() as nursery:
            await nursery.start(stop_on_signals, it.server, None, it.renewal())
            os.kill(os.getpid(), signal.SIGUSR2)
            await _until(lambda: ServerStopped in it.events.kinds)
            nursery.cancel_scope.cancel()
        assert it.execution.handover is None


async def test_a_signal_that_comes_too_late_is_left_to_whoever_goes_on(
    tmp_path: Path,
) -> None:
    """Here the old program, since the new one cannot be executed."""
    async with renewed(tmp_path) as (it, running):
        it.execution.before = lambda: os.kill(os.getpid(), signal.SIGTERM)
        await running.introduced()
        async with trio.open_nursery() as nursery:
            await nursery.start(stop_on_signals, it.server, None, it.renewal())
            os.kill(os.getpid(), signal.SIGUSR2)
            await _until(lambda: ServerStopped in it.events.kinds)
            nursery.cancel_scope.cancel()
        assert it.execution.handover is not None
        assert it.events.of(SignalReceived) == [(signal.SIGTERM,)]


async def test_another_server_takes_up_what_was_handed_over(tmp_path: Path) -> None:
    """In one process here: the descriptors are copies, the lock is the same."""
    async with renewed(tmp_path, games=1) as (it, running):
        players = await running.players()
        await it.renewal().run()
        handover = it.execution.handover
        assert handover is not None
        serving = it.server.serving
        assert serving is not None
        games = HandoverTaker(serving).take_games().games
        assert [game.fingerprint for game in games] == [
            game.fingerprint for game in handover.games
        ]
        settings = it.server.settings
        assert answer_rehearsal(settings, handover)[0] == 0
        await players["FRA"].say("MAP")
        await players["FRA"].hears("MAP ('standard')")


async def _until(is_true: Callable[[], bool]) -> None:
    with trio.fail_after(10):
        while not is_true():  # noqa: ASYNC110 (signals come when they come)
            await trio.sleep(0.005)


async def test_what_nobody_expected_leaves_the_old_program_serving(
    tmp_path: Path,
) -> None:
    def fail() -> None:
        raise ZeroDivisionError

    async with renewed(tmp_path) as (it, running):
        it.execution.before = fail
        peer = await running.introduced()
        await it.renewal().run()
        ((reason,),) = it.events.of(RenewalRefused)
        assert "ZeroDivisionError" in str(reason)
        await peer.join()


# The rehearsal


NO_GAMES: Final = Handover(
    run="run",
    opened_games=0,
    uncounted_games=0,
    next_client=ClientId(1),
    is_draining=False,
    renewals=0,
    taken_at=0.0,
    report=None,
    sessions=(),
    games=(),
    listeners=(),
    journal=None,
    version="1",
    start=None,
)


def program(text: str) -> list[str]:
    """Return the command line of a program."""
    return [sys.executable, "-c", text]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("raise SystemExit('no such option')", "with 1: no such option"),
        ("print('game 3: gone'); raise SystemExit(1)", "with 1: game 3: gone"),
        ("import os, signal; os.kill(os.getpid(), 9)", "with -9: it said nothing"),
    ],
)
async def test_a_new_program_that_fails_says_why(text: str, reason: str) -> None:
    with pytest.raises(RenewalError, match=reason):
        await rehearse(NO_GAMES, program(text))


async def test_a_new_program_that_is_not_there_is_named() -> None:
    with pytest.raises(RenewalError, match="/nowhere: No such file"):
        await rehearse(NO_GAMES, ["/nowhere"])


async def test_a_new_program_that_hangs_is_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rehearsal, "REHEARSAL_SECONDS", 0.2)
    with pytest.raises(RenewalError, match=r"more than 0\.2 s"):
        await rehearse(NO_GAMES, program("import time; time.sleep(60)"))


@pytest.mark.parametrize("has_memory_files", [True, False])
async def test_the_new_program_reads_what_it_is_given(
    monkeypatch: pytest.MonkeyPatch, *, has_memory_files: bool
) -> None:
    """From memory, or from a file without a name where the system has no such."""
    if not has_memory_files:
        monkeypatch.setattr(memory_file, "memfd_create", None)
    text = (
        "from daide_server.app.rehearsal import received; what, handed = received();"
        "print(what, handed.run)"
    )
    assert await rehearse(NO_GAMES, program(text)) == "rehearse run"


def test_without_a_variable_nothing_is_taken_up() -> None:
    assert received() is None


def test_a_process_without_a_report_is_no_server() -> None:
    with pytest.raises(FileNotFoundError):
        report_of(2**22 + 1)

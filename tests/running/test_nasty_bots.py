"""Programs that harm their machine, or the other bots: at most their own score."""

import os
import re
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
import trio
from attrs import evolve

from daide_server.running import bot_process, bot_usage, command_seat, leftovers, prctl
from daide_server.running.bot_usage import KEPT_BYTES
from daide_server.running.descendants import mark_of
from daide_server.running.executable import SEAT_MARK
from daide_server.running.game_task import (
    MEBIBYTE,
    GameReport,
    SeatTask,
    TroubleLimits,
)
from daide_server.running.play_game import play
from daide_server.running.process_identity import ProcessIdentity
from daide_server.tournament.game_outcomes import Forfeit, PlayedGame, VoidGame
from tests.support.foreign_bots import foreign_bot, game_task

pytestmark = pytest.mark.end_to_end

TERM_SECONDS = 0.3
"""Between SIGTERM and SIGKILL; a bot that ignores the first costs a test as much."""

DAEMONS = """
def daemon(name):
    if os.fork():
        os.wait()
        return
    os.setsid()
    if os.fork():
        os._exit(0)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    open(name, "w").write(str(os.getpid()))
    time.sleep(1000)
"""
"""Defines `daemon`, which starts a process that has left its session and parent."""


@pytest.fixture(autouse=True)
def _killed_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_process, "TERM_SECONDS", TERM_SECONDS)


def forfeit_of_first(report: GameReport) -> Forfeit:
    """Return the forfeit of the first seat; all others were played to the end."""
    assert isinstance(report.outcome, PlayedGame), report.outcome
    first, *others = report.outcome.seats
    assert [seat.forfeit for seat in others] == [None] * 6
    assert first.forfeit is not None
    return first.forfeit


def is_running(path: Path) -> bool:
    """Return whether the process whose number is in a file runs."""
    try:
        process = psutil.Process(int(path.read_text()))
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


async def test_processes_that_a_bot_has_started_are_ended(tmp_path: Path) -> None:
    """They ignore SIGTERM, and have left the bot's session and process group."""
    forks = foreign_bot(
        tmp_path,
        DAEMONS + "daemon('daemon'); stream = join(port); until(stream, NOW); exit()",
    )

    report = await play(game_task(forks))

    assert isinstance(report.outcome, PlayedGame)
    assert not is_running(tmp_path / "daemon")


async def test_bot_that_daemonizes_may_play(tmp_path: Path) -> None:
    """Its first process ends at once, with code 0; that is no forfeit yet."""
    plays = foreign_bot(
        tmp_path,
        """
if os.fork():
    sys.exit(0)
os.setsid()
stream = join(port, "daemon")
until(stream, NOW)
time.sleep(0.5)
print("played")
sys.exit(0)
""",
    )

    forfeit = forfeit_of_first(await play(game_task(plays)))

    assert forfeit.output == "played"
    assert forfeit.turn == "S1901M"


async def test_bot_without_its_mark_is_ended_as_well(tmp_path: Path) -> None:
    """A program may be started with an empty environment."""
    hides = foreign_bot(
        tmp_path,
        """
if len(sys.argv) == 2:
    os.execve(sys.executable, [sys.executable, "-SE", __file__, str(port), "x"], {})
signal.signal(signal.SIGTERM, signal.SIG_IGN)
if not os.fork():
    open("child", "w").write(str(os.getpid()))
    time.sleep(1000)
stream = join(port)
until(stream, NOW)
sys.exit(1)
""",
    )

    forfeit_of_first(await play(game_task(hides)))

    assert not is_running(tmp_path / "child")


async def test_output_is_bounded(tmp_path: Path) -> None:
    """The first and the last part are kept, and the bot is never held up."""
    floods = foreign_bot(
        tmp_path,
        """
print("first", flush=True)
for number in range(64):
    os.write(1, b"x" * 99_999 + b"\\n")
print("last", flush=True)
sys.exit(1)
""",
    )

    report = await play(game_task(floods))

    assert forfeit_of_first(report).output.endswith("last")
    output = zlib.decompress(report.logs["AUS.output.txt"])
    assert output.startswith(b"first\n")
    assert len(output) < 2 * KEPT_BYTES + 100
    assert b"bytes were not kept" in output


async def test_bot_that_eats_memory_forfeits(tmp_path: Path) -> None:
    """The memory of its children counts."""
    eats = foreign_bot(
        tmp_path,
        "stream = join(port) if os.fork() else None; "
        "food = b'x' * (80 << 20); time.sleep(1000)",
    )
    limited = evolve(eats, memory_bytes=100 * MEBIBYTE)

    forfeit = forfeit_of_first(await play(game_task(limited)))

    assert forfeit.reason.startswith("used 1")
    assert forfeit.reason.endswith("MiB of memory, allowed 100")


async def test_bot_that_dies_for_the_memory_of_others_has_not_forfeited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kernel chose it, though it used little: the game does not count."""
    counts = iter(range(100))
    monkeypatch.setattr(command_seat, "oom_kills", lambda: next(counts))
    dies = foreign_bot(tmp_path, "os.kill(os.getpid(), signal.SIGKILL)")

    report = await play(game_task(dies))

    assert report.outcome == VoidGame(17, 1, "the machine had no memory left")


async def test_bot_that_is_killed_otherwise_has(tmp_path: Path) -> None:
    """By itself, for one."""
    dies = foreign_bot(tmp_path, "os.kill(os.getpid(), signal.SIGKILL)")

    forfeit = forfeit_of_first(await play(game_task(dies)))

    assert forfeit.reason == "killed by SIGKILL before the game began"


async def test_bot_that_fills_the_disk_forfeits(tmp_path: Path) -> None:
    """In the folder for temporary files, in pieces."""
    fills = foreign_bot(
        tmp_path,
        """
folder = os.environ["TMPDIR"]
for number in range(4):
    open(os.path.join(folder, str(number)), "wb").write(b"x" * (1 << 20))
time.sleep(1000)
""",
    )
    limited = evolve(fills, disk_bytes=2 * MEBIBYTE)

    forfeit = forfeit_of_first(await play(game_task(limited)))

    assert forfeit.reason == "used 4 MiB of disk, allowed 2"


async def test_many_files_do_not_hide_a_large_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More of them than could be measured are a forfeit as well."""
    fills = foreign_bot(
        tmp_path,
        """
folder = os.environ["TMPDIR"]
for number in range(20):
    open(os.path.join(folder, str(number)), "w").close()
time.sleep(1000)
""",
    )
    monkeypatch.setattr(bot_usage, "MAX_OWN_ENTRIES", 10)

    forfeit = forfeit_of_first(await play(game_task(fills)))

    assert forfeit.reason == "had more than 10 files in its folder for the game"


async def test_bot_that_starts_processes_without_end_forfeits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot_usage, "MAX_PROCESSES", 5)
    forks = foreign_bot(
        tmp_path,
        "all(os.fork() for _ in range(9)) and os.setsid(); time.sleep(1000)",
    )

    forfeit = forfeit_of_first(await play(game_task(forks)))

    assert re.fullmatch(r"had \d+ processes, allowed 5", forfeit.reason)


async def test_growth_of_the_working_folder_counts(tmp_path: Path) -> None:
    """What lay there before does not."""
    (tmp_path / "model").write_bytes(b"x" * (3 << 20))
    fills = foreign_bot(
        tmp_path,
        """
for number in range(4):
    open("log%d" % number, "wb").write(b"x" * (1 << 20))
time.sleep(1000)
""",
    )
    limited = evolve(fills, disk_bytes=2 * MEBIBYTE)

    forfeit = forfeit_of_first(await play(game_task(limited)))

    assert forfeit.reason == "used 4 MiB of disk, allowed 2"


async def test_single_file_has_a_limit_everywhere(tmp_path: Path) -> None:
    """The bot's own write fails (RLIMIT_FSIZE)."""
    fills = foreign_bot(
        tmp_path, "open('../big', 'wb').write(b'x' * (9 << 20)); time.sleep(1000)"
    )
    limited = evolve(fills, disk_bytes=2 * MEBIBYTE)

    forfeit = forfeit_of_first(await play(game_task(limited)))

    assert forfeit.reason == "exited with code 1 before the game began"
    assert "File too large" in forfeit.output


async def test_seat_of_another_bot_cannot_be_taken(tmp_path: Path) -> None:
    """A bot that tries the ports of others is refused, and named."""
    scans = foreign_bot(
        tmp_path,
        """
end = time.time() + 1.5
while time.time() < end:
    try:
        stream = connect(int(open("port").read()))
        stream.settimeout(5)
        name = text("thief")
        stream.sendall(message(NME, BRA, *name, KET, BRA, *name, KET))
        until(stream, MAP)
        print("got a seat")
    except (OSError, EOFError, ValueError):
        time.sleep(0.001)
sys.exit(1)
""",
        name="thief",
    )
    slow = foreign_bot(
        tmp_path,
        """
open("port", "w").write(str(port))
time.sleep(1)
stream = join(port, "slow")
until(stream, NOW)
sys.exit(0)
""",
        name="slow",
    )

    report = await play(game_task(scans, slow, logs="all"))

    assert isinstance(report.outcome, PlayedGame)
    thief, victim, *_ = report.outcome.seats
    assert victim.version == "7"
    assert "AUS.output.txt" not in report.logs
    assert "thief.py" in zlib.decompress(report.logs["server.log"]).decode()
    assert thief.forfeit is not None


async def test_bot_gets_no_other_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PATH, HOME, LANG, TMPDIR, what is passed, and what is given; and its mark."""
    monkeypatch.setenv("API_KEY", "secret")
    monkeypatch.setenv("OTHER", "unseen")
    tells = foreign_bot(tmp_path, "print(*sorted(os.environ)); sys.exit(1)")
    program = evolve(tells, pass_variables=("API_KEY",), environment={"MODEL": "small"})

    forfeit = forfeit_of_first(await play(game_task(program)))

    names = set(forfeit.output.split())
    assert {"API_KEY", "MODEL", "PATH", "TMPDIR", SEAT_MARK} <= names
    assert names <= {
        *("API_KEY", "MODEL", "PATH", "TMPDIR", SEAT_MARK, "HOME", "LANG"),
        *("LC_CTYPE", "PWD", "SHLVL", "_"),
    }


@pytest.fixture(params=["pidfd", "prctl"])
def missing_feature(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> str:
    """Switch a feature of Linux off, as on other systems."""
    if request.param == "pidfd":
        monkeypatch.delattr(os, "pidfd_open", raising=False)
    else:
        monkeypatch.setattr(prctl, "find_prctl", lambda: None)
    return str(request.param)


async def test_processes_are_ended_on_other_systems(
    tmp_path: Path, missing_feature: str
) -> None:
    """Orphans are found by their mark, and ends of processes by asking."""
    del missing_feature
    forks = foreign_bot(
        tmp_path,
        DAEMONS + "daemon('daemon'); stream = join(port); until(stream, NOW); exit(4)",
    )

    forfeit = forfeit_of_first(await play(game_task(forks)))

    assert forfeit.turn == "S1901M"
    assert not is_running(tmp_path / "daemon")


WORKER = """
import sys
from pathlib import Path
from tests.support.foreign_bots import foreign_bot, game_task
from daide_server.running import bot_process
from daide_server.running.play_game import play_game
bot_process.TERM_SECONDS = float(sys.argv[3])
bot = foreign_bot(Path(sys.argv[1]), sys.argv[2])
print(play_game(game_task(bot)).outcome, flush=True)
"""


def start_worker(folder: Path, body: str) -> "subprocess.Popen[str]":
    """Return a process that plays one game; *body* is that of the first bot."""
    return subprocess.Popen(
        [sys.executable, "-c", WORKER, str(folder), body, str(TERM_SECONDS)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(folder)},
    )


async def appears(path: Path) -> None:
    """Wait until a process has written its number into a file."""
    with trio.fail_after(20):
        await _until(lambda: path.exists() and bool(path.read_text()))


async def _until(condition: Callable[[], bool]) -> None:
    while True:
        if condition():
            return
        await trio.sleep(0.02)


TWO_PROCESSES = (
    DAEMONS
    + "daemon('daemon'); open('bot', 'w').write(str(os.getpid())); "
    + "stream = join(port); time.sleep(1000)"
)


async def test_worker_that_is_stopped_ends_its_bots(tmp_path: Path) -> None:
    """SIGTERM breaks the game off; it counts neither as played nor as void."""
    with start_worker(tmp_path, TWO_PROCESSES) as worker:
        await appears(tmp_path / "bot")

        worker.terminate()
        output, _ = worker.communicate(timeout=20)

    assert output == "UnfinishedGame(game=17, attempt=1)\n"
    assert not is_running(tmp_path / "bot")
    assert not is_running(tmp_path / "daemon")


async def test_what_a_killed_worker_leaves_is_ended_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot dies with its worker; what it has started is found by its mark."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with start_worker(tmp_path, TWO_PROCESSES) as worker:
        await appears(tmp_path / "bot")
        assert leftovers.end_leftovers() == 0
        worker.kill()
        worker.wait()
    with trio.fail_after(5):
        await _until(lambda: not is_running(tmp_path / "bot"))
    assert is_running(tmp_path / "daemon")

    leftovers.end_leftovers()

    assert not is_running(tmp_path / "daemon")


ESCAPE = (
    "open({0!r}, 'w').write(str(os.getpid())); "
    "os.execve('/bin/sleep', ['sleep', '1000'], {{}})"
)
"""Writes its number into a file, and becomes a program without a mark."""


def test_a_process_without_session_and_mark_ends_with_its_game(tmp_path: Path) -> None:
    """Neither says whose it is; but a worker starts nothing but bots."""
    body = f"""
if not os.fork():
    os.setsid()
    if not os.fork():
        {ESCAPE.format("escaped")}
    os._exit(0)
os.wait()
stream = join(port); until(stream, NOW); exit()
"""
    with start_worker(tmp_path, body) as worker:
        output, _ = worker.communicate(timeout=60)

    assert output.startswith("PlayedGame(")
    assert not is_running(tmp_path / "escaped")


async def test_a_process_without_mark_is_ended_when_its_worker_was_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was seen below the bot, and noted."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    body = f"""
if not os.fork():
    {ESCAPE.format("child")}
stream = join(port); time.sleep(1000)
"""
    with start_worker(tmp_path, body) as worker:
        await appears(tmp_path / "child")
        pid = (tmp_path / "child").read_text()
        with trio.fail_after(10):
            await _until(lambda: f"\n{pid}-" in noted_in(tmp_path))
        worker.kill()
        worker.wait()
    assert is_running(tmp_path / "child")

    leftovers.end_leftovers()

    assert not is_running(tmp_path / "child")


def noted_in(folder: Path) -> str:
    return "".join(note.read_text() for note in folder.glob("*/bots/*"))


def test_process_with_the_number_of_a_bot_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the start time says that it is the same process."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with subprocess.Popen(
        [sys.executable, "-c", "input()"], stdin=subprocess.PIPE
    ) as other:
        leftovers.note_started(other.pid)
        (note,) = tmp_path.glob("*/bots/*")
        noted = ProcessIdentity.parse(note.read_text().strip())
        before = evolve(noted, started=f"{float(noted.started) - 5:.2f}")
        note.write_text(f"{before}\n")
        note.rename(note.with_name(f"{evolve(noted, started='1.00')}"))

        ended = leftovers.end_leftovers()

        assert ended == 0
        assert other.poll() is None
        other.kill()


def test_notes_of_another_version_are_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its worker may still run, and its bots with it."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    leftovers.note_started(os.getpid())
    (note,) = tmp_path.glob("*/bots/*")
    note.rename(note.with_name("4711-1.00"))

    assert leftovers.end_leftovers() == 0

    assert note.with_name("4711-1.00").exists()


def test_seat_of_a_task_is_a_plain_value() -> None:
    """A stand-in needs no other type of seat."""
    assert not SeatTask("FRA", 0, game_task().seats[0].program, 1).stand_in
    assert mark_of(os.getpid()) is None
    assert TroubleLimits().start_seconds == 60.0

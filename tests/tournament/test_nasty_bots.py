"""Programs that harm their machine, or the other bots: at most their own score."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from attrs import evolve

from daide_server.tournament.game_outcomes import PlayedGame, VoidGame
from daide_server.tournament.run import bot_process
from daide_server.tournament.run.bot_process import KEPT_BYTES
from daide_server.tournament.run.bot_settings import BWRAP, MEBIBYTE, NO_SANDBOX
from daide_server.tournament.run.play_game import play
from tests.support.foreign_bots import foreign_bot, game_task, processes_of
from tests.support.needed import need_sandbox
from tests.support.waiting import comes_true
from tests.tournament.cups import forfeit_of_first

pytestmark = pytest.mark.end_to_end

TERM_SECONDS = 0.3
"""Between SIGTERM and SIGKILL; a bot that ignores the first costs a test as much."""

CHILD = """
if not os.fork():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    open("started", "w").write("yes")
    time.sleep(1000)
"""
"""Starts a process of the bot's group."""
DAEMON = """
if not os.fork():
    os.setsid()
    if os.fork():
        os._exit(0)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    open("started", "w").write("yes")
    time.sleep(1000)
os.wait()
"""
"""Starts a process that has left its session, its group and its parent."""


@pytest.fixture(params=[BWRAP, NO_SANDBOX])
def sandbox(request: pytest.FixtureRequest) -> str:
    """Give each kind of sandbox."""
    if request.param == BWRAP:
        need_sandbox()
    return str(request.param)


@pytest.fixture(autouse=True)
def _killed_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_process, "TERM_SECONDS", TERM_SECONDS)


async def test_processes_that_a_bot_has_started_are_ended(
    sandbox: str, tmp_path: Path
) -> None:
    """They ignore SIGTERM; in a sandbox they may also have left session and group."""
    starts = {BWRAP: DAEMON, NO_SANDBOX: CHILD}[sandbox]
    forks = foreign_bot(
        tmp_path, f"{starts}stream = join(port); until(stream, NOW); exit()"
    )

    report = await play(game_task(evolve(forks, sandbox=sandbox)))

    assert isinstance(report.outcome, PlayedGame)
    assert (tmp_path / "started").exists()
    assert not processes_of(tmp_path)


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
    output = report.logs["AUS.output.txt"]
    assert output.startswith("first\n")
    assert len(output) < 2 * KEPT_BYTES + 100
    assert "bytes were not kept" in output


FILLS = """
for number in range(4):
    open({}, "wb").write(b"x" * (1 << 20))
time.sleep(1000)
"""
EATS = """
stream = join(port) if os.fork() else None
food = b"x" * (80 << 20)
time.sleep(1000)
"""
ATE = "food = b'x' * (90 << 20)"
TEMPORARY = "os.path.join(os.environ['TMPDIR'], str(number))"
MANY = FILLS.replace("range(4)", "range(50)").replace("1 << 20", "1")


@pytest.mark.parametrize(
    ("body", "limit", "reason"),
    [
        # The memory of its children counts.
        (EATS, {"memory": 100 * MEBIBYTE}, "used 1[0-9]+ MiB of memory, allowed 100"),
        # It is found while it writes, or afterwards.
        (
            FILLS.format(TEMPORARY),
            {"disk": 2 * MEBIBYTE},
            "used [234] MiB of disk, allowed 2",
        ),
        # Both folders count, but not what lay in the working folder before.
        (
            FILLS.format(f"'log%d' % number if number else {TEMPORARY}"),
            {"disk": 2 * MEBIBYTE},
            "used [45] MiB of disk, allowed 2",
        ),
        # Many files do not hide a large one.
        (
            MANY.format(TEMPORARY),
            {},
            "had more than 40 files in its folder for the game",
        ),
        (
            "all(os.fork() for _ in range(9)); time.sleep(1000)",
            {},
            r"had \d+ processes, allowed 5",
        ),
    ],
)
async def test_bot_that_uses_too_much_forfeits(
    body: str,
    limit: dict[str, int],
    reason: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # A sandbox makes some: where it shows what lies below a folder that it covers.
    monkeypatch.setattr(bot_process, "MAX_OWN_ENTRIES", 40)
    monkeypatch.setattr(bot_process, "MAX_PROCESSES", 5)
    if "log" in body:
        (tmp_path / "model").write_bytes(b"x" * (3 << 20))
    limited = evolve(foreign_bot(tmp_path, body), **limit)  # type: ignore[arg-type]

    forfeit = forfeit_of_first(await play(game_task(limited)))

    assert re.fullmatch(reason, forfeit.reason), forfeit


def test_a_folder_of_more_files_than_are_counted_has_no_size(tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / name).write_bytes(bytes(5000))
    assert (bot_process.folder_bytes(tmp_path, 3) or 0) >= 15_000
    assert bot_process.folder_bytes(tmp_path, 2) is None


@pytest.mark.parametrize(
    ("body", "is_void"),
    [
        ("os.kill(os.getpid(), signal.SIGKILL)", True),
        ("sys.exit(9)", False),
        (f"{ATE}; time.sleep(1); os.kill(os.getpid(), signal.SIGKILL)", False),
    ],
)
async def test_bot_that_dies_for_the_memory_of_others_has_not_forfeited(
    body: str, oom_kill: str, tmp_path: Path, *, is_void: bool
) -> None:
    """The kernel chose it, though it used little: the game does not count."""
    bot = foreign_bot(tmp_path, f"{oom_kill}; {body}")
    dies = evolve(bot, memory=150 * MEBIBYTE)

    report = await play(game_task(dies))

    void = VoidGame(17, 1, "the machine had no memory left")
    assert (report.outcome == void) is is_void, report.outcome


async def test_single_file_has_a_limit_everywhere(tmp_path: Path) -> None:
    """The bot's own write fails (RLIMIT_FSIZE)."""
    fills = foreign_bot(
        tmp_path, "open('../big', 'wb').write(b'x' * (9 << 20)); time.sleep(1000)"
    )
    limited = evolve(fills, disk=2 * MEBIBYTE, sandbox=NO_SANDBOX)

    forfeit = forfeit_of_first(await play(game_task(limited)))

    assert forfeit.reason == "exited with code 1 before the game began"
    assert "File too large" in forfeit.output


async def test_bot_gets_no_other_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PATH, HOME, LANG, TMPDIR, what is passed, and what is given."""
    monkeypatch.setenv("API_KEY", "secret")
    monkeypatch.setenv("OTHER", "unseen")
    tells = foreign_bot(tmp_path, "print(*sorted(os.environ)); sys.exit(1)")
    program = evolve(
        tells, pass_variables=("API_KEY",), environment=(("MODEL", "small"),)
    )

    forfeit = forfeit_of_first(await play(game_task(program)))

    names = set(forfeit.output.split())
    assert {"API_KEY", "MODEL", "PATH", "TMPDIR"} <= names
    assert names <= {
        *("API_KEY", "MODEL", "PATH", "TMPDIR", "HOME", "LANG"),
        *("LC_CTYPE", "PWD", "SHLVL", "_"),
    }


WORKER = """
import sys
from pathlib import Path
from attrs import evolve
from tests.support.foreign_bots import foreign_bot, game_task
from daide_server.tournament.run import bot_process
from daide_server.tournament.run.play_game import play_game
bot_process.TERM_SECONDS = float(sys.argv[3])
bot = evolve(foreign_bot(Path(sys.argv[1]), sys.argv[2]), sandbox=sys.argv[4])
print(play_game(game_task(bot)).outcome, flush=True)
"""


def start_worker(folder: Path, body: str, sandbox: str) -> "subprocess.Popen[str]":
    """Return a process that plays one game; *body* is that of the first bot."""
    return subprocess.Popen(
        [sys.executable, "-c", WORKER, str(folder), body, str(TERM_SECONDS), sandbox],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(folder)},
    )


def test_worker_that_is_stopped_ends_its_bots(sandbox: str, tmp_path: Path) -> None:
    """SIGTERM aborts the game; it counts neither as played nor as void."""
    starts = {BWRAP: DAEMON, NO_SANDBOX: CHILD}[sandbox]
    body = f"{starts}stream = join(port); time.sleep(1000)"
    with start_worker(tmp_path, body, sandbox) as worker:
        assert comes_true((tmp_path / "started").exists)

        worker.terminate()
        output, _ = worker.communicate(timeout=20)

    assert output == "UnfinishedGame(game=17, attempt=1)\n"
    assert not processes_of(tmp_path)


def test_a_killed_worker_leaves_no_bot(sandbox: str, tmp_path: Path) -> None:
    """In a sandbox neither daemons: in other sessions, orphans, deaf to SIGTERM."""
    starts = {BWRAP: DAEMON * 3, NO_SANDBOX: "open('started', 'w').write('yes')\n"}[
        sandbox
    ]
    body = f"{starts}time.sleep(1000)"
    with start_worker(tmp_path, body, sandbox) as worker:
        assert comes_true((tmp_path / "started").exists)
        assert processes_of(tmp_path)

        worker.kill()

    assert comes_true(lambda: not processes_of(tmp_path))

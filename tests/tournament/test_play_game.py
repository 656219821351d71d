"""Whole games with programs of other people, and what becomes of them."""

import socket
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import trio
from attrs import evolve

from daide_server.board.names import Power
from daide_server.library.variants import find_variant
from daide_server.records.formats.registry import FORMATS
from daide_server.records.record import GameRecord
from daide_server.server.game_runner import GameRunner
from daide_server.tournament.game_outcomes import PlayedGame, VoidGame
from daide_server.tournament.run import play_game
from daide_server.tournament.run.bot_settings import BotSettings, read_bot
from daide_server.tournament.run.game_task import (
    AT_FAULT,
    GameReport,
    TroubleLimits,
    is_slow_start,
)
from daide_server.tournament.run.play_game import play
from tests.support.foreign_bots import HOLD, foreign_bot, game_task
from tests.support.tournaments import POWERS
from tests.tournament.cups import first_seat, forfeit_of_first

pytestmark = pytest.mark.end_to_end

FIRST = Power("AUS")
EXAMPLES = Path(__file__).parents[2] / "examples" / "lines"


def played(report: GameReport) -> PlayedGame:
    assert isinstance(report.outcome, PlayedGame), report.outcome
    return report.outcome


def record_of(report: GameReport) -> GameRecord:
    assert report.record is not None
    return FORMATS["dipcc"].read(report.record, find_variant)


async def test_built_in_bots_play_to_the_year_limit() -> None:
    """Nothing went wrong, so no log is kept; the record says which game it is."""
    report = await play(game_task())

    outcome = played(report)
    assert (outcome.game, outcome.attempt) == (17, 1)
    assert outcome.result.last_year == 1902
    assert [seat.power for seat in outcome.seats] == list(POWERS)
    assert all(seat.think_times.turns for seat in outcome.seats)
    assert not outcome.forfeits
    assert report.logs == {}
    record = record_of(report)
    assert record.id == "cup-000017"
    assert record.metadata["tournament"] == "cup"
    assert record.metadata["attempt"] == "1"
    assert {each.name for each in record.sittings} == {"hold"}


async def test_what_a_bot_on_lines_ordered_is_counted() -> None:
    program, _ = read_bot(f"lines:{sys.executable} {EXAMPLES / 'ten_lines.py'}")

    assert not first_seat(await play(game_task(program))).never_ordered


CRASHES = "stream = join(port); until(stream, NOW); print('an idea'); sys.exit(7)"
HANGS = "stream = join(port); time.sleep(1000)"
LEAVES = "stream = join(port); until(stream, NOW); stream.close(); time.sleep(99)"
STALLED = TroubleLimits(stalled_seconds=0.3, away_seconds=60.0)


@pytest.mark.parametrize(
    ("body", "given", "reason", "turn"),
    [
        (CRASHES, {}, "exited with code 7 in the game", "S1901M"),
        ("sys.exit(3)", {}, "exited with code 3 before the game began", None),
        (
            "os.kill(os.getpid(), signal.SIGKILL)",
            {},
            "killed by SIGKILL before the game began",
            None,
        ),
        # Without deadlines a bot has `stalled_seconds` for its orders, or `hung_after`.
        (HANGS, {"limits": STALLED}, "owed orders for 0.3 seconds", "S1901M"),
        (
            HANGS,
            {"game": {"game": {"year_limit": 1902, "hung_after": 0.4}}},
            "owed orders for 0.4 seconds",
            "S1901M",
        ),
        # With them, the rest of the game does not wait for a bot that has forfeited.
        (
            HANGS,
            {
                "limits": TroubleLimits(late_turns=2),
                "game": {"game": {"year_limit": 1905}, "hlo": {"mtl": 1}},
            },
            "late in 2 turns in a row",
            "S1902M",
        ),
        (
            LEAVES,
            {
                "limits": TroubleLimits(away_seconds=0.3),
                "game": {"game": {"year_limit": 1904}, "hlo": {"mtl": 1}},
            },
            "connection stayed away for 0.3 seconds",
            "S1901M",
        ),
        # A game without deadlines may be over before anybody was away for long.
        (LEAVES, {}, "connection was away when the game ended", "S1901M"),
    ],
)
async def test_a_fault_of_a_bot_is_a_forfeit(
    body: str, given: dict[str, object], reason: str, turn: str | None, tmp_path: Path
) -> None:
    """The game counts; its units hold, or a bot that holds plays from the start."""
    report = await play(game_task(foreign_bot(tmp_path, body), **given))

    seat, forfeit = first_seat(report), forfeit_of_first(report)
    assert (forfeit.reason, forfeit.turn) == (reason, turn)
    assert seat.stand_in is (turn is None)
    assert not seat.never_ordered
    assert seat.late == (2 if "late" in reason else 0)
    sitting = next(each for each in record_of(report).sittings if each.power == FIRST)
    assert sitting.stand_in is seat.stand_in
    assert sitting.forfeit == forfeit.text
    assert sitting.name == ("stand-in for mine" if turn is None else "test")


async def test_logs_of_a_forfeit_are_kept(tmp_path: Path) -> None:
    """The bot's output, its conversation with times, and the log of the server.

    Setting `keep` of `[logs]` keeps those of all seats, or none.
    """
    crashes = foreign_bot(tmp_path, CRASHES)
    report = await play(game_task(crashes))
    everything = await play(game_task(logs="all"))
    nothing = await play(game_task(crashes, logs="none"))

    assert (len(everything.logs), nothing.logs) == (8, {})
    assert sorted(report.logs) == [
        "AUS.conversation.txt",
        "AUS.output.txt",
        "server.log",
    ]
    assert first_seat(report).version == "7"
    assert forfeit_of_first(report).output == "an idea"
    assert report.logs["AUS.output.txt"] == "an idea\n"
    conversation = report.logs["AUS.conversation.txt"]
    assert "< NME ( 'test' ) ( '7' )" in conversation
    assert "> HLO ( AUS ) ( 0 )" in conversation
    assert "event=client.left" in report.logs["server.log"]


async def test_benched_bot_is_not_started(tmp_path: Path) -> None:
    """Its seat is played by a stand-in, and is forfeited as those before."""
    task = game_task(foreign_bot(tmp_path, "open('started', 'w')"))
    benched = evolve(task.seats[0], stand_in=AT_FAULT)

    report = await play(evolve(task, seats=(benched, *task.seats[1:])))

    assert first_seat(report).stand_in
    assert forfeit_of_first(report).reason == AT_FAULT
    assert not (tmp_path / "started").exists()


async def test_first_slow_start_makes_the_game_void(tmp_path: Path) -> None:
    """The machine may have been busy: the same game is played again, alone."""
    slow = foreign_bot(tmp_path, "time.sleep(1000)")
    task = game_task(slow, limits=TroubleLimits(start_seconds=0.3))

    report = await play(task)
    again = await play(evolve(task, is_alone=True))

    assert isinstance(report.outcome, VoidGame)
    assert is_slow_start(report.outcome)
    assert first_seat(again).stand_in
    late = "not ready 0.3 seconds after its start"
    assert forfeit_of_first(again).reason == late


async def test_bot_may_return_by_the_same_port(tmp_path: Path) -> None:
    """Its port is open again while its seat is vacant."""
    returns = foreign_bot(
        tmp_path,
        """
stream = join(port)
_, _, power, _, _, passcode, *_ = until(stream, HLO)
until(stream, NOW)
stream.close()
for attempt in range(100):
    try:
        stream = connect(port)
        stream.sendall(message(IAM, BRA, power, KET, BRA, passcode, KET))
        until(stream, YES)
        break
    except (OSError, EOFError):
        time.sleep(0.02)
print("returned")
sys.exit(5)
""",
    )

    report = await play(game_task(returns, game={"hlo": {"mtl": 2}}))

    forfeit = forfeit_of_first(report)
    assert forfeit.output == "returned"
    assert forfeit.reason == "exited with code 5 in the game"


async def test_bot_may_connect_by_ipv6_sockets(tmp_path: Path) -> None:
    """Java programs do; the system lists them elsewhere."""
    crash = foreign_bot(
        tmp_path,
        """
stream = socket.socket(socket.AF_INET6)
stream.connect(("::ffff:127.0.0.1", port))
stream.sendall(bytes.fromhex("000000040001da10"))
stream.sendall(message(NME, BRA, *text("test"), KET, BRA, *text("7"), KET))
until(stream, MAP)
""",
    )

    report = await play(game_task(crash))

    assert first_seat(report).version == "7"


async def test_wrapper_starts_the_bot(tmp_path: Path) -> None:
    """What it starts may connect: it is below the first process of the bot."""
    plain = foreign_bot(tmp_path, "stream = join(port); until(stream, NOW)")
    wrapper = ("/bin/sh", "-c", '"$@"; exit 9', "wrapper")

    report = await play(game_task(evolve(plain, wrapper=wrapper)))

    forfeit = forfeit_of_first(report)
    assert forfeit.reason == "exited with code 9 in the game"
    assert forfeit.turn == "S1901M"


async def test_crash_can_make_the_game_void(tmp_path: Path) -> None:
    """Setting `crash = "void"` of `[trouble]`."""
    crash = foreign_bot(tmp_path, "sys.exit(7)")

    report = await play(game_task(crash, limits=TroubleLimits(crash="void")))

    assert report.outcome == VoidGame(
        17, 1, "mine (AUS): exited with code 7 before the game began", blamed=(0,)
    )
    assert report.record is None


async def test_more_programs_than_processors_are_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next one starts when one has its seat, though it has yet to take the map."""
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    slow = foreign_bot(
        tmp_path,
        """
open(f"started{port}", "w")
while sum(name.startswith("started") for name in os.listdir()) < 2:
    time.sleep(0.01)
stream = connect(port)
stream.sendall(message(NME, BRA, *text("test"), KET, BRA, *text("7"), KET))
until(stream, MAP)
time.sleep(0.3)
stream.sendall(message(YES, BRA, MAP, BRA, *text("standard"), KET, KET))
until(stream, NOW)
""",
    )

    with trio.fail_after(20):
        report = await play(game_task(*[slow] * 7))

    assert [seat.version for seat in played(report).seats] == ["7"] * 7
    assert not any(seat.stand_in for seat in played(report).seats)


async def test_game_that_all_bots_leave_ends(tmp_path: Path) -> None:
    """Nobody is left to play on: those who hold for them agree to a draw."""
    report = await play(game_task(*[foreign_bot(tmp_path, CRASHES)] * 7))

    outcome = played(report)
    assert all(seat.forfeit for seat in outcome.seats)
    assert outcome.result.last_year == 1901


async def test_exit_after_the_end_is_no_forfeit() -> None:
    """An exit code of 1 after the end of the game harms nobody."""
    program = BotSettings(
        name="mine",
        command=(
            "/bin/sh",
            "-c",
            f"{sys.executable} -m daide_server bot hold --port {{port}}; exit 1",
        ),
        folder=str(Path.cwd()),
        pass_variables=("PYTHONPATH",),
    )

    report = await play(game_task(program))

    assert first_seat(report).forfeit is None


async def test_a_game_that_stays_open_does_not_delay_the_worker(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whatever fault of the server's it is: the game has its result."""

    async def keep_no_time(_: GameRunner) -> None:
        await trio.sleep_forever()

    monkeypatch.setattr(GameRunner, "keep_time", keep_no_time)
    monkeypatch.setattr(play_game, "CLOSE_SECONDS", 0.1)

    with trio.fail_after(20):
        report = await play(game_task())

    assert played(report).result.last_year == 1902


async def test_fault_of_the_worker_makes_the_game_void(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that takes no folder, for one: no bot is charged for it."""

    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tempfile.TemporaryDirectory", fail)

    report = await play(game_task(foreign_bot(tmp_path, "sys.exit(7)")))

    assert isinstance(report.outcome, VoidGame)
    # Of one cause, however many tasks fail in however many groups.
    expected = "the worker failed: OSError(28, 'No space left on device')"
    assert report.outcome.reason == expected
    assert "Traceback" in report.logs["server.log"]


def test_a_stranger_does_not_take_the_seat_of_a_built_in_bot(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A bot that tries all ports of the machine voids no game."""
    strangers, connect = [], socket.create_connection

    def second(address: tuple[str, int]) -> socket.socket:
        strangers.append(connect(address))
        return connect(address)

    monkeypatch.setattr("socket.create_connection", second)

    client, server = play_game.connected_pair()

    with client, server, strangers[0] as stranger:
        client.sendall(b"ours")
        assert server.recv(8) == b"ours"
        assert stranger.recv(8) == b""


async def test_full_disk_begins_no_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Free space is checked before each game."""
    usage = SimpleNamespace(free=3 << 20)
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage)

    report = await play(game_task(HOLD))

    assert isinstance(report.outcome, VoidGame)
    assert report.outcome.reason.endswith("found 3 MiB free, expected 100")

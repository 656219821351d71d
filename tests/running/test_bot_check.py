"""The usual mistakes of bots, each named by `check_bot`."""

import sys
from pathlib import Path

import pytest
from attrs import evolve

from daide_server.running.bot_check import BotCheck, BotFinding, check_bot
from daide_server.running.bot_settings import BotSettings
from daide_server.running.bot_words import read_bot
from daide_server.running.game_task import TroubleLimits
from tests.support.foreign_bots import HOLD, foreign_bot

EXAMPLES = Path(__file__).parents[2] / "examples" / "lines"
pytestmark = pytest.mark.end_to_end

SHORT = TroubleLimits(start_seconds=3.0, stalled_seconds=0.4)


async def only_finding(
    program: BotSettings, limits: TroubleLimits = SHORT
) -> BotFinding:
    check = await check_bot(program, limits=limits)
    (finding,) = check.findings
    assert check.can_play == finding.is_warning
    return finding


async def test_bot_that_plays_has_no_findings() -> None:
    """Its version and its longest turn are reported."""
    check = await check_bot(HOLD)

    assert check.can_play
    assert check.version
    assert check.longest_seconds is not None
    assert check == BotCheck("hold", (), check.version, check.longest_seconds)


async def test_bot_on_lines_plays() -> None:
    """The bridge is started for it, and its name is the one that it gives itself."""
    bot = EXAMPLES / "ten_lines.py"
    program, _ = read_bot(f"lines:{sys.executable} {bot}")

    check = await check_bot(program)

    assert check.findings == ()
    assert check.version == "1"


async def test_wrong_path(tmp_path: Path) -> None:
    """It says where the program was looked for."""
    program = BotSettings(name="mine", command=("./mybot",), folder=str(tmp_path))

    finding = await only_finding(program)

    assert finding.text == (
        "cannot be started: No such file or directory: ./mybot; "
        f"looked for in {tmp_path}"
    )


async def test_wrong_folder(tmp_path: Path) -> None:
    """Which is another mistake."""
    folder = tmp_path / "bots"

    finding = await only_finding(
        BotSettings(name="mine", command=("./mybot",), folder=str(folder))
    )

    assert finding.text.endswith(f"there is no folder {folder}")


async def test_file_that_is_not_executable(tmp_path: Path) -> None:
    """Root may not execute it either."""
    (tmp_path / "mybot").write_text("#!/bin/sh\n")

    finding = await only_finding(
        BotSettings(name="mine", command=("./mybot",), folder=str(tmp_path))
    )

    assert "Permission denied: ./mybot; is it executable (chmod +x)?" in finding.text


async def test_script_for_a_program_that_is_not_there(tmp_path: Path) -> None:
    """The system says only that a file is missing."""
    script = tmp_path / "mybot"
    script.write_text("#!/no/such/python\n")
    script.chmod(0o755)

    finding = await only_finding(
        BotSettings(name="mine", command=("./mybot",), folder=str(tmp_path))
    )

    assert finding.text.endswith("what its first line (#!) names is not")


async def test_bot_that_exits_at_once(tmp_path: Path) -> None:
    """With the end of what it printed."""
    finding = await only_finding(
        foreign_bot(tmp_path, "print('usage: mybot HOST'); sys.exit(2)")
    )

    assert finding.text.startswith("exited with code 2 before the game began")
    assert finding.text.endswith("\nusage: mybot HOST")


async def test_bot_that_does_not_connect(tmp_path: Path) -> None:
    """Its clock runs from its start."""
    sleeps = foreign_bot(tmp_path, "time.sleep(1000)")

    finding = await only_finding(sleeps, TroubleLimits(start_seconds=0.3))

    assert finding.text.startswith("not ready 0.3 seconds after its start")


async def test_bot_that_begins_with_the_wrong_bytes(tmp_path: Path) -> None:
    """It says something before IM, or does not speak DAIDE at all."""
    finding = await only_finding(
        foreign_bot(
            tmp_path,
            """
stream = socket.create_connection(("127.0.0.1", port))
stream.sendall(b"HELLO SERVER")
time.sleep(1000)
""",
        )
    )

    assert "the server closed its connection: " in finding.text


async def test_bot_that_asks_for_another_power(tmp_path: Path) -> None:
    """Its port has one seat only."""
    finding = await only_finding(
        foreign_bot(
            tmp_path,
            """
stream = connect(port)
stream.sendall(message(IAM, BRA, 0x4102, KET, BRA, 7, KET))
time.sleep(1000)
""",
        )
    )

    assert "(IAM refused: " in finding.text


async def test_bot_that_gives_no_orders(tmp_path: Path) -> None:
    """It joined."""
    finding = await only_finding(
        foreign_bot(tmp_path, "stream = join(port); time.sleep(1000)")
    )

    assert finding.text.startswith("owed orders for 0.4 seconds; it joined")


async def test_bot_that_plays_the_wrong_power(tmp_path: Path) -> None:
    """It orders the units of another one."""
    program = foreign_bot(
        tmp_path,
        """
SUB, HLD, AMY, FRA, PAR = 0x4818, 0x4340, 0x4200, 0x4102, 0x5114
stream = join(port)
_, _, power, *_ = until(stream, HLO)
while True:
    tokens = receive(stream)
    if tokens[0] == NOW:
        paris = next(at for at, each in enumerate(tokens) if each == 0x4102)
        unit = tokens[paris : paris + 3]
        stream.sendall(message(SUB, BRA, BRA, *unit, KET, 0x4322, KET))
""",
    )

    check = await check_bot(program, limits=SHORT)

    texts = [finding.text for finding in check.findings]
    assert any("gives orders for units of other powers" in text for text in texts), (
        texts
    )


async def test_missing_variable(tmp_path: Path) -> None:
    """What `pass` names should be set."""
    program = evolve(foreign_bot(tmp_path, "sys.exit(1)"), pass_variables=("NO_KEY",))

    check = await check_bot(program, limits=SHORT)

    assert check.findings[0] == BotFinding(
        "environment variable NO_KEY is not set", is_warning=True
    )


async def test_unknown_built_in_bot() -> None:
    """A misspelt name."""
    finding = await only_finding(BotSettings(name="mine", builtin="dumm"))

    assert finding.text == "no built-in bot is called 'dumm'"

"""The usual mistakes of bots, each named by `check_bot`."""

import sys
from pathlib import Path

import pytest
from attrs import evolve

from daide_server.tournament.run.bot_check import BotCheck, BotFinding, check_bot
from daide_server.tournament.run.bot_settings import BotSettings, read_bot
from daide_server.tournament.run.game_task import TroubleLimits
from tests.support.foreign_bots import HOLD, foreign_bot

EXAMPLES = Path(__file__).parents[2] / "examples" / "lines"
pytestmark = pytest.mark.end_to_end

SHORT = TroubleLimits(start_seconds=3.0, stalled_seconds=0.4)


async def only_finding(program: BotSettings) -> BotFinding:
    check = await check_bot(program, limits=SHORT)
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


@pytest.mark.parametrize(
    ("name", "content", "mode", "text"),
    [
        (
            "bots",
            "",
            0,
            "No such file or directory: ./mybot; found no program './mybot' in {}",
        ),
        ("none", "", 0, "; found no folder {}"),
        (
            "bots",
            "#!/bin/sh\n",
            0o644,
            "Permission denied: ./mybot; is it executable (chmod +x)?",
        ),
        ("bots", "#!/no/such/python\n", 0o755, "its first line (#!) names is not"),
    ],
)
async def test_program_that_cannot_be_started(
    name: str, content: str, mode: int, text: str, tmp_path: Path
) -> None:
    """It says where it was looked for; the system only that a file is missing."""
    (tmp_path / "bots").mkdir()
    if content:
        (tmp_path / "bots" / "mybot").write_text(content)
        (tmp_path / "bots" / "mybot").chmod(mode)
    folder = tmp_path / name

    finding = await only_finding(
        BotSettings(name="mine", command=("./mybot",), folder=str(folder))
    )

    assert finding.text.endswith(text.format(folder))


WRONG_BYTES = """
stream = socket.create_connection(("127.0.0.1", port))
stream.sendall(b"HELLO SERVER")
time.sleep(1000)
"""
ANOTHER_POWER = """
stream = connect(port)
stream.sendall(message(IAM, BRA, 0x4102, KET, BRA, 7, KET))
time.sleep(1000)
"""


@pytest.mark.parametrize(
    ("body", "texts"),
    [
        (
            "print('usage: mybot HOST'); sys.exit(2)",
            ("exited with code 2 before the game began", "\nusage: mybot HOST"),
        ),
        ("time.sleep(1000)", ("not ready 3 seconds after its start",)),
        (WRONG_BYTES, ("the server closed its connection: ",)),
        (ANOTHER_POWER, ("(IAM refused: ",)),
        (
            "stream = join(port); time.sleep(1000)",
            ("owed orders for 0.4 seconds; it joined",),
        ),
    ],
)
async def test_bot_that_does_not_play(
    body: str, texts: tuple[str, ...], tmp_path: Path
) -> None:
    finding = await only_finding(foreign_bot(tmp_path, body))

    assert all(text in finding.text for text in texts), finding
    assert "could not be tried" not in finding.text


@pytest.mark.parametrize(
    ("sent", "text", "is_warning"),
    [
        ("BRA, *unit(FRA), KET, HLD", "gives orders for units of other powers", False),
        ("BRA, *unit(own), KET, MTO, PAR", "1 orders were refused\n", True),
        ("HLD", "1 of its messages were not understood (HUH, PRN)", True),
    ],
)
async def test_bot_that_sends_wrong_orders(
    sent: str, text: str, tmp_path: Path, *, is_warning: bool
) -> None:
    """Such as for the units of another power."""
    program = foreign_bot(
        tmp_path,
        f"""
SUB, MTO, HLD, FRA, PAR = 0x4818, 0x4323, 0x4322, 0x4102, 0x5114
unit = lambda power: tokens[(at := tokens.index(power)) : at + 3]
stream = join(port)
own = until(stream, HLO)[2]
tokens = until(stream, NOW)
stream.sendall(message(SUB, BRA, {sent}, KET))
time.sleep(1000)
""",
    )

    check = await check_bot(program, limits=SHORT)

    assert any(
        text in finding.text and finding.is_warning == is_warning
        for finding in check.findings
    ), check.findings


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

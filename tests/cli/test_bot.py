"""The words of `daide-server bot` and `bridge`, and the seat that they keep."""

from functools import partial
from pathlib import Path

import pytest
import trio

from daide_server.bots.built_in import BOTS
from tests.support.commands import printed, refusal
from tests.support.line_bots import PYTHON, six_others


def test_the_help_teaches() -> None:
    """Each bot is described, and there are examples."""
    shown = printed("bot", "--help")

    for bot in BOTS.values():
        assert bot.summary in shown
    for words in (*BOTS, "--passcode", "--resume", "--return-seconds", "Examples"):
        assert words in shown


@pytest.mark.parametrize(
    "words", [("bot", "hold", "--resume"), ("bridge", "--state")], ids=" ".join
)
def test_a_file_that_holds_no_seat_is_one_line(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    """It is not overwritten: it may be somebody's. And no bot is started."""
    path = tmp_path / "letter.txt"
    path.write_text("Dear server")
    bot = ["--", "/no/such/bot"] if words[0] == "bridge" else []

    said = refusal(*words, path, *bot)

    assert "letter.txt: no seat" in said
    assert len(said.splitlines()) == 1
    assert path.read_text() == "Dear server"


QUITTER = """
import json, sys
for line in sys.stdin:
    heard = json.loads(line)
    if heard["type"] == "hello":
        print(json.dumps({"type": "ready", "name": "Quitter"}), flush=True)
    if heard["type"] == "turn":
        sys.exit(3)
"""
RETURNER = """
import json, sys
resumed = False
for line in sys.stdin:
    heard = json.loads(line)
    if heard["type"] == "hello":
        print('{"type": "ready", "name": "R", "wants": ["possible"]}', flush=True)
    if heard["type"] == "start":
        resumed = heard["resumed"]
    if heard["type"] == "turn":
        first = [orders[0] for orders in heard["possible"].values()]
        answer = {"type": "orders", "orders": first[: heard["due"]]}
        print(json.dumps(answer), flush=True)
sys.exit(7 if resumed else 8)
"""


@pytest.mark.end_to_end
async def test_a_bot_that_is_started_again_returns_to_its_seat(tmp_path: Path) -> None:
    """The seat is kept until the game is over, and the exit code is the bot's."""
    state = tmp_path / "seat.json"
    limits = {"mtl": 30, "rtl": 30, "btl": 30}
    words = [PYTHON, "-m", "daide_server", "bridge", "--state", str(state)]

    async with six_others(tmp_path / "records", **limits) as server:
        words += ["--server", server.address, "--", PYTHON, "-c"]
        bridge = partial(trio.run_process, check=False, capture_stderr=True)
        first = await bridge([*words, QUITTER])
        assert (first.returncode, state.exists()) == (3, True)
        second = await bridge([*words, RETURNER])

    assert (second.returncode, state.exists()) == (7, False)
    assert b"the bot ended before the game was over" in first.stderr

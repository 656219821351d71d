"""`daide-server ask` prints what a bot orders in a phase of a record."""

import json
import sys
from pathlib import Path

import pytest

from tests.support.commands import printed, refusal, run

POSITION = {
    "id": "one",
    "map": "standard",
    "phase": "F1901M",
    "units": {"FRANCE": ["A PAR", "F MAO"], "GERMANY": ["A MUN"]},
    "centers": {"FRANCE": ["PAR", "BRE"], "GERMANY": ["MUN"]},
}
EXAMPLES = Path(__file__).parents[2] / "examples" / "lines"
HOLD = (sys.executable, "-m", "daide_server", "bot", "hold")


@pytest.fixture
def record(tmp_path: Path) -> str:
    path = tmp_path / "one.jsonl"
    path.write_text(json.dumps(POSITION) + "\n")
    return f"{path}:F1901M"


def ask(record: str, *words: str) -> tuple[str, ...]:
    return ("ask", record, "--power", "France", *words)


def test_the_orders_of_the_bot_are_printed(record: str) -> None:
    address = ("--host", "{host}", "--port", "{port}", "--seed", "{seed}")

    result = run(*ask(record, "--json", "--", *HOLD, *address))

    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert found["orders"] == ["A PAR H", "F MAO H"]
    assert found["refused"] == []
    assert found["missing"] == 0
    assert found["trouble"] is None


@pytest.mark.parametrize(
    "bot", ["hold", f"lines:{sys.executable} {EXAMPLES / 'ten_lines.py'}"]
)
def test_a_bot_is_named_as_in_play(record: str, bot: str) -> None:
    found = json.loads(printed(*ask(record, "--json", "--bot", bot)))

    assert len(found["orders"]) == 2


def test_the_bot_is_started_once_for_each_time(record: str, tmp_path: Path) -> None:
    script = tmp_path / "bot.py"
    script.write_text(f"open({str(tmp_path / 'starts')!r}, 'a').write('x')")

    run(*ask(record, "--times", "2", "--", sys.executable, str(script), "{port}"))

    assert (tmp_path / "starts").read_text() == "xx"


def test_a_silent_bot_is_not_waited_for_in_silence(
    record: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("daide_server.examine.examination.PATIENCE_SECONDS", 0.1)

    said = refusal(*ask(record, "--start-seconds", "0.5", "--", "sleep", "{port}"))

    assert "the bot has not connected yet, after 0 s" in said


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (("false", "{port}"), "its process ended with code 1"),
        # The command may be one word, as `play --bot` takes it.
        (("false -p{port}",), "its process ended with code 1"),
        (("/no/such/bot", "{port}"), "/no/such/bot"),
    ],
)
def test_a_bot_that_ends_costs_a_line_and_exit_code_1(
    record: str, command: tuple[str, ...], told: str
) -> None:
    result = run(*ask(record, "--", *command))

    assert result.exit_code == 1
    assert told in result.output
    assert "Traceback" not in result.output

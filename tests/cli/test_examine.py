"""`examine` and `ask`: scenes with a bot, and what it orders in a phase of a record."""

import json
import sys
from pathlib import Path

import pytest

from tests.support.commands import printed, refusal, run

HOLD = (sys.executable, "-m", "daide_server", "bot", "hold")
BOT = (*HOLD, "--host", "{host}", "--port", "{port}")


def test_a_bot_that_passes_is_reported_as_json_and_traced(tmp_path: Path) -> None:
    options = ("--json", "--only", "off", "--only", "idle", "--trace", str(tmp_path))

    result = run("examine", *options, "--", *BOT)

    assert result.exit_code == 0, result.output
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert [(row["scene"], row["verdict"]) for row in rows] == [
        ("off", "passes"),
        ("idle", "passes"),
    ]
    assert list(tmp_path.glob("*.trace"))
    # Each is played once, and told once.
    assert result.stderr.count("] off: passes") == 1


def test_a_bot_that_fails_costs_exit_code_1_and_shows_what_it_printed() -> None:
    words = ("sh", "-c", "echo broken >&2; exit 3", "{port}")

    result = run("examine", "--only", "first-turn", "--only", "joins", "--", *words)

    assert result.exit_code == 1
    assert "its process ended with code 3; it printed: broken" in result.stdout
    assert "joins: fails" in result.stdout
    assert "2 scenes: 1 fails, 1 not reached" in result.stdout


def test_a_brief_report_names_what_to_fix_first_and_its_trace(tmp_path: Path) -> None:
    page, badge, traces = (tmp_path / name for name in ("r.html", "b.svg", "talk"))
    files = ("--html", str(page), "--badge", str(badge), "--trace", str(traces))
    bot = """import socket, sys
with socket.create_connection(("127.0.0.1", int(sys.argv[1]))) as server:
    server.sendall(bytes.fromhex("00 00 00 04 00 01 DA 10"))
    server.recv(9)
"""
    command = sys.executable, "-c", bot, "{port}"

    result = run("examine", "--brief", "--only", "first-turn", *files, "--", *command)

    assert result.exit_code == 1, "though the one scene was not reached"
    first = "1. joins: sends IM and NME, and answers MAP within 60 s (CS IM, MS NME)"
    first += "; scenes not reached without it: 1; see "
    assert result.stdout.splitlines()[-2] == "Fix first:"
    assert result.stdout.splitlines()[-1].startswith(first)
    assert any(result.stdout.endswith(f"{path}\n") for path in traces.iterdir())
    assert "level 0" not in result.stdout
    assert first[3:40] in page.read_text()
    assert "0 of 1 scenes" in badge.read_text()


# ask


POSITION = {
    "id": "one",
    "map": "standard",
    "phase": "F1901M",
    "units": {"FRANCE": ["A PAR", "F MAO"], "GERMANY": ["A MUN"]},
    "centers": {"FRANCE": ["PAR", "BRE"], "GERMANY": ["MUN"]},
}
EXAMPLES = Path(__file__).parents[2] / "examples" / "lines"


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

"""`daide-server examine` as a command: scenes, output, exit codes."""

import json
import sys
from pathlib import Path

from tests.support.commands import run

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

"""What a command line imports: help waits for nothing, and a game for no web server."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

RECORD = Path(__file__).parents[1] / "records" / "games" / "draw.json"
LIGHT = {
    "daide_server",
    "daide_server.cli",
    "daide_server.cli.common",
    "daide_server.cli.common.failures",
    "daide_server.cli.common.printing",
    "daide_server.errors",
    "daide_server.records",
    "daide_server.records.formats",
    "daide_server.records.formats.errors",
}
FOR_GAMES = {
    *("trio", "structlog", "rich.console", "daide_server.judge.equations"),
    *("daide_server.server.server", "daide_server.server.session"),
}
FOR_OTHER_FORMATS = {
    *("concurrent.futures.process", "rich.console", "trio"),
    *("daide_server.atlas.aiserver", "daide_server.daide.messages"),
    *(
        "daide_server.records.formats.diplobn.reading",
        "daide_server.records.formats.tables",
    ),
    "daide_server.records.formats.transcript.reading",
}
FOR_PAGES_AND_CLUSTERS = {
    *("sqlalchemy", "starlette", "hypercorn", "jinja2", "prometheus_client"),
    *("distributed", "parsl", "psycopg"),
}
SCRIPT = """
import sys
try:
    if sys.argv[1] == "import":
        __import__(sys.argv[2])
    else:
        from daide_server.cli import main
        main(sys.argv[1:], standalone_mode=False)
finally:
    print(*sys.modules, file=sys.stderr)
"""


def modules_of(words: str, folder: Path) -> set[str]:
    """Return what a command line imports until its end."""
    command = [sys.executable, "-c", SCRIPT, *words.split()]
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=folder, check=False
    )
    return set(done.stderr.splitlines()[-1].split())


def test_help_imports_no_command(tmp_path: Path) -> None:
    found = modules_of("--help", tmp_path)
    assert {each for each in found if each.startswith("daide_server")} <= LIGHT


@pytest.mark.parametrize(
    ("words", "unwanted"),
    [
        ("serve --help", FOR_GAMES),
        ("play --help", FOR_GAMES),
        ("match --help", FOR_GAMES),
        ("branch --help", FOR_GAMES),
        ("tournament run --help", FOR_GAMES),
        ("tournament new --help", FOR_GAMES),
        (f"replay {RECORD}", FOR_OTHER_FORMATS),
        (f"check {RECORD}", FOR_OTHER_FORMATS),
        ("serve --print-config", FOR_PAGES_AND_CLUSTERS),
        ("play --year-limit 1901", FOR_PAGES_AND_CLUSTERS),
        ("bot hold --return-seconds 0 --port 1", FOR_PAGES_AND_CLUSTERS),
        ("import daide_server.tournament.run.worker", FOR_PAGES_AND_CLUSTERS),
        ("import daide_server.tournament.run.play_game", FOR_PAGES_AND_CLUSTERS),
    ],
)
def test_a_command_waits_for_nothing_that_it_does_not_need(
    words: str, unwanted: set[str], tmp_path: Path
) -> None:
    found = modules_of(words, tmp_path)
    assert "daide_server" in found
    assert not found & unwanted


def test_a_server_without_a_page_imports_nothing_of_the_web(tmp_path: Path) -> None:
    """Until its end, that is."""
    words = ["serve", "--port", "0", "--log-level", "error"]
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
    )
    assert process.stdout is not None
    process.stdout.readline()
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=60)
    found = set(errors.splitlines()[-1].split())
    assert "daide_server.server.server" in found
    assert not found & (FOR_PAGES_AND_CLUSTERS - {"prometheus_client"})

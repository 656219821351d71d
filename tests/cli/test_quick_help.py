"""A help text does not wait for what it does not need."""

import subprocess
import sys
from pathlib import Path

import pytest

LIGHT = {
    "daide_server",
    "daide_server.cli",
    "daide_server.cli.common",
    "daide_server.cli.common.failures",
    "daide_server.cli.common.printing",
    "daide_server.errors",
    "daide_server.formats",
    "daide_server.formats.errors",
}
SCRIPT = """
import sys
from pathlib import Path
from daide_server.cli import main
main(sys.argv[1:], standalone_mode=False)
print(*set(sys.modules), file=sys.stderr)
"""


def modules_of(*words: str) -> set[str]:
    """Return the modules of ours that a command line imports."""
    command = [sys.executable, "-c", SCRIPT, *words]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    modules = result.stderr.split()
    return {each for each in modules if each.startswith("daide_server")}


def test_help_imports_no_command() -> None:
    """The event loop and the server are for the commands that run them."""
    assert modules_of("--help") <= LIGHT


@pytest.mark.parametrize(
    "words",
    [("play",), ("match",), ("branch",), ("tournament", "run"), ("tournament", "new")],
)
def test_help_of_a_command_that_plays_imports_no_game(words: tuple[str, ...]) -> None:
    command = [sys.executable, "-c", SCRIPT, *words, "--help"]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    heavy = {"trio", "rich.console", "daide_server.judge.equations"}
    assert not set(result.stderr.split()) & heavy


UNNEEDED = {
    "concurrent.futures.process",
    "daide_server.atlas.aiserver",
    "daide_server.formats.diplobn.reading",
    "daide_server.formats.tables",
    "daide_server.formats.transcript.reading",
    "daide_server.language.messages",
    "rich.console",
    "trio",
}


@pytest.mark.parametrize("command", ["replay", "check"])
def test_a_single_game_waits_for_no_other_format(command: str) -> None:
    """A game of 40 phases is replayed in less time than all modules take."""
    record = Path(__file__).parents[1] / "records" / "games" / "draw.json"
    script = SCRIPT.replace("main(", "try: main(").replace(
        "print(", "except BaseException: pass\nprint("
    )
    process = [sys.executable, "-c", script, command, str(record)]
    result = subprocess.run(process, capture_output=True, text=True, check=True)

    modules = set(result.stderr.split())
    assert "daide_server.records.replay" in modules
    assert not modules & UNNEEDED

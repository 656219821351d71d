"""A help text does not wait for what it does not need."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from daide_server.cli.help_pages import HELP_FOLDER, help_page
from tools.write_settings import help_texts

LIGHT = {
    "daide_server",
    "daide_server.cli",
    "daide_server.cli.failures",
    "daide_server.cli.help_pages",
    "daide_server.cli.importing",
    "daide_server.cli.lasting_objects",
    "daide_server.cli.printing",
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


def shown(*words: str, columns: int) -> tuple[str, set[str]]:
    """Return what a command line prints, and the modules of ours that it imports."""
    command = [sys.executable, "-c", SCRIPT, *words]
    env = {**os.environ, "COLUMNS": str(columns)}
    result = subprocess.run(
        command, capture_output=True, text=True, check=True, env=env
    )
    modules = result.stderr.split()
    return result.stdout, {each for each in modules if each.startswith("daide_server")}


@pytest.mark.parametrize("words", [("--help",), ("bot", "--help"), ("serve", "-h")])
def test_a_help_text_imports_no_command(words: tuple[str, ...]) -> None:
    """The event loop and the server are for the commands that run them."""
    text, modules = shown(*words, columns=80)
    assert text.startswith("Usage: ")
    assert modules <= LIGHT


def test_a_narrow_terminal_gets_narrow_lines() -> None:
    """The command itself lays them out."""
    text, modules = shown("replay", "--help", columns=60)
    assert max(map(len, text.splitlines()[:6])) < 60
    assert "daide_server.cli.replay" in modules


def test_the_help_texts_are_those_of_the_commands() -> None:
    """`make settings` writes them."""
    written = {path: path.read_text(encoding="utf-8") for path in HELP_FOLDER.iterdir()}
    assert written == dict(help_texts())


def test_help_names_the_program_as_it_was_called() -> None:
    page = help_page(["bot", "--help"], "python -m daide_server")
    assert page is not None
    assert page.startswith("Usage: python -m daide_server bot")


@pytest.mark.parametrize(
    "words", [["bot"], ["bot", "dumb", "--help"], ["../bot", "-h"], ["no", "--help"]]
)
def test_other_command_lines_have_no_page(words: list[str]) -> None:
    assert help_page(words, "daide-server") is None


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

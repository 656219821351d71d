"""Tables: complete in a pipe, fitted to a terminal, names without markup."""

import sys
from io import StringIO

import pytest

from daide_server.cli.common.styled_output import add_row, print_styled, table, text

LONG = "word " * 60


class Terminal(StringIO):
    """A standard output that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


def rows() -> list[tuple[str, str]]:
    return [("[red]x", "1"), ("\x1b[2J", "10000"), (LONG.strip(), "3")]


def show() -> None:
    shown = table("Name", "Count", numbers=("Count",))
    for cells in rows():
        add_row(shown, cells)
    print_styled(text("title", style="bold"), shown)


def test_a_pipe_gets_every_character(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    show()

    title, head, markup, control, long = capsys.readouterr().out.splitlines()
    assert title == "title"
    assert head.split() == ["Name", "Count"]
    assert markup.split() == ["[red]x", "1"]
    assert control.split() == [r"\u001b[2J", "10000"]
    assert long.rsplit(maxsplit=1) == [LONG.strip(), "3"]
    assert markup.index("1") == control.index("10000") + 4


def test_a_terminal_gets_lines_of_its_width(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    monkeypatch.setenv("COLUMNS", "40")
    # A dumb terminal has 80 columns for rich unless both numbers are set.
    monkeypatch.setenv("LINES", "25")
    monkeypatch.setenv("TERM", "dumb")
    show()

    lines = terminal.getvalue().splitlines()
    assert max(map(len, lines)) <= 40
    assert sum(line.count("word") for line in lines) == 60

"""Tables and styled texts, as rich renders them.

On a terminal they fit its width. In a pipe or a file they are complete: nothing is cut
or folded to the width of a terminal.
"""

import sys
from collections.abc import Collection, Iterable, Sequence
from io import StringIO

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from .printing import print_content, printable

UNLIMITED_WIDTH = 10_000
"""Columns of output that is not a terminal; longer cells are folded, not cut."""


def print_styled(*shown: RenderableType) -> None:
    """Print what rich renders; raises `OutputError`.

    Texts and cells must be made printable before: see `text` and `add_row`.
    """
    print_content(rendered(*shown))


def rendered(*shown: RenderableType) -> str:
    """Return the text that `print_styled` prints."""
    is_terminal = sys.stdout.isatty()
    width = None if is_terminal else UNLIMITED_WIDTH
    output = StringIO()
    console = Console(file=output, force_terminal=is_terminal, width=width)
    console.print(*shown, sep="\n", highlight=False)
    return "".join(f"{line.rstrip()}\n" for line in output.getvalue().splitlines())


def text(content: str, style: str = "") -> Text:
    """Return *content*, made printable, for rich; brackets in it are no markup."""
    return Text(printable(content), style=style)


def table(*columns: str, numbers: Collection[str] = ()) -> Table:
    """Return a table without borders; the columns *numbers* are aligned right."""
    made = Table(box=None, padding=(0, 2, 0, 0))
    for title in columns:
        made.add_column(
            text(title),
            justify="right" if title in numbers else "left",
            overflow="fold",
        )
    return made


def add_row(rows: Table, cells: Iterable[str], style: str = "") -> None:
    """Add a row to a table; the *cells* are made printable."""
    rows.add_row(*map(text, cells), style=style)


def table_text(rows: Sequence[Sequence[str]], numbers: Collection[str]) -> str:
    """Return what `print_styled` prints of a `table`; the first row is its columns."""
    made = table(*rows[0], numbers=numbers)
    for row in rows[1:]:
        add_row(made, row)
    return rendered(made)

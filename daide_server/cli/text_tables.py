"""Tables of plain cells, for commands that print many or that start quickly."""

import sys
from collections.abc import Collection, Sequence

from rich.cells import cell_len

from .printing import printable


def table_text(rows: Sequence[Sequence[str]], numbers: Collection[str]) -> str:
    """Return what `print_styled` prints of a `table`; the first row is its columns.

    Where no terminal has to be fitted, rich's tables need not be asked, which take ten
    times as long to print, and longer to import.
    """
    if sys.stdout.isatty():
        return _fitted(rows, numbers)
    cells = [[printable(cell).expandtabs() for cell in row] for row in rows]
    widths = [max(map(cell_len, column)) for column in zip(*cells, strict=True)]
    right = [title in numbers for title in rows[0]]
    return "".join(
        "  ".join(map(_aligned, row, widths, right)).rstrip() + "\n" for row in cells
    )


def _fitted(rows: Sequence[Sequence[str]], numbers: Collection[str]) -> str:
    """Return the table as the terminal shows it whole."""
    from .styled_output import add_row, rendered, table  # noqa: PLC0415 - see above

    made = table(*rows[0], numbers=numbers)
    for row in rows[1:]:
        add_row(made, row)
    return rendered(made)


def _aligned(cell: str, width: int, is_right: bool) -> str:  # noqa: FBT001 (of a map)
    space = " " * (width - cell_len(cell))
    return space + cell if is_right else cell + space

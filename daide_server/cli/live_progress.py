"""A game that is being played, as a table that a terminal redraws."""

from typing import Self

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table

from daide_server.board.position import Position
from daide_server.board.variant import Variant

from .progress import NUMBER_COLUMNS, SHOWN_COLUMNS, Progress, Rows
from .styled_output import add_row, print_styled, table, text


class LiveProgress(Progress):
    """Shows a game from its entries: its table, and the result."""

    def __init__(self, variant: Variant, console: Console) -> None:
        super().__init__(variant)
        self._live = Live(console=console, refresh_per_second=8, transient=True)

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def close(self) -> None:
        """Show nothing more of the running game; what is printed now stays."""
        self._live.stop()

    def _show_seats(self) -> None:
        """Show nothing: the table has them."""

    def _show_year(self, year: int) -> None:
        """Show nothing: the table has it."""

    def _show_position(self, position: Position) -> None:
        head = text(f"{position.turn}", style="bold")
        head.append(f"   {self.turns} turns   {self._elapsed():.1f} s", style="dim")
        self._live.update(Group(head, _styled(self._rows())))

    def _print_result(self, headline: str, rows: Rows) -> None:
        print_styled(text(headline, style="bold"))
        print_styled(_styled(rows))


def _styled(rows: Rows) -> Table:
    """Return a table of *rows*, those without a centre dimmed."""
    shown = table(*SHOWN_COLUMNS, numbers=NUMBER_COLUMNS)
    for row in rows:
        is_out = row[SHOWN_COLUMNS.index("Centres")] == "0"
        add_row(shown, row, style="dim" if is_out else "")
    return shown

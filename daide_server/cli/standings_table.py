"""The table of a tournament for a terminal."""

from collections.abc import Sequence

from rich.table import Table

from daide_server.tournament.standings import BotStanding

from .styled_output import add_row, table

COLUMNS = ("", "bot", "games", "score", "95 % interval", "won", "drawn", "survived")
TROUBLE = ("out", "forfeits", "voids", "refused", "late")


def standings_table(rows: Sequence[BotStanding]) -> Table:
    """Return *rows* as a table; scores are of finished blocks."""
    numbers = {*COLUMNS, *TROUBLE} - {"bot", "95 % interval"}
    made = table(*COLUMNS, *TROUBLE, numbers=numbers)
    for rank, row in enumerate(rows, start=1):
        add_row(made, (str(rank), *_cells(row)))
    return made


def _cells(row: BotStanding) -> list[str]:
    results, trouble = row.results, row.troubles
    ends = results.endings if results else None
    shares = (
        (ends.wins, ends.draws, ends.survivals, ends.eliminations)
        if ends
        else (None, None, None, None)
    )
    return [
        row.name,
        str(row.games),
        "-" if row.score is None else f"{row.score:.3f}",
        f"{row.any_time.low:.3f} to {row.any_time.high:.3f}",
        *("-" if share is None else f"{share:.0%}" for share in shares),
        *map(str, (trouble.forfeits, trouble.voids, trouble.refused, trouble.late)),
    ]

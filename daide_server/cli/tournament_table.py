"""The table of a tournament on a terminal, and durations as text."""

from collections.abc import Sequence

from rich.table import Table

from daide_server.tournament.designs import DesignKind
from daide_server.tournament.report.standing_columns import TERMINAL_STYLE, columns_of
from daide_server.tournament.standings import BotStatus, TournamentStatus

from .common.printing import print_line
from .common.styled_output import add_row, print_styled, table


def standings_table(rows: Sequence[BotStatus], kind: DesignKind = "line-ups") -> Table:
    """Return the table of bots: scores with intervals, endings, troubles.

    `~` marks an interval that is rough. In a ladder ratings have intervals, and scores
    none. One against six, the share of won seats has one.
    """
    texts = [TERMINAL_STYLE.texts(row) for row in rows]
    shown: dict[str, list[str]] = {}
    for head, column in columns_of("terminal", kind).items():
        cells = [each[column.figure] for each in texts]
        if not column.if_any or {*cells} - {TERMINAL_STYLE.unknown, "0"}:
            shown[head] = cells
    made = table("", "bot", *shown, numbers=("", *shown))
    for at, row in enumerate(rows):
        title = " ".join((row.name, *row.versions))
        line = (str(at + 1), title, *(each[at] for each in shown.values()))
        add_row(made, line, style="bold" if at == 0 and row.games else "")
    return made


def print_table(status: TournamentStatus) -> None:
    """Print a table, and its progress."""
    print_styled(standings_table(status.bots, status.kind))
    of = "" if status.is_ladder else f" of {status.games}"
    parts = [f"{status.played}{of} games played"]
    parts += [f"{status.running} running"] if status.running else []
    parts += [f"{status.unplayed} not played"] if status.unplayed else []
    parts += [f"stopped: {status.stopped}"] if status.stopped else []
    print_line("; ".join(parts))


def duration(seconds: float) -> str:
    """Return *seconds* with a unit, such as 4.2 s, 3:05 min, 2:10 h."""
    if seconds < 60:  # noqa: PLR2004 - a minute
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes_left = divmod(minutes, 60)
    if not hours:
        return f"{minutes}:{rest:02} min"
    return f"{hours}:{minutes_left:02} h"

"""The table of a tournament on a terminal, and times in words."""

from collections.abc import Callable, Mapping, Sequence

from rich.table import Table

from daide_server.tournament.designs import DesignKind
from daide_server.tournament.ratings import points_text
from daide_server.tournament.standings import BotStatus, TournamentStatus

from .common.printing import print_line
from .common.styled_output import add_row, print_styled, table

UNKNOWN = "-"
"""Shown in place of a value that is not known yet."""

Cell = Callable[[BotStatus], str]
Columns = Mapping[str, Cell]
"""The text of a bot's cell, by the head of its column."""


def _figure(name: str, form: str = "{}") -> Cell:
    """Return a function that formats the figure *name* of a row in *form*."""

    def cell(row: BotStatus) -> str:
        value = getattr(row, name)
        return UNKNOWN if value is None else form.format(value)

    return cell


def _share(ending: str) -> Cell:
    """Return a function that formats the share of a bot's games with this ending."""

    def cell(row: BotStatus) -> str:
        ends = row.endings
        return UNKNOWN if ends is None else f"{getattr(ends, ending):.1%}"

    return cell


def _interval(low: float | None, high: float | None) -> str:
    return UNKNOWN if low is None else f"{low:.3f}-{high:.3f}"


def _fixed(row: BotStatus) -> str:
    rough = "~" if row.fixed_is_rough else ""
    return f"{rough}{_interval(row.low_fixed, row.high_fixed)}"


def _rating(row: BotStatus) -> str:
    return UNKNOWN if row.rating is None else points_text(row.rating)


def _rating_ends(row: BotStatus) -> str:
    if row.anchor:
        return "anchor"
    if row.rating_low is None or row.rating_high is None:
        return UNKNOWN
    return f"{points_text(row.rating_low)} to {points_text(row.rating_high)}"


def _win_rate(row: BotStatus) -> str:
    rate = row.win_rate
    if rate is None:
        return UNKNOWN
    ends = f"{100 * rate.interval.low:.1f}-{100 * rate.interval.high:.1f}"
    return f"{100 * rate.share:.1f}% ({ends})"


SCORE = _figure("score", "{:.3f}")
RATINGS: Columns = {"rating": _rating, "95 %": _rating_ends, "score": SCORE}
SCORES: Columns = {
    "score": SCORE,
    "any time 95 %": lambda row: _interval(row.low, row.high),
    "fixed 95 %": _fixed,
}
ENDINGS: Columns = {
    "win": _share("wins"),
    "draw": _share("draws"),
    "shared": _share("shared"),
    "survived": _share("survived"),
    "out": _share("eliminated"),
    "centres": _figure("centres", "{:.1f}"),
}
COST: Columns = {"cost a game": _figure("cost_per_game", "{:.4g}")}
TROUBLES: Columns = {
    name.replace("_", " "): _figure(name)
    for name in ("forfeits", "voids", "refused", "late", "never_ordered")
}
IF_ANY = {"fixed 95 %", *COST, *TROUBLES}
"""Columns that are there if a bot has something in them."""


def standings_table(rows: Sequence[BotStatus], kind: DesignKind = "line-ups") -> Table:
    """Return the table of bots: scores with intervals, endings, troubles.

    `~` marks an interval that is rough. In a ladder ratings have intervals, and scores
    none. One against six, the share of won seats has one.
    """
    columns: Columns = {
        "games": _figure("games"),
        **(RATINGS if kind == "ladder" else SCORES),
        **({"won seats 95 %": _win_rate} if kind == "one-against-six" else {}),
        **COST,
        **ENDINGS,
        **TROUBLES,
    }
    shown = {
        head: cell
        for head, cell in columns.items()
        if head not in IF_ANY or {*map(cell, rows)} - {UNKNOWN, "0"}
    }
    made = table("", "bot", *shown, numbers=("", *shown))
    for rank, row in enumerate(rows, start=1):
        title = " ".join((row.name, *row.versions))
        cells = (str(rank), title, *(cell(row) for cell in shown.values()))
        add_row(made, cells, style="bold" if rank == 1 and row.games else "")
    return made


def print_table(status: TournamentStatus) -> None:
    """Print a table, and how far the tournament is."""
    print_styled(standings_table(status.bots, status.kind))
    of = "" if status.is_ladder else f" of {status.games}"
    parts = [f"{status.played}{of} games played"]
    parts += [f"{status.running} running"] if status.running else []
    parts += [f"{status.unplayed} not played"] if status.unplayed else []
    parts += [f"stopped: {status.stopped}"] if status.stopped else []
    print_line("; ".join(parts))


def duration(seconds: float) -> str:
    """Return *seconds* as people say it: 4.2 s, 3:05 min, 2:10 h."""
    if seconds < 60:  # noqa: PLR2004 - a minute
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes_left = divmod(minutes, 60)
    if not hours:
        return f"{minutes}:{rest:02} min"
    return f"{hours}:{minutes_left:02} h"

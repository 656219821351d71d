"""The columns of the table of standings: on a terminal, in a report, on the page.

An output shows the columns for which it has a head, in the order of the table here. How
it writes figures is its `Style`. The unrounded figures are in `standings.csv`.
"""

from collections.abc import Callable, Container, Iterable, Mapping
from typing import Literal, get_args

from attrs import evolve, frozen
from markupsafe import Markup

from daide_server.tournament.designs import DesignKind
from daide_server.tournament.ratings import points_text
from daide_server.tournament.standings import BotStatus


@frozen
class Style:
    """How an output writes figures.

    `unknown` stands for a missing figure, `few_blocks` for the interval of a rating
    from too few blocks; `rough` precedes a rough interval.
    """

    unknown: str
    few_blocks: str
    rough: str
    score: Callable[[float], str]
    interval: Callable[[float, float], str]
    share: Callable[[float], str]
    rating: Callable[[float], str]


def percent_text(share: float | None) -> str:
    """Return a share of 1 in percent, or a dash for one that is not known."""
    return "\N{EN DASH}" if share is None else f"{100 * share:.1f} %"


def signed_text(points: float) -> str:
    """Return *points* on Elo's scale, with U+2212 as the minus sign."""
    return points_text(points).replace("-", "\N{MINUS SIGN}")


HTML_STYLE = Style(
    unknown="\N{EN DASH}",
    few_blocks="too few blocks",
    rough="~",
    score=percent_text,
    interval=lambda low, high: f"{100 * low:.1f}\N{EN DASH}{percent_text(high)}",
    share=percent_text,
    rating=signed_text,
)
MARKDOWN_STYLE = evolve(
    HTML_STYLE,
    unknown="",
    rough="",
    score="{:.3f}".format,
    interval="{:.3f} to {:.3f}".format,
)
TERMINAL_STYLE = evolve(
    MARKDOWN_STYLE,
    unknown="-",
    few_blocks="-",
    rough="~",
    interval="{:.3f}-{:.3f}".format,
    share="{:.1%}".format,
    rating=points_text,
)

Cell = Callable[[BotStatus, Style], str]
"""Returns the text of a bot's cell."""

LADDERS = {"ladder"}
DUELS = {"one-against-six"}
NO_LADDERS = {*get_args(DesignKind)} - LADDERS


@frozen
class Column:
    """A column for tournaments with some `kinds` of designs; its heads by output.

    `if_any`: a terminal shows it only if a bot has something in it.
    """

    cell: Cell
    terminal: str = ""
    report: str = ""
    markdown: str = ""
    page: str = ""
    kinds: Container[str] = get_args(DesignKind)
    if_any: bool = False


def _figure(name: str, form: str = "{}") -> Cell:
    """Return a function that formats the figure *name* of a row in *form*."""

    def cell(row: BotStatus, style: Style) -> str:
        value = getattr(row, name)
        return style.unknown if value is None else form.format(value)

    return cell


def _ending(name: str) -> Cell:
    """Return a function that formats the share of a bot's games with this ending."""

    def cell(row: BotStatus, style: Style) -> str:
        ends = row.endings
        return style.unknown if ends is None else style.share(getattr(ends, name))

    return cell


def _score(row: BotStatus, style: Style) -> str:
    return style.unknown if row.score is None else style.score(row.score)


def _any_time(row: BotStatus, style: Style) -> str:
    return style.interval(row.low, row.high)


def _fixed(row: BotStatus, style: Style) -> str:
    if row.low_fixed is None or row.high_fixed is None:
        return style.unknown
    rough = style.rough if row.fixed_is_rough else ""
    return rough + style.interval(row.low_fixed, row.high_fixed)


def _rating(row: BotStatus, style: Style) -> str:
    return style.unknown if row.rating is None else style.rating(row.rating)


def rating_interval(row: BotStatus, style: Style = HTML_STYLE) -> str:
    """Return the interval of a bot's rating in words."""
    if row.rating is None:
        return style.unknown
    if row.anchor:
        return "anchor"
    if row.rating_low is None or row.rating_high is None:
        return style.few_blocks
    return f"{style.rating(row.rating_low)} to {style.rating(row.rating_high)}"


def _won_seats(row: BotStatus, style: Style) -> str:
    rate = row.win_rate
    if rate is None:
        return style.unknown
    ends = f"{100 * rate.interval.low:.1f}-{100 * rate.interval.high:.1f}"
    return f"{style.share(rate.share)} ({ends})"


def _won_seats_html(row: BotStatus, style: Style) -> str:
    rate = row.win_rate
    if rate is None:
        return style.unknown
    ends = style.interval(rate.interval.low, rate.interval.high)
    return Markup("{} <small>{}</small>").format(style.share(rate.share), ends)


SCORE_COLUMNS = (
    Column(_figure("games"), "games", "games", "games", "Games"),
    Column(_rating, "rating", "rating", "rating", kinds=LADDERS),
    Column(rating_interval, "95 %", "95 %", "95 %", kinds=LADDERS),
    Column(_score, "score", "score", "score"),
    Column(_any_time, *("any time 95 %",) * 3, kinds=NO_LADDERS),
    Column(_fixed, *("fixed 95 %",) * 3, kinds=NO_LADDERS, if_any=True),
    Column(_won_seats, "won seats 95 %", kinds=DUELS),
    Column(_figure("cost_per_game", "{:.4g}"), "cost a game", if_any=True),
)
ENDING_COLUMNS = (
    Column(_ending("wins"), "win", "win (solo)"),
    Column(_won_seats_html, report="won seats, 95 %", kinds=DUELS),
    Column(_ending("draws"), "draw", "draw by vote"),
    Column(_ending("shared"), "shared", "shared"),
    Column(_ending("survived"), "survived", "survived"),
    Column(_ending("eliminated"), "out", "eliminated"),
    Column(_figure("centres", "{:.1f}"), "centres", "centres"),
    Column(_figure("place", "{:.1f}"), report="place"),
)
TROUBLE_COLUMNS = (
    Column(_figure("forfeits"), *("forfeits",) * 3, page="Forfeits", if_any=True),
    Column(_figure("voids"), "voids", "void games", page="Void", if_any=True),
    Column(_figure("worker_deaths"), report="worker deaths"),
    Column(
        _figure("refused"), "refused", "refused orders", page="Refused", if_any=True
    ),
    Column(_figure("late"), "late", "late turns", page="Late", if_any=True),
    Column(_figure("never_ordered"), "never ordered", if_any=True),
)
COLUMNS = (*SCORE_COLUMNS, *ENDING_COLUMNS, *TROUBLE_COLUMNS)


def columns_of(
    output: Literal["terminal", "report", "markdown", "page"],
    kind: DesignKind,
    columns: Iterable[Column] = COLUMNS,
) -> Mapping[str, Column]:
    """Return the columns that *output* shows for a *kind* of design, by their heads."""
    found = {getattr(each, output): each for each in columns if kind in each.kinds}
    return {head: column for head, column in found.items() if head}

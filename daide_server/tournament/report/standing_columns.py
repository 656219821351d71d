"""The columns of the table of standings: on a terminal, in a report, on the page.

An output shows the columns for which it has a head, in the order of `COLUMNS`. How it
writes figures is its `Style`. The unrounded figures are in `standings.csv`.
"""

from collections.abc import Callable, Container, Iterable, Mapping
from typing import Literal, TypeVar, get_args

from attrs import asdict, evolve, fields_dict, frozen
from markupsafe import Markup

from daide_server.tournament.designs import DesignKind
from daide_server.tournament.ratings import points_text
from daide_server.tournament.standings import BotStatus, Endings, WinRate

T = TypeVar("T")


@frozen
class Style:
    """How an output writes figures.

    `unknown` stands for a missing figure, `few_blocks` for the interval of a rating
    from too few blocks; `rough` precedes a rough interval. `won_seats` is the
    format of a share and the ends of its interval, in percent.
    """

    unknown: str
    few_blocks: str
    rough: str
    score: Callable[[float], str]
    interval: Callable[[float, float], str]
    share: Callable[[float], str]
    rating: Callable[[float], str]
    won_seats: str

    def texts(self, row: BotStatus) -> Mapping[str, str]:
        """Return the text of each figure of a bot, by its name in `COLUMNS`."""
        known, no_endings = self._known, dict.fromkeys(fields_dict(Endings))
        endings = asdict(row.endings) if row.endings else no_endings
        return {
            "games": str(row.games),
            "rating": known(row.rating, self.rating),
            "rating interval": self.rating_interval(row),
            "score": known(row.score, self.score),
            "any-time interval": self.interval(row.low, row.high),
            "fixed interval": self._fixed_interval(row),
            "won seats": known(row.win_rate, self._won_seats),
            "cost": known(row.cost_per_game, "{:.4g}".format),
            **{name: known(share, self.share) for name, share in endings.items()},
            "centres": known(row.centres, "{:.1f}".format),
            "place": known(row.place, "{:.1f}".format),
            "forfeits": str(row.forfeits),
            "voids": str(row.voids),
            "worker deaths": str(row.worker_deaths),
            "refused": str(row.refused),
            "late": str(row.late),
            "never ordered": str(row.never_ordered),
        }

    def _known(self, value: T | None, text: Callable[[T], str]) -> str:
        return self.unknown if value is None else text(value)

    def _won_seats(self, rate: WinRate) -> str:
        low, high = rate.interval.low, rate.interval.high
        return self.won_seats.format(100 * rate.share, 100 * low, 100 * high)

    def _fixed_interval(self, row: BotStatus) -> str:
        if row.low_fixed is None or row.high_fixed is None:
            return self.unknown
        rough = self.rough if row.fixed_is_rough else ""
        return rough + self.interval(row.low_fixed, row.high_fixed)

    def rating_interval(self, row: BotStatus) -> str:
        """Return the interval of a bot's rating in words."""
        if row.rating is None:
            return self.unknown
        if row.anchor:
            return "anchor"
        if row.rating_low is None or row.rating_high is None:
            return self.few_blocks
        return f"{self.rating(row.rating_low)} to {self.rating(row.rating_high)}"


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
    won_seats=Markup("{:.1f} % <small>{:.1f}\N{EN DASH}{:.1f} %</small>"),
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
    won_seats="{:.1f}% ({:.1f}-{:.1f})",
)

LADDERS = {"ladder"}
DUELS = {"one-against-six"}
NO_LADDERS = {*get_args(DesignKind)} - LADDERS


@frozen
class Column:
    """A column for tournaments with some `kinds` of designs; its heads by output.

    `if_any`: a terminal shows it only if a bot has something in it.
    """

    figure: str
    terminal: str = ""
    report: str = ""
    markdown: str = ""
    page: str = ""
    kinds: Container[str] = get_args(DesignKind)
    if_any: bool = False


SCORE_COLUMNS = (
    Column("games", "games", "games", "games", "Games"),
    Column("rating", "rating", "rating", "rating", kinds=LADDERS),
    Column("rating interval", "95 %", "95 %", "95 %", kinds=LADDERS),
    Column("score", "score", "score", "score"),
    Column("any-time interval", *("any time 95 %",) * 3, kinds=NO_LADDERS),
    Column("fixed interval", *("fixed 95 %",) * 3, kinds=NO_LADDERS, if_any=True),
    Column("won seats", "won seats 95 %", kinds=DUELS),
    Column("cost", "cost a game", if_any=True),
)
ENDING_COLUMNS = (
    Column("wins", "win", "win (solo)"),
    Column("won seats", report="won seats, 95 %", kinds=DUELS),
    Column("draws", "draw", "draw by vote"),
    Column("shared", "shared", "shared"),
    Column("survived", "survived", "survived"),
    Column("eliminated", "out", "eliminated"),
    Column("centres", "centres", "centres"),
    Column("place", report="place"),
)
TROUBLE_COLUMNS = (
    Column("forfeits", *("forfeits",) * 3, page="Forfeits", if_any=True),
    Column("voids", "voids", "void games", page="Void", if_any=True),
    Column("worker deaths", report="worker deaths"),
    Column("refused", "refused", "refused orders", page="Refused", if_any=True),
    Column("late", "late", "late turns", page="Late", if_any=True),
    Column("never ordered", "never ordered", if_any=True),
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

"""The charts of a report: a bar with its interval for each bot, on one axis."""

from collections.abc import Sequence

from daide_server.classes import frozen
from daide_server.reports.curves import (
    Axis,
    Tick,
    colour_numbers,
    percent_text,
    rating_axis,
    score_axis,
)
from daide_server.tournament.ratings import Rating, points_text
from daide_server.tournament.standings import BotStanding

Span = tuple[float, float]


@frozen
class Bar:
    """A bot in a chart; `at` and the intervals are in per cent of the axis.

    `rank` counts from 0, `colour` is that of `colour_numbers`. `text` and `note` are
    the value and its interval in words.
    """

    name: str
    rank: int
    colour: int
    text: str
    note: str
    at: float | None
    interval: Span | None
    fixed: Span | None = None
    is_rough: bool = False


@frozen
class Chart:
    """Bars, the ticks of their axis, and where a bot that is like all others is."""

    bars: Sequence[Bar]
    ticks: Sequence[Tick]
    even: float | None


def score_chart(rows: Sequence[BotStanding], powers: int) -> Chart:
    """Return the scores of *rows* with both intervals; *powers* share each game."""
    axis = score_axis(max(row.any_time.high for row in rows))
    colours = colour_numbers(row.name for row in rows)
    bars = [
        _score_bar(row, rank, colours[row.name], axis) for rank, row in enumerate(rows)
    ]
    return Chart(bars, axis.ticks(_short_percent), axis.at(1 / powers))


def _short_percent(share: float) -> str:
    return f"{100 * share:.3g} %"


def _score_bar(row: BotStanding, rank: int, colour: int, axis: Axis) -> Bar:
    any_time, fixed, score = row.any_time, row.fixed, row.score
    return Bar(
        name=row.name,
        rank=rank,
        colour=colour,
        text=percent_text(score),
        note=f"{100 * any_time.low:.1f}\N{EN DASH}{percent_text(any_time.high)}",
        at=None if score is None else axis.at(score),
        interval=None if score is None else _ends(axis, any_time.low, any_time.high),
        fixed=_ends(axis, fixed.low, fixed.high) if fixed else None,
        is_rough=fixed is not None and fixed.is_rough,
    )


def rating_chart(rows: Sequence[BotStanding]) -> Chart | None:
    """Return the ratings of *rows*, the best first; `None` if there are none."""
    rated = [
        (row.rating, row.name, rank) for rank, row in enumerate(rows) if row.rating
    ]
    if not rated:
        return None
    axis = rating_axis(
        end for each, _, _ in rated for end in (each.low, each.points, each.high)
    )
    colours = colour_numbers(row.name for row in rows)
    bars = [
        Bar(
            name=name,
            rank=rank,
            colour=colours[name],
            text=signed_text(rating.points),
            note=interval_note(rating),
            at=axis.at(rating.points),
            interval=None
            if rating.low is None or rating.high is None
            else _ends(axis, rating.low, rating.high),
        )
        for rating, name, rank in sorted(rated, key=lambda each: -each[0].points)
    ]
    # With anchors, 0 is wherever their ratings say.
    is_free = not any(rating.is_anchor for rating, _, _ in rated)
    return Chart(bars, axis.ticks(signed_text), axis.at(0.0) if is_free else None)


def _ends(axis: Axis, low: float, high: float) -> Span:
    return axis.at(low), axis.at(high)


def signed_text(points: float) -> str:
    """Return *points* of Elo's scale, with the sign of a printed text."""
    return points_text(points).replace("-", "\N{MINUS SIGN}")


def interval_note(rating: Rating) -> str:
    """Return the interval of *rating* in words."""
    if rating.is_anchor:
        return "anchor"
    if rating.low is None or rating.high is None:
        return "too few blocks"
    return f"{signed_text(rating.low)} to {signed_text(rating.high)}"

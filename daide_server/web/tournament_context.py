"""What the template of a tournament is filled with."""

from collections.abc import Mapping
from itertools import islice
from typing import Any, Final

from daide_server.reports.curves import (
    Axis,
    Plot,
    colour_numbers,
    plot,
    rating_axis,
    score_axis,
)
from daide_server.running.tournament_views import TournamentView, Trouble
from daide_server.tournament.ratings import points_text
from daide_server.tournament.standings import TournamentStatus

from .links import Links

CURVES_SHOWN: Final = 8
"""Of the best bots: more colours cannot be told from each other."""
SECONDS_OF_MINUTE: Final = 60
SECONDS_OF_HOUR: Final = 60 * SECONDS_OF_MINUTE


def tournament_context(
    view: TournamentView, links: Links, *, shows_logs: bool
) -> dict[str, Any]:
    """Return what `tournament.html` needs, but for lists of games."""
    status = view.status
    return {
        "view": view,
        "status": status,
        "left": "" if view.seconds_left is None else about(view.seconds_left),
        "axis": _axis(status),
        "even": _even(view),
        "points_text": points_text,
        "powers": powers_by_row(view),
        "colours": _colours(view),
        "course": course_plot(view),
        "best": CURVES_SHOWN if len(status.bots) > CURVES_SHOWN else 0,
        "troubles": [
            {
                "trouble": each,
                "logs": _logs(view, each, links) if shows_logs else [],
                # A game that is void has no page.
                "address": "" if each.kind == "void" else links.to("games", each.game),
            }
            for each in view.troubles
        ],
    }


def _logs(
    view: TournamentView, trouble: Trouble, links: Links
) -> list[tuple[str, str]]:
    """Return the logs of a failed bot and their addresses."""
    return [
        (
            name.rpartition("/")[2].removesuffix(".txt"),
            links.to("tournaments", view.number, "logs", *name.split("/")),
        )
        for name in trouble.logs
    ]


def _axis(status: TournamentStatus) -> Axis:
    """Return an axis on which the intervals of all bots fit."""
    if status.is_ladder:
        return rating_axis(
            each
            for bot in status.bots
            for each in (bot.rating_low, bot.rating, bot.rating_high)
        )
    return score_axis(max((bot.high for bot in status.bots), default=1.0))


def _even(view: TournamentView) -> float | None:
    """Return the score, or the rating, of a bot that is like all others.

    `None` if anchors decide what a rating of 0 means.
    """
    if not view.status.is_ladder:
        return view.even
    return None if any(bot.anchor for bot in view.status.bots) else 0.0


def powers_by_row(view: TournamentView) -> Mapping[str, list[tuple[float, int] | None]]:
    """Return the score in each cell of bot x power, and how dark it is, 0 to 4."""
    scores = [
        cell.score
        for cells in view.powers.values()
        for cell in cells
        if cell is not None
    ]
    top = max(scores, default=0.0) or 1.0
    return {
        power: [
            None if cell is None else (cell.score, round(4 * cell.score / top))
            for cell in cells
        ]
        for power, cells in view.powers.items()
    }


def course_plot(view: TournamentView) -> Plot | None:
    """Return the scores over the games in percent, as lines."""
    courses = zip(view.status.bots, view.course, strict=True)
    lines = {
        bot.name: [(game, 100 * score) for game, score in points]
        for bot, points in islice(courses, CURVES_SHOWN)
    }
    return plot(lines, "{:.1f} %".format, _colours(view))


def _colours(view: TournamentView) -> Mapping[str, int]:
    return colour_numbers(bot.name for bot in view.status.bots)


def about(seconds: float) -> str:
    """Return a time as people estimate it."""
    if seconds < SECONDS_OF_MINUTE:
        return "a minute" if seconds > SECONDS_OF_MINUTE / 2 else "half a minute"
    if seconds < SECONDS_OF_HOUR:
        return f"{round(seconds / SECONDS_OF_MINUTE)} min"
    hours, rest = divmod(round(seconds / SECONDS_OF_MINUTE), SECONDS_OF_MINUTE)
    return f"{hours} h {rest} min" if rest else f"{hours} h"

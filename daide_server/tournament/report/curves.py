"""Sums, means and curves of points over games, by bot or by power.

A bot with several seats in a game counts with its mean there. Games are assumed to be
independent, and their number fixed in advance: see `intervals`. A plot is stretched to
the width of the page, so it has no text; ticks and labels are placed beside it, in per
cent of its width and height.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from math import ceil, floor, log10
from statistics import fmean
from typing import Literal

from attrs import define, field, frozen

from daide_server.board.names import Power
from daide_server.records.formats.phase_json.map_names import names_of
from daide_server.records.record import GameRecord
from daide_server.scoring.game_result import Points
from daide_server.tournament.intervals import Interval, fixed_interval

Grouping = Literal["bot", "power"]

NO_NAME = "(no name)"
"""The name of a bot that a record does not name."""


@frozen
class ScoreSum:
    """The points of a bot or power by a system in all its games.

    `mean` is per game; `interval` is that of the mean, `None` for fewer than ten games.
    """

    name: str
    system: str
    games: int
    seats: int
    total: Fraction
    mean: float
    interval: Interval | None


@define
class ScoreSums:
    """Adds up the points of games, by bot or by power."""

    grouping: Grouping
    points: dict[tuple[str, str], list[tuple[Fraction, int]]] = field(factory=dict)
    """The points of each game, with the seats, by system and name."""

    def add(self, record: GameRecord, scored: Mapping[str, Points]) -> None:
        """Add the points of a game, by the names of scoring systems."""
        groups: dict[str, list[Power]] = {}
        for power, text in names_of(record.variant.map).powers.items():
            name = bot_name(record, power) if self.grouping == "bot" else text
            groups.setdefault(name, []).append(power)
        for system, given in scored.items():
            for name, powers in groups.items():
                total = sum((given[power] for power in powers), Fraction())
                found = self.points.setdefault((system, name), [])
                found.append((total, len(powers)))

    def update(self, later: "ScoreSums") -> None:
        """Add the points of *later* games, which were added up elsewhere."""
        for key, games in later.points.items():
            self.points.setdefault(key, []).extend(games)

    def sums(self) -> Iterator[ScoreSum]:
        """Yield the sums by system, the best mean first."""
        for system in dict.fromkeys(system for system, _ in self.points):
            found = [
                _sum(name, system, games)
                for (of, name), games in self.points.items()
                if of == system
            ]
            yield from sorted(found, key=lambda each: (-each.mean, each.name))


def bot_name(record: GameRecord, power: Power) -> str:
    """Return the name of the client that played *power*."""
    sitting = record.player(power)
    return sitting.name if sitting and sitting.name else NO_NAME


def _sum(name: str, system: str, games: list[tuple[Fraction, int]]) -> ScoreSum:
    means = [float(total / seats) for total, seats in games]
    return ScoreSum(
        name=name,
        system=system,
        games=len(games),
        seats=sum(seats for _, seats in games),
        total=sum((total for total, _ in games), Fraction()),
        mean=fmean(means),
        interval=fixed_interval(means),
    )


SIDE = 1000
"""The width and height of the view box of a plot."""
MOST_POINTS = 240
"""The maximum number of points of one line: more cannot be seen."""
TICKS = 5
"""The approximate number of ticks on an axis."""
LABEL_HEIGHT = 7.5
"""Per cent of a plot's height that a label takes."""

BOT_COLOURS = 16
"""The colours of bots in `web/static/look.css`."""

SCORE_MARGIN = 1.04
"""The length of an axis of scores, as a multiple of the longest interval."""
SHORTEST_SCORES = 0.01
SHORTEST_RATINGS = 100.0
"""The shortest axes: a share of a game's points, and points of Elo's scale."""

CurvePoints = Sequence[tuple[float, float]]


@frozen
class Tick:
    """A value on an axis, `at` per cent of its length from the start."""

    at: float
    text: str


@frozen
class Axis:
    """A line of values from `low` to `high`."""

    low: float
    high: float

    def at(self, value: float) -> float:
        """Return the place of *value*, in per cent of the length, within its ends."""
        share = (value - self.low) / (self.high - self.low)
        return round(100 * min(max(share, 0.0), 1.0), 3)

    def ticks(self, text: Callable[[float], str]) -> list[Tick]:
        """Return the round numbers on it, written by *text*."""
        marks = ticks(self.low, self.high)
        inside = (each for each in marks if self.low <= each <= self.high)
        return [Tick(self.at(each), text(each)) for each in inside]


@frozen
class Curve:
    """A line: `path` is SVG path data; its label is `label_at` per cent from the top.

    `colour` is a number from `colour_numbers`.
    """

    name: str
    colour: int
    path: str
    last: str
    label_at: float


@frozen
class Plot:
    """Lines with the ticks of both axes."""

    curves: Sequence[Curve]
    across: Sequence[Tick]
    up: Sequence[Tick]


def colour_numbers(names: Iterable[str]) -> Mapping[str, int]:
    """Return the number of the colour of each bot: the same in every figure of it.

    Two of at most `BOT_COLOURS` bots never have the same.
    """
    return {name: place % BOT_COLOURS for place, name in enumerate(sorted(names))}


def plot(
    lines: Mapping[str, CurvePoints], text: Callable[[float], str], most: int
) -> Plot | None:
    """Return the first *most* lines of bots as a plot; *text* words the last value.

    `None` if no line has two points. *lines* has all bots, which have the colours.
    """
    colours, shown = colour_numbers(lines), islice(lines.items(), most)
    thin = {name: thinned(points) for name, points in shown if points}
    xs = [x for points in thin.values() for x, _ in points]
    top = max((y for points in thin.values() for _, y in points), default=0.0)
    if not xs or min(xs) == max(xs):
        return None
    first, last = min(xs), max(xs)
    up = ticks(0.0, top or 1.0)
    height = max(up[-1], top)
    ends = spaced([100 - 100 * points[-1][1] / height for points in thin.values()])
    curves = [
        Curve(
            name,
            colours[name],
            line_path((_share(x, first, last), 1 - y / height) for x, y in points),
            text(points[-1][1]),
            end,
        )
        for (name, points), end in zip(thin.items(), ends, strict=True)
    ]
    across = [each for each in ticks(first, last) if first <= each <= last]
    return Plot(
        curves,
        [Tick(100 * _share(each, first, last), f"{each:g}") for each in across],
        [Tick(100 * each / height, f"{each:g}") for each in up],
    )


def thinned(points: CurvePoints) -> CurvePoints:
    """Return at most `MOST_POINTS` of *points*, the first and the last among them."""
    if len(points) <= MOST_POINTS:
        return points
    step = (len(points) - 1) / (MOST_POINTS - 1)
    return [points[round(at * step)] for at in range(MOST_POINTS)]


def ticks(low: float, high: float) -> list[float]:
    """Return about `TICKS` round numbers that cover *low* to *high*."""
    raw = (high - low) / TICKS
    power: float = 10 ** floor(log10(raw))
    step = next(each * power for each in (1, 2, 5, 10) if each * power >= raw)
    return [
        round(at * step, 10) for at in range(floor(low / step), ceil(high / step) + 1)
    ]


def score_axis(highest: float) -> Axis:
    """Return an axis of scores from 0, on which an interval up to *highest* fits."""
    return Axis(0.0, min(1.0, max(highest * SCORE_MARGIN, SHORTEST_SCORES)))


def rating_axis(points: Iterable[float | None]) -> Axis:
    """Return an axis of ratings on which all *points* fit that are known."""
    known = [each for each in points if each is not None] or [0.0]
    low, high = min(known), max(known)
    wider = max(0.0, SHORTEST_RATINGS - (high - low)) / 2
    marks = ticks(low - wider, high + wider)
    # A tick that is rounded may be a little inside.
    return Axis(min(marks[0], low), max(marks[-1], high))


def spaced(wanted: Sequence[float]) -> list[float]:
    """Return places near those *wanted*, so that no two labels overlap."""
    order = sorted(range(len(wanted)), key=wanted.__getitem__)
    found = [0.0] * len(wanted)
    above = -LABEL_HEIGHT
    for at in order:
        above = found[at] = max(wanted[at], above + LABEL_HEIGHT)
    below = 100 + LABEL_HEIGHT
    for at in reversed(order):
        below = found[at] = min(found[at], below - LABEL_HEIGHT)
    return [round(each, 2) for each in found]


def _share(value: float, low: float, high: float) -> float:
    return (value - low) / (high - low)


def line_path(points: Iterable[tuple[float, float]]) -> str:
    """Return a line through *points*, shares of the sides of a square, for SVG."""
    return "M" + "L".join(f"{SIDE * x:.0f} {SIDE * y:.0f}" for x, y in points)

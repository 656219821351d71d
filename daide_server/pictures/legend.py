"""The legend: what turn it is, who owns how much, and what the lines mean."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from daide_server.board.names import Power, UnitType
from daide_server.board.orders import (
    Build,
    Convoy,
    ConvoyedMove,
    Disband,
    Hold,
    Move,
    Remove,
    Retreat,
    SupportHold,
    SupportMove,
)
from daide_server.board.results import Report

from . import colours
from .picture import Point, Polyline
from .scene import Scene, succeeded
from .strokes import (
    CONVOY_DASHES,
    FAILED_DASHES,
    RETREAT_DASHES,
    SUPPORT_DASHES,
    SUPPORT_WIDTH,
    arrow,
    burst,
    cross,
    dot,
    plus_sign,
    ring,
    stroke,
)
from .svg import element, group, text
from .units import symbol

WIDTH: Final = 236.0
LEGEND_MARGIN: Final = 20.0
ROW: Final = 27.0
SAMPLE: Final = 46.0
"""The width of a sample before its words."""
SAMPLE_COLOUR: Final = "#55534f"


def legend(scene: Scene) -> Iterator[str]:
    """Return the legend with its top left corner at the origin."""
    name = scene.variant.name.replace("_", " ").title()
    yield text(
        name,
        (LEGEND_MARGIN, 40),
        font_size=_fitting(name, 24, 13),
        font_weight="bold",
        fill=colours.INK,
    )
    yield text(
        scene.heading, (LEGEND_MARGIN, 64), font_size=15.5, fill=colours.FAINT_INK
    )
    yield from _column_heads()
    powers = scene.variant.map.powers
    for place, power in enumerate(powers):
        yield group(_power(scene, power), transform=_row(122 + place * ROW))
    top = 122 + len(powers) * ROW + 22
    for place, (words, sample) in enumerate(_keys(scene)):
        yield group(
            [*sample(), text(words, (SAMPLE + 10, 5), **_WORDS)],
            transform=_row(top + place * ROW),
        )


def height(scene: Scene) -> float:
    """Return how high the legend is."""
    rows = len(scene.variant.map.powers) + len(list(_keys(scene)))
    return 122 + rows * ROW + 22 + LEGEND_MARGIN


_WORDS: Final[dict[str, str | float]] = {"font_size": 14, "fill": colours.INK}


def _row(top: float) -> str:
    return f"translate({LEGEND_MARGIN:g} {top:g})"


def _column_heads() -> Iterator[str]:
    small: dict[str, str | float] = {
        "font_size": 11.5,
        "fill": colours.FAINT_INK,
        "text_anchor": "end",
    }
    yield text("centres", (WIDTH - LEGEND_MARGIN - 46, 98), **small)
    yield text("units", (WIDTH - LEGEND_MARGIN, 98), **small)
    yield element(
        "path",
        d=f"M{LEGEND_MARGIN} 104H{WIDTH - LEGEND_MARGIN}",
        stroke=colours.BORDER,
        fill="none",
    )


def _power(scene: Scene, power: Power) -> Iterator[str]:
    position = scene.position
    units = len(position.units_of(power)) + len(position.dislodged_of(power))
    gone = position.is_eliminated(power)
    style = _WORDS | ({"fill": colours.FAINT_INK} if gone else {})
    right = WIDTH - 2 * LEGEND_MARGIN
    yield element(
        "rect",
        x=0,
        y=-8,
        width=20,
        height=16,
        rx=3,
        fill=scene.colours[power],
        stroke=colours.INK,
        stroke_width=0.8,
        fill_opacity="0.3" if gone else "1",
    )
    name = scene.title(power)
    yield text(name, (30, 5), **(style | {"font_size": _fitting(name, 14, 14)}))
    for count, end in ((len(position.centres_of(power)), right - 46), (units, right)):
        yield text(str(count), (end, 5), text_anchor="end", **style)


def _fitting(words: str, size: float, room: int) -> float:
    """Return the size of letters, smaller if there are more of them than *room*."""
    return size * min(1.0, room / len(words))


_Sample = Callable[[], Iterable[str]]
_Key = tuple[str, _Sample, Callable[[Scene, Report], bool]]
_LINE: Final[Polyline] = ((0.0, 0.0), (SAMPLE, 0.0))
_MIDDLE: Final[Point] = (SAMPLE / 2, 0.0)


def _keys(scene: Scene) -> Iterator[tuple[str, _Sample]]:
    """Return the words and samples for what is in the picture."""
    kinds = {unit.type for unit in (*scene.position.units, *scene.position.dislodged)}
    for kind, words in ((UnitType.ARMY, "army"), (UnitType.FLEET, "fleet")):
        if kind in kinds:
            yield words, _unit_sample(kind, "#ffffff")
    if scene.position.dislodged:
        yield "must retreat", _unit_sample(UnitType.ARMY, colours.BAD)
    for words, sample, is_shown in _KEYS:
        if any(is_shown(scene, report) for report in scene.reports):
            yield words, sample


def _unit_sample(kind: UnitType, edge: str) -> _Sample:
    def sample() -> Iterator[str]:
        yield group(
            symbol(kind, SAMPLE_COLOUR, edge),
            transform=f"translate({SAMPLE / 2:g} 0) scale(0.85)",
        )

    return sample


def _failed_arrow() -> Iterator[str]:
    yield from arrow(_LINE, SAMPLE_COLOUR, FAILED_DASHES)
    yield from cross((SAMPLE / 2 - 3, 0), 5)


def _support() -> Iterator[str]:
    yield from stroke(_LINE, SAMPLE_COLOUR, SUPPORT_WIDTH, SUPPORT_DASHES)
    yield dot(_LINE[-1], SAMPLE_COLOUR)


def _cut() -> Iterator[str]:
    yield from _support()
    yield from cross((SAMPLE / 2, 0), 4.5)


def _is(*kinds: type, good: bool | None = None) -> Callable[[Scene, Report], bool]:
    def is_shown(_: Scene, report: Report) -> bool:
        fits = good is None or succeeded(report) is good
        return isinstance(report.order, kinds) and fits

    return is_shown


_KEYS: Final[tuple[_Key, ...]] = (
    (
        "moves",
        lambda: arrow(_LINE, SAMPLE_COLOUR),
        _is(Move, ConvoyedMove, good=True),
    ),
    ("fails to move", _failed_arrow, _is(Move, ConvoyedMove, good=False)),
    ("holds", lambda: ring(_MIDDLE, SAMPLE_COLOUR, 9), _is(Hold)),
    ("supports", _support, _is(SupportHold, SupportMove, good=True)),
    ("fails to support", _cut, _is(SupportHold, SupportMove, good=False)),
    (
        "convoys",
        lambda: stroke(_LINE, SAMPLE_COLOUR, SUPPORT_WIDTH, CONVOY_DASHES),
        _is(Convoy),
    ),
    ("is dislodged", lambda: [burst(_MIDDLE, 0.55)], lambda _, told: told.dislodged),
    (
        "retreats",
        lambda: arrow(_LINE, SAMPLE_COLOUR, RETREAT_DASHES),
        _is(Retreat, good=True),
    ),
    (
        "is disbanded",
        lambda: cross(_MIDDLE, 7),
        lambda scene, told: (
            _is(Disband, Remove)(scene, told) or _is(Retreat, good=False)(scene, told)
        ),
    ),
    (
        "is built",
        lambda: plus_sign((SAMPLE / 2 - 13, 11)),
        _is(Build, good=True),
    ),
)

"""The whole picture as SVG, and its legend: turn, powers, a key to the strokes.

The legend is a column of fixed width with its origin at the top left. From the top: the
name of the map, the turn, the table of powers, and the key, which lists what the
picture shows and nothing else.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping

from daide_server.board import orders
from daide_server.board.names import Power, Province, UnitType
from daide_server.board.results import Report

from . import palette, shapes
from .map_layer import map_layer, names
from .order_layer import marks, order_lines
from .picture import Point, Polyline
from .scene import Scene, succeeded

# The key: a sample of each kind of unit and stroke in the picture

SAMPLE = 46.0
"""The width of a sample in the key."""
SAMPLE_COLOUR = "#55534f"
SAMPLE_SCALE = 0.85


Sample = Callable[[], Iterable[str]]
"""Returns the elements of a sample, from the left end of its base line."""
_IsShown = Callable[[Scene, Report], bool]
_Key = tuple[str, Sample, _IsShown]
"""A label, its sample, and whether the picture of a report has it."""
_LINE: Polyline = ((0.0, 0.0), (SAMPLE, 0.0))
_MIDDLE: Point = (SAMPLE / 2, 0.0)
_MIDDLE_OF_SHAFT: Point = (SAMPLE / 2 - 3, 0.0)
"""The middle of an arrow without its head."""


def key_samples(scene: Scene) -> Iterator[tuple[str, Sample]]:
    """Yield the label and the sample of each thing that the picture shows."""
    kinds = {unit.type for unit in (*scene.position.units, *scene.position.dislodged)}
    for kind, words in ((UnitType.ARMY, "army"), (UnitType.FLEET, "fleet")):
        if kind in kinds:
            yield words, _unit_sample(kind, palette.INK)
    if scene.position.dislodged:
        yield "must retreat", _unit_sample(UnitType.ARMY, palette.BAD)
    for words, sample, is_shown in _KEYS:
        if any(is_shown(scene, report) for report in scene.reports):
            yield words, sample


def _unit_sample(kind: UnitType, edge: str) -> Sample:
    def sample() -> Iterator[str]:
        yield shapes.group(
            shapes.symbol(kind, SAMPLE_COLOUR, edge),
            transform=f"translate({SAMPLE / 2:g} 0) scale({SAMPLE_SCALE:g})",
        )

    return sample


def _failed_arrow() -> Iterator[str]:
    yield from shapes.arrow(_LINE, SAMPLE_COLOUR, shapes.FAILED_DASHES)
    yield from shapes.cross(_MIDDLE_OF_SHAFT, 5)


def _support() -> Iterator[str]:
    yield from shapes.stroke(
        _LINE, SAMPLE_COLOUR, shapes.SUPPORT_WIDTH, shapes.SUPPORT_DASHES
    )
    yield shapes.dot(_LINE[-1], SAMPLE_COLOUR)


def _cut() -> Iterator[str]:
    yield from _support()
    yield from shapes.cross(_MIDDLE, 4.5)


def _is(*kinds: type, good: bool | None = None) -> _IsShown:
    """Return a test for orders of these *kinds* that succeeded, failed, or either."""

    def is_shown(_: Scene, report: Report) -> bool:
        fits = good is None or succeeded(report) is good
        return isinstance(report.order, kinds) and fits

    return is_shown


def _is_disbanded(scene: Scene, report: Report) -> bool:
    tests = _is(orders.Disband, orders.Remove), _is(orders.Retreat, good=False)
    return any(is_shown(scene, report) for is_shown in tests)


_KEYS: tuple[_Key, ...] = (
    (
        "moves",
        lambda: shapes.arrow(_LINE, SAMPLE_COLOUR),
        _is(orders.Move, orders.ConvoyedMove, good=True),
    ),
    ("fails to move", _failed_arrow, _is(orders.Move, orders.ConvoyedMove, good=False)),
    ("holds", lambda: shapes.ring(_MIDDLE, SAMPLE_COLOUR, 9), _is(orders.Hold)),
    ("supports", _support, _is(orders.SupportHold, orders.SupportMove, good=True)),
    ("fails to support", _cut, _is(orders.SupportHold, orders.SupportMove, good=False)),
    (
        "convoys",
        lambda: shapes.stroke(
            _LINE, SAMPLE_COLOUR, shapes.SUPPORT_WIDTH, shapes.CONVOY_DASHES
        ),
        _is(orders.Convoy),
    ),
    (
        "is dislodged",
        lambda: [shapes.burst(_MIDDLE, 0.55)],
        lambda _, report: report.dislodged,
    ),
    (
        "retreats",
        lambda: shapes.arrow(_LINE, SAMPLE_COLOUR, shapes.RETREAT_DASHES),
        _is(orders.Retreat, good=True),
    ),
    ("is disbanded", lambda: shapes.cross(_MIDDLE, 7), _is_disbanded),
    (
        "is built",
        lambda: shapes.plus_sign(
            (SAMPLE / 2 - shapes.BUILT_OFFSET[0], -shapes.BUILT_OFFSET[1])
        ),
        _is(orders.Build, good=True),
    ),
)


WIDTH = 236.0
LEGEND_MARGIN = 20.0
RIGHT = WIDTH - LEGEND_MARGIN

# Base lines, from the top of the legend
NAME_LINE = 40.0
HEADING_LINE = 64.0
COLUMN_HEADS_LINE = 98.0
RULE_LINE = 104.0
FIRST_ROW = 122.0
"""The middle of the first row of the table."""
ROW = 27.0
KEY_GAP = 22.0
"""The space between the table and the key."""

# Columns and texts of a row, from the left margin and from its middle
POWER_COLUMN = 30.0
UNITS_COLUMN = RIGHT - LEGEND_MARGIN
COUNT_WIDTH = 46.0
"""The distance from the column of units to the column of centres."""
TEXT_DROP = 5.0
"""The distance from the middle of a row to the base line of its text."""
SWATCH = (20.0, 16.0)
"""The width and height of the box in a power's colour."""

SAMPLE_GAP = 10.0
"""The distance from a sample to its label."""

NAME_SIZE = 24.0
TEXT_SIZE = 14.0
LETTERS_OF_NAME = 13
"""The letters of `NAME_SIZE` that fit into the legend."""
LETTERS_OF_POWER = 14
"""The letters of `TEXT_SIZE` that fit into the column of powers."""


def legend(scene: Scene) -> Iterator[str]:
    """Yield the elements of the legend."""
    yield from _heading(scene)
    yield from _column_heads()
    powers = scene.variant.map.powers
    for place, power in enumerate(powers):
        yield shapes.group(
            _power(scene, power), transform=_row(FIRST_ROW + place * ROW)
        )
    top = FIRST_ROW + len(powers) * ROW + KEY_GAP
    for place, (words, sample) in enumerate(key_samples(scene)):
        label = shapes.text(words, (SAMPLE + SAMPLE_GAP, TEXT_DROP), **_WORDS)
        yield shapes.group([*sample(), label], transform=_row(top + place * ROW))


def height(scene: Scene) -> float:
    """Return the height of the legend."""
    rows = len(scene.variant.map.powers) + len(list(key_samples(scene)))
    return FIRST_ROW + rows * ROW + KEY_GAP + LEGEND_MARGIN


_WORDS: dict[str, str | float] = {"font_size": TEXT_SIZE, "fill": palette.INK}


def _row(top: float) -> str:
    return f"translate({LEGEND_MARGIN:g} {top:g})"


def _heading(scene: Scene) -> Iterator[str]:
    name = scene.variant.name.replace("_", " ").title()
    yield shapes.text(
        name,
        (LEGEND_MARGIN, NAME_LINE),
        font_size=_fitting(name, NAME_SIZE, LETTERS_OF_NAME),
        font_weight="bold",
        fill=palette.INK,
    )
    at = LEGEND_MARGIN, HEADING_LINE
    yield shapes.text(scene.heading, at, font_size=15.5, fill=palette.FAINT_INK)


def _column_heads() -> Iterator[str]:
    small: dict[str, str | float] = {
        "font_size": 11.5,
        "fill": palette.FAINT_INK,
        "text_anchor": "end",
    }
    yield shapes.text("centres", (RIGHT - COUNT_WIDTH, COLUMN_HEADS_LINE), **small)
    yield shapes.text("units", (RIGHT, COLUMN_HEADS_LINE), **small)
    yield shapes.element(
        "path",
        d=f"M{LEGEND_MARGIN} {RULE_LINE:g}H{RIGHT}",
        stroke=palette.BORDER,
        fill="none",
    )


def _power(scene: Scene, power: Power) -> Iterator[str]:
    """Yield the row of *power*, pale if it is eliminated."""
    position = scene.position
    gone = position.is_eliminated(power)
    yield _swatch(scene.colours[power], "0.3" if gone else "1")
    style = _WORDS | ({"fill": palette.FAINT_INK} if gone else {})
    name = scene.title(power)
    size = _fitting(name, TEXT_SIZE, LETTERS_OF_POWER)
    at = POWER_COLUMN, TEXT_DROP
    yield shapes.text(name, at, **(style | {"font_size": size}))
    centres = len(position.centres_of(power))
    units = len(position.units_of(power)) + len(position.dislodged_of(power))
    for count, right in ((centres, UNITS_COLUMN - COUNT_WIDTH), (units, UNITS_COLUMN)):
        yield shapes.text(str(count), (right, TEXT_DROP), text_anchor="end", **style)


def _swatch(colour: str, opacity: str) -> str:
    width, tall = SWATCH
    return shapes.element(
        "rect",
        x=0,
        y=-tall / 2,
        width=width,
        height=tall,
        rx=3,
        fill=colour,
        stroke=palette.INK,
        stroke_width=0.8,
        fill_opacity=opacity,
    )


def _fitting(words: str, size: float, letters: int) -> float:
    """Return the font size: *size*, or less if *words* has more than *letters*."""
    return size * min(1.0, letters / len(words))


FONTS = "'Source Sans 3','Source Sans Pro','Segoe UI',Helvetica,Arial,sans-serif"


def draw(
    scene: Scene, labels: Mapping[Province, str] = {}, *, with_legend: bool = True
) -> str:
    """Return the scene as the text of an SVG file, with *labels* for DAIDE's names.

    The legend is a column `WIDTH` wide, to the right of the map.
    """
    picture = scene.picture
    width = picture.width + (WIDTH if with_legend else 0)
    tall = max(picture.height, height(scene)) if with_legend else picture.height
    return (
        shapes.element(
            "svg",
            shapes.title(f"{scene.variant.name}: {scene.heading}"),
            shapes.element("rect", width=width, height=tall, fill=palette.PAPER),
            _clip(scene),
            shapes.group(_board(scene, labels), clip_path="url(#frame)"),
            _frame(scene),
            shapes.group(legend(scene), transform=f"translate({picture.width:g} 0)")
            if with_legend
            else "",
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {width:g} {tall:g}",
            width=width,
            height=tall,
            font_family=FONTS,
        )
        + "\n"
    )


def _board(scene: Scene, labels: Mapping[Province, str]) -> list[str]:
    return [
        *map_layer(scene),
        shapes.group(order_lines(scene), id="orders"),
        *names(scene, labels),
        shapes.group(shapes.units(scene), id="units"),
        shapes.group(marks(scene), id="marks"),
    ]


def _clip(scene: Scene) -> str:
    inside = shapes.element(
        "rect", width=scene.picture.width, height=scene.picture.height
    )
    return shapes.element("defs", shapes.element("clipPath", inside, id="frame"))


def _frame(scene: Scene) -> str:
    return shapes.element(
        "rect",
        x=1,
        y=1,
        width=scene.picture.width - 2,
        height=scene.picture.height - 2,
        fill="none",
        stroke=palette.COAST,
        stroke_width=2,
    )

"""The key of the legend: a sample of each kind of unit and stroke in the picture."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from daide_server.board.names import UnitType
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
    BUILT_OFFSET,
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
from .svg import group
from .units import symbol

SAMPLE: Final = 46.0
"""The width of a sample in the key."""
SAMPLE_COLOUR: Final = "#55534f"
SAMPLE_SCALE: Final = 0.85


Sample = Callable[[], Iterable[str]]
"""Returns the elements of a sample, from the left end of its base line."""
_IsShown = Callable[[Scene, Report], bool]
_Key = tuple[str, Sample, _IsShown]
"""A label, its sample, and whether the picture of a report has it."""
_LINE: Final[Polyline] = ((0.0, 0.0), (SAMPLE, 0.0))
_MIDDLE: Final[Point] = (SAMPLE / 2, 0.0)
_MIDDLE_OF_SHAFT: Final[Point] = (SAMPLE / 2 - 3, 0.0)
"""The middle of an arrow without its head."""


def key_samples(scene: Scene) -> Iterator[tuple[str, Sample]]:
    """Yield the label and the sample of each thing that the picture shows."""
    kinds = {unit.type for unit in (*scene.position.units, *scene.position.dislodged)}
    for kind, words in ((UnitType.ARMY, "army"), (UnitType.FLEET, "fleet")):
        if kind in kinds:
            yield words, _unit_sample(kind, colours.INK)
    if scene.position.dislodged:
        yield "must retreat", _unit_sample(UnitType.ARMY, colours.BAD)
    for words, sample, is_shown in _KEYS:
        if any(is_shown(scene, report) for report in scene.reports):
            yield words, sample


def _unit_sample(kind: UnitType, edge: str) -> Sample:
    def sample() -> Iterator[str]:
        yield group(
            symbol(kind, SAMPLE_COLOUR, edge),
            transform=f"translate({SAMPLE / 2:g} 0) scale({SAMPLE_SCALE:g})",
        )

    return sample


def _failed_arrow() -> Iterator[str]:
    yield from arrow(_LINE, SAMPLE_COLOUR, FAILED_DASHES)
    yield from cross(_MIDDLE_OF_SHAFT, 5)


def _support() -> Iterator[str]:
    yield from stroke(_LINE, SAMPLE_COLOUR, SUPPORT_WIDTH, SUPPORT_DASHES)
    yield dot(_LINE[-1], SAMPLE_COLOUR)


def _cut() -> Iterator[str]:
    yield from _support()
    yield from cross(_MIDDLE, 4.5)


def _is(*kinds: type, good: bool | None = None) -> _IsShown:
    """Return a test for orders of these *kinds* that succeeded, failed, or either."""

    def is_shown(_: Scene, report: Report) -> bool:
        fits = good is None or succeeded(report) is good
        return isinstance(report.order, kinds) and fits

    return is_shown


def _is_dislodged(_: Scene, report: Report) -> bool:
    return report.dislodged


def _is_disbanded(scene: Scene, report: Report) -> bool:
    tests = _is(Disband, Remove), _is(Retreat, good=False)
    return any(is_shown(scene, report) for is_shown in tests)


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
    (
        "is dislodged",
        lambda: [burst(_MIDDLE, 0.55)],
        _is_dislodged,
    ),
    (
        "retreats",
        lambda: arrow(_LINE, SAMPLE_COLOUR, RETREAT_DASHES),
        _is(Retreat, good=True),
    ),
    (
        "is disbanded",
        lambda: cross(_MIDDLE, 7),
        _is_disbanded,
    ),
    (
        "is built",
        lambda: plus_sign((SAMPLE / 2 - BUILT_OFFSET[0], -BUILT_OFFSET[1])),
        _is(Build, good=True),
    ),
)

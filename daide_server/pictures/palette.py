"""Colours and letters of powers on the page, in a light and a dark scheme.

The palette's first colours are a map maker's; all are different enough to be
distinguished, also by people with colour vision deficiencies (tests measure this as
CIEDE2000 after the simulations of Machado, Oliveira and Fernandes, 2009). Seven hues
are never safe alone: a badge also has an outline and the letter of its power.

A board with other powers than the standard one gets the colours that are most like
those of its file; they are repeated from the 20th power on.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from attrs import frozen

from daide_server.board.map import Variant
from daide_server.board.names import Power

SEA = "#c3d9e6"
SEA_EDGE = "#8fb0c4"
LAND = "#f1e8d2"
VOID_COLOUR = "#cfc9bd"
ISLAND = "#e4ddcc"
BORDER = "#8a7a62"
COAST = "#5c5345"
INK = "#2d2a26"
FAINT_INK = "#7c766b"
PAPER = "#fbf8f1"
BAD = "#c8102e"
GOOD = "#2b8a3e"

USUAL_COLOURS: Mapping[str, str] = {
    "AUS": "#c0392f",
    "ENG": "#33508f",
    "FRA": "#4f9fd6",
    "GER": "#55534f",
    "ITA": "#3d9150",
    "RUS": "#8b6bb1",
    "TUR": "#dba520",
}
_COLOURS = (
    "#c0392f #33508f #3d9150 #dba520 #8b6bb1 #4f9fd6 #55534f #d9772b #2a8f8f "
    "#c2608f #8a5a33 #7f9a2c #5f6fd0 #a3303f #3f6b52 #b39ddb"
)
PALETTE = tuple(_COLOURS.split())


def colours(variant: Variant) -> Mapping[Power, str]:
    """Return the colour of each power: the variant's, the usual, or an unused one."""
    powers = variant.map.powers
    usual = {power: USUAL_COLOURS[power] for power in powers if power in USUAL_COLOURS}
    known = usual | dict(variant.colours)
    free = [colour for colour in PALETTE if colour not in known.values()] or PALETTE
    others = [power for power in powers if power not in known]
    return known | {
        power: free[place % len(free)] for place, power in enumerate(others)
    }


def mixed(colour: str, background: str, share: float) -> str:
    """Return *background* with *share* (0 to 1) of *colour* mixed in."""
    parts = zip(components(colour), components(background), strict=True)
    return "#" + "".join(
        f"{round(over * share + under * (1 - share)):02x}" for over, under in parts
    )


def components(colour: str) -> tuple[int, ...]:
    """Return the red, green and blue of `#rrggbb`."""
    return tuple(int(colour[place : place + 2], 16) for place in (1, 3, 5))


STANDARD_PAIRS: Mapping[str, tuple[str, str]] = {
    "AUS": ("#ad1b0e", "#f2350f"),
    "ENG": ("#0d1b82", "#4646c1"),
    "FRA": ("#0f81f8", "#a1dcfd"),
    "GER": ("#555452", "#babab6"),
    "ITA": ("#39a760", "#3b9c6b"),
    "RUS": ("#a65996", "#a97ec8"),
    "TUR": ("#fbda09", "#ffe401"),
}
"""The colours of the powers of the standard map: light, dark."""
FURTHER_PAIRS = (
    ("#cbe5b1", "#d8ffbe"),
    ("#ff63be", "#d83c8a"),
    ("#561522", "#8a493c"),
    ("#ff5608", "#f2b170"),
    ("#b1a4a4", "#f2f2ff"),
    ("#7008ff", "#cb15ff"),
    ("#e5978a", "#b17049"),
    ("#3cf2f2", "#7da4b1"),
    ("#708a7d", "#636363"),
    ("#0856b1", "#a4b1ff"),
    ("#08703c", "#b1b108"),
    ("#3c2f49", "#707d97"),
)
PAIRS = (*STANDARD_PAIRS.values(), *FURTHER_PAIRS)

PALE_INK = "#ffffff"
DARK_INK = "#000000"
LUMINANCE = (0.2126, 0.7152, 0.0722)
"""The weights of linear red, green and blue (WCAG 2.2, relative luminance)."""
FURTHER_PENALTY = 0.012
"""Penalty of each further colour, as a difference of colours."""
HUE_FIRST = (1.0, 3.0, 3.0)
"""The weights of lightness and of the two axes of colour in a difference."""
TO_CONES = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
TO_OKLAB = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)
TOE = 0.04045
"""The value below which sRGB is linear."""
SAME_CONTRAST = 0.179
"""The luminance on which white and black have the same contrast."""


@frozen
class PowerColours:
    """The colours of a power in both schemes."""

    light: str
    dark: str


def readable_ink(colour: str) -> str:
    """Return the colour of a letter on *colour*, by its luminance (WCAG 2.2)."""
    linear = map(_linear, components(colour))
    parts = zip(LUMINANCE, linear, strict=True)
    luminance = sum(weight * part for weight, part in parts)
    return PALE_INK if luminance < SAME_CONTRAST else DARK_INK


def palette(variant: Variant) -> Mapping[Power, PowerColours]:
    """Return the colours of each power of *variant* on the page."""
    powers = variant.map.powers
    if set(powers) <= STANDARD_PAIRS.keys():
        return {power: PowerColours(*STANDARD_PAIRS[power]) for power in powers}
    wanted = colours(variant)
    return dict(_matched(tuple((power, wanted[power]) for power in powers)))


def letters(variant: Variant) -> Mapping[Power, str]:
    """Return the letters on the badges of each power, no two alike.

    One letter, if no other power begins with it; otherwise the first two that tell the
    power from the others, or all of its token.
    """
    powers = variant.map.powers
    return {power: _letters(power, powers) for power in powers}


def palette_css(variant: Variant, scope: str) -> str:
    """Return the style sheet that gives the powers their colours below *scope*.

    The class `power-FRA` sets the custom properties `--power` and `--power-ink`.
    """
    pairs = palette(variant).items()
    light = "".join(_rule(scope, power, pair.light) for power, pair in pairs)
    dark = "".join(_rule(scope, power, pair.dark) for power, pair in pairs)
    return f"{light}@media (prefers-color-scheme:dark){{\n{dark}}}\n"


def _rule(scope: str, power: Power, colour: str) -> str:
    ink = readable_ink(colour)
    return f"{scope} .power-{power}{{--power:{colour};--power-ink:{ink}}}\n"


def _letters(power: Power, powers: Sequence[Power]) -> str:
    for shown in _spellings(power):
        if sum(shown in _spellings(other) for other in powers) == 1:
            return shown
    return power


def _spellings(power: Power) -> tuple[str, ...]:
    """Return possible letters for *power*: a letter, or the first with another."""
    first, *others = power
    return (first, *(first + other.lower() for other in others))


@lru_cache(maxsize=256)
def _matched(
    wanted: tuple[tuple[Power, str], ...],
) -> tuple[tuple[Power, PowerColours], ...]:
    """Return a pair for each power, like the colour that is *wanted* for it.

    The most alike are matched first, as no other pair would do as well for them.
    """
    places = range(max(len(wanted), len(PAIRS)))
    free = {place: PAIRS[place % len(PAIRS)] for place in places}
    costs = sorted(
        (_difference(colour, pair[0]) + _penalty(place), index, place)
        for index, (_, colour) in enumerate(wanted)
        for place, pair in free.items()
    )
    found: dict[int, tuple[str, str]] = {}
    for _, index, place in costs:
        if index not in found and place in free:
            found[index] = free.pop(place)
    return tuple(
        (power, PowerColours(*found[index])) for index, (power, _) in enumerate(wanted)
    )


def _penalty(place: int) -> float:
    """Return the cost of a pair of colours that is not one of the first pairs."""
    return 0.0 if place < len(STANDARD_PAIRS) else FURTHER_PENALTY


def _difference(one: str, other: str) -> float:
    """Return how different two colours look; hue counts more than lightness."""
    pairs = zip(HUE_FIRST, _oklab(one), _oklab(other), strict=True)
    return sum(weight * (a - b) ** 2 for weight, a, b in pairs)


def _oklab(colour: str) -> tuple[float, ...]:
    """Return lightness, green to red, blue to yellow (Ottosson 2020, Oklab)."""
    linear = tuple(map(_linear, components(colour)))
    cones = tuple(_product(row, linear) ** (1 / 3) for row in TO_CONES)
    return tuple(_product(row, cones) for row in TO_OKLAB)


def _product(row: Sequence[float], column: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(row, column, strict=True))


def _linear(component: int) -> float:
    """Return a component of sRGB, 0 to 255, as linear light (IEC 61966-2-1)."""
    share = component / 255
    return share / 12.92 if share <= TOE else ((share + 0.055) / 1.055) ** 2.4

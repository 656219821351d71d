"""How far two colours are apart, for people who see all of them and who do not.

CIEDE2000 (Sharma, Wu and Dalal, 2005), and the simulations of Machado, Oliveira and
Fernandes (2009) at full severity.
"""

import math
from collections.abc import Mapping, Sequence

Triple = tuple[float, float, float]
Matrix = Sequence[Triple]

NORMAL = "normal"
SIGHTS: Mapping[str, Matrix] = {
    NORMAL: ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
TO_XYZ: Matrix = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
WHITE = tuple(map(sum, TO_XYZ))


def distance(one: str, other: str, sight: str = NORMAL) -> float:
    """Return the difference of two colours such as `#ad1b0e`."""
    return ciede2000(_lab(one, sight), _lab(other, sight))


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, from 1 to 21 (WCAG 2.2)."""
    darker, lighter = sorted(
        _times(TO_XYZ, _linear(colour))[1] for colour in (one, other)
    )
    return (lighter + 0.05) / (darker + 0.05)


def _linear(colour: str) -> Triple:
    shares = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4
        for share in shares
    )
    return red, green, blue


def _times(matrix: Matrix, column: Sequence[float]) -> Triple:
    x, y, z = (sum(a * b for a, b in zip(row, column, strict=True)) for row in matrix)
    return x, y, z


def _lab(colour: str, sight: str) -> Triple:
    seen = [min(1.0, max(0.0, each)) for each in _times(SIGHTS[sight], _linear(colour))]
    x, y, z = (
        _root(value / white)
        for value, white in zip(_times(TO_XYZ, seen), WHITE, strict=True)
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _root(value: float) -> float:
    return math.cbrt(value) if value > 216 / 24389 else (24389 / 27 * value + 16) / 116


def ciede2000(one: Triple, other: Triple) -> float:
    """Return the difference of two colours in CIELAB."""
    light_1, a_1, b_1 = one
    light_2, a_2, b_2 = other
    mean = (math.hypot(a_1, b_1) + math.hypot(a_2, b_2)) / 2
    grey = 1.5 - 0.5 * math.sqrt(mean**7 / (mean**7 + 25**7))
    chroma_1, hue_1 = _polar(a_1 * grey, b_1)
    chroma_2, hue_2 = _polar(a_2 * grey, b_2)
    light, chroma = (light_1 + light_2) / 2, (chroma_1 + chroma_2) / 2
    turn = (hue_2 - hue_1 + 180) % 360 - 180 if chroma_1 * chroma_2 else 0.0
    hue = (hue_1 + turn / 2) % 360 if chroma_1 * chroma_2 else hue_1 + hue_2
    steps = (
        (light_2 - light_1)
        / (1 + 0.015 * (light - 50) ** 2 / math.sqrt(20 + (light - 50) ** 2)),
        (chroma_2 - chroma_1) / (1 + 0.045 * chroma),
        2
        * math.sqrt(chroma_1 * chroma_2)
        * math.sin(math.radians(turn / 2))
        / (1 + 0.015 * chroma * _hue_weight(hue)),
    )
    twist = math.exp(-(((hue - 275) / 25) ** 2))
    rotation = (
        -2
        * math.sqrt(chroma**7 / (chroma**7 + 25**7))
        * math.sin(math.radians(60 * twist))
    )
    return math.sqrt(sum(step**2 for step in steps) + rotation * steps[1] * steps[2])


def _polar(a: float, b: float) -> tuple[float, float]:
    return math.hypot(a, b), math.degrees(math.atan2(b, a)) % 360


def _hue_weight(hue: float) -> float:
    parts = ((-0.17, 1, -30), (0.24, 2, 0), (0.32, 3, 6), (-0.2, 4, -63))
    return 1 + sum(
        share * math.cos(math.radians(times * hue + shift))
        for share, times, shift in parts
    )

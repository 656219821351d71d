"""Colours of the map and of the powers.

A variant may give its powers colours. The powers of the standard map have the colours
that players expect; other powers get unused colours of the palette, in map order.
"""

from collections.abc import Mapping
from typing import Final

from daide_server.board.names import Power
from daide_server.board.variant import Variant

SEA: Final = "#c3d9e6"
SEA_EDGE: Final = "#8fb0c4"
LAND: Final = "#f1e8d2"
VOID_COLOUR: Final = "#cfc9bd"
ISLAND: Final = "#e4ddcc"
BORDER: Final = "#8a7a62"
COAST: Final = "#5c5345"
INK: Final = "#2d2a26"
FAINT_INK: Final = "#7c766b"
PAPER: Final = "#fbf8f1"
BAD: Final = "#c8102e"
GOOD: Final = "#2b8a3e"

USUAL_COLOURS: Final[Mapping[str, str]] = {
    "AUS": "#c0392f",
    "ENG": "#33508f",
    "FRA": "#4f9fd6",
    "GER": "#55534f",
    "ITA": "#3d9150",
    "RUS": "#8b6bb1",
    "TUR": "#dba520",
}
PALETTE: Final = (
    "#c0392f",
    "#33508f",
    "#3d9150",
    "#dba520",
    "#8b6bb1",
    "#4f9fd6",
    "#55534f",
    "#d9772b",
    "#2a8f8f",
    "#c2608f",
    "#8a5a33",
    "#7f9a2c",
    "#5f6fd0",
    "#a3303f",
    "#3f6b52",
    "#b39ddb",
)


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

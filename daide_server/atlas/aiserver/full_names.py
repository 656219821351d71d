"""The `.nam` file: full names, one `TOKEN:Name:Adjective` or `TOKEN:Name` a line.

Powers come first, then a blank line, then provinces.
"""

from collections.abc import Mapping

from daide_server.board.variant import Variant
from daide_server.classes import frozen


@frozen
class Titles:
    """Full names by abbreviation, and the adjectives of powers."""

    powers: Mapping[str, str]
    adjectives: Mapping[str, str]
    provinces: Mapping[str, str]


def read_titles(text: str) -> Titles:
    """Return the names in *text*, the content of a `.nam`; skip lines without one."""
    powers, _, provinces = text.replace("\r\n", "\n").strip().partition("\n\n")
    fields = [line.split(":") for line in powers.splitlines()]
    return Titles(
        powers={each[0].upper(): each[1].strip() for each in fields if each[1:]},
        adjectives={each[0].upper(): each[2].strip() for each in fields if each[2:]},
        provinces={
            abbreviation.strip().upper(): title.strip()
            for abbreviation, colon, title in (
                line.partition(":") for line in provinces.splitlines()
            )
            if colon
        },
    )


def write_titles(variant: Variant) -> str:
    """Return the content of a `.nam` with the names of *variant*."""
    titles, board_map = variant.titles, variant.map
    powers = [
        f"{power}:{titles[power]}:{variant.adjectives.get(power, titles[power])}"
        for power in board_map.powers
    ]
    provinces = [f"{province}:{titles[province]}" for province in board_map.provinces]
    return "\n".join([*powers, "", *provinces, ""])

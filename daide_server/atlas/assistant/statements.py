"""The assistant's statements, one a line: r, c, b for a map; p, h, u for a game.

    r, 61:Spain, 4:Spa          region: number, name, kind, nick
    c, [Boh]:[Gal], [Mun: Tyr]  collection: borders of each base with its members
    b, Kie:Den                  border
    p, John:Russia:Rus          player: name, faction, nick
    h, Rus:[Mos, Sev]           holdings
    u, Rus:Stp/sc, 1            unit: 0 army, 1 fleet

The assistant's document is unclear in places, and its program never ran. This reader
takes square brackets for punctuation around a name or a list, and accepts holdings
without their `h,` as in one example of the document.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from daide_server.atlas.map_faults import AtlasError, MapFault

from .game_statements import GameReader
from .map_statements import StatementReader
from .regions import Description, RegionMap
from .statement_errors import StatementError

UNMARKED_HOLDING: Final = re.compile(r"[^,:\[\]]+:\s*\[[^\[\]]*\]")


def read(text: str, file: str = "", *, sibling_borders: bool = False) -> Description:
    """Return the map and the game that the statements in *text* describe.

    With *sibling_borders*, all members of `[Alb, Apu]` in a collection border each
    other (see `map_statements`). Raises `AtlasError` with every line that is wrong.
    """
    reader = _Reader(sibling_borders=sibling_borders)
    faults = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            reader.read(line.strip())
        except StatementError as error:
            faults.append(MapFault(str(error), file, number))
    if faults:
        raise AtlasError(*faults)
    return Description(reader.map.region_map(), reader.game.players())


class _Reader:
    """Dispatches each statement to the reader of its kind."""

    def __init__(self, *, sibling_borders: bool) -> None:
        self.map = StatementReader(sibling_borders=sibling_borders)
        self.game = GameReader(self.map.number)
        self._statements: Mapping[str, Callable[[str], None]] = {
            "r": self.map.region,
            "c": self.map.collection,
            "b": self.map.border,
            "p": self.game.player,
            "h": self.game.holding,
            "u": self.game.unit,
        }

    def read(self, line: str) -> None:
        """Read one statement or an empty line; raises `StatementError`."""
        kind, comma, rest = line.partition(",")
        statement = self._statements.get(kind.strip())
        if comma and statement:
            statement(rest.strip())
        elif UNMARKED_HOLDING.fullmatch(line):
            self.game.holding(line)
        elif line:
            expected = ", ".join(self._statements)
            message = f"found {kind.strip()!r}, expected one of {expected} and a comma"
            raise StatementError(message)


def write(description: Description) -> str:
    """Return the statements of *description*."""
    regions = description.region_map.regions
    nicks = {region.number: region.nick for region in regions}
    lines = [
        f"r, {region.number}:{region.name}, {region.kind.value}:{region.nick}"
        for region in regions
    ]
    lines += _collections(description.region_map, nicks)
    for player in description.players:
        lines.append(f"p, {player.name}:{player.faction}:{player.nick}")
    for player in description.players:
        if player.holdings:
            held = ", ".join(nicks[number] for number in player.holdings)
            lines.append(f"h, {player.nick}:[{held}]")
    for player in description.players:
        lines += [
            f"u, {player.nick}:{nicks[number]}, {int(fleet)}"
            for number, fleet in player.units
        ]
    return "\n".join(lines) + "\n"


def _collections(region_map: RegionMap, nicks: Mapping[int, str]) -> Iterator[str]:
    """Yield a collection per region: its borders with later regions, one member each.

    With and without *sibling_borders*, such a collection means the same.
    """
    for region in region_map.regions:
        later = sorted(n for n in region_map.near(region.number) if n > region.number)
        if later:
            members = ", ".join(f"[{nicks[number]}]" for number in later)
            yield f"c, [{region.nick}]:{members}"

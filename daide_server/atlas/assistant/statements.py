"""The assistant's statements, one a line: r, c, b for the map, p, h, u for a game.

    r, 61:Spain, 4:Spa          region: number, name, kind, nick
    c, [Boh]:[Gal], [Mun: Tyr]  collection: who borders whom
    b, Kie:Den                  border
    p, John:Russia:Rus          player: name, faction, nick
    h, Rus:[Mos, Sev]           holdings
    u, Rus:Stp/sc, 1            unit: 0 army, 1 fleet

The document is unclear in places, and its program never ran. Square brackets are
taken for punctuation around a name or a list. Holdings may be told without their
mark, as in one of the document's examples.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from daide_server.atlas.map_faults import AtlasError, MapFault

from .errors import StatementError
from .game_statements import GameReader
from .map_statements import StatementReader
from .regions import Description, Sketch

UNMARKED_HOLDING: Final = re.compile(r"[^,:\[\]]+:\s*\[[^\[\]]*\]")


def read(text: str, file: str = "", *, sibling_borders: bool = False) -> Description:
    """Return what the statements of *text* describe.

    With *sibling_borders*, all members of `[Alb, Apu]` in a collection border each
    other, as one sentence of the document says, against its example. Raises
    `AtlasError` with every line that is wrong.
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
    return Description(reader.map.sketch(), reader.game.players())


class _Reader:
    """Gives each statement to the reader that knows its kind."""

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
        """Take in a statement; an empty line is none."""
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
    regions = description.sketch.regions
    nicks = {region.number: region.nick for region in regions}
    lines = [
        f"r, {region.number}:{region.name}, {region.kind.value}:{region.nick}"
        for region in regions
    ]
    lines += _collections(description.sketch, nicks)
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


def _collections(sketch: Sketch, nicks: Mapping[int, str]) -> Iterator[str]:
    """Yield a line per region with its borders to later ones, one member each.

    Completions of one member are read alike under every reading of the document.
    """
    for region in sketch.regions:
        later = sorted(n for n in sketch.near(region.number) if n > region.number)
        if later:
            members = ", ".join(f"[{nicks[number]}]" for number in later)
            yield f"c, [{region.nick}]:{members}"

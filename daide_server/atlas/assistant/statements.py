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
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NoReturn

from attrs import evolve

from daide_server.atlas.checking import AtlasError, MapFault

from .from_regions import (
    REGION_NUMBER,
    Description,
    Player,
    Region,
    RegionKind,
    RegionMap,
)

# Square brackets in statements: they enclose a name or a list


def bare(text: str) -> str:
    """Return a name without the blanks and brackets around it."""
    return text.strip(" \t[]")


def inside(text: str) -> str:
    """Return *text* without the one pair of brackets around all of it, if any."""
    text = text.strip()
    if text.startswith("[") and text.endswith("]") and "]" not in text[1:-1]:
        return text[1:-1]
    return text


def listed(text: str) -> Iterator[str]:
    """Yield the parts of *text* between the commas outside brackets."""
    rest = text
    while rest.strip():
        part, _, rest = split_outside(rest, ",")
        yield part


def split_outside(text: str, mark: str) -> tuple[str, str, str]:
    """Return *text* before the first *mark* outside brackets, *mark*, and the rest.

    Without such a mark return *text* and two empty texts, as `str.partition` does.
    """
    depth = 0
    for place, letter in enumerate(text):
        depth += (letter == "[") - (letter == "]")
        if letter == mark and depth == 0:
            return text[:place], mark, text[place + 1 :]
    return text, "", ""


# Errors of the assistant's statements


class StatementError(Exception):
    """A statement is wrong; the message says what was found and expected."""


def expect(found: str, expected: str) -> NoReturn:
    """Raise the `StatementError` that *found* stands in place of *expected*."""
    message = f"found {found!r}, expected {expected}"
    raise StatementError(message)


# The statements of a game: players, holdings, units


class GameReader:
    """Reads the statements of a game; *number* returns the region with a name.

    Each method takes a statement without its first letter, and raises
    `StatementError`.
    """

    def __init__(self, number: Callable[[str], int]) -> None:
        self._number = number
        self._players: list[Player] = []

    def players(self) -> tuple[Player, ...]:
        """Return the players read so far."""
        return tuple(self._players)

    def player(self, rest: str) -> None:
        """Read `John:Russia:Rus`; raises `StatementError`."""
        name, *factions = (bare(part) for part in rest.split(":"))
        if len(factions) not in {1, 2} or not all((name, *factions)):
            expect(rest, "such as 'John:Russia' or 'John:Russia:Rus'")
        player = Player(name, factions[0], factions[-1])
        for other in self._players:
            if {other.faction, other.nick} & {player.faction, player.nick}:
                message = f"{other.faction} has a player already: {other.name}"
                raise StatementError(message)
        self._players.append(player)

    def holding(self, rest: str) -> None:
        """Read `Rus:[Mos, Sev]`."""
        who, colon, regions = rest.partition(":")
        if not colon:
            expect(rest, "such as 'Rus:[Mos, Sev]'")
        numbers = [self._number(name) for name in listed(inside(regions))]
        at = self._who(who)
        holdings = (*self._players[at].holdings, *numbers)
        self._players[at] = evolve(self._players[at], holdings=holdings)

    def unit(self, rest: str) -> None:
        """Read `Rus:Stp/sc, 1`."""
        who, colon, unit = rest.partition(":")
        place, comma, kind = unit.rpartition(",")
        if not (colon and comma and bare(kind) in {"0", "1"}):
            expect(rest, "such as 'Rus:Stp/sc, 1'")
        at = self._who(who)
        units = (*self._players[at].units, (self._number(place), bare(kind) == "1"))
        self._players[at] = evolve(self._players[at], units=units)

    def _who(self, text: str) -> int:
        """Return the index of the player with that name, faction or nick."""
        name = bare(text)
        for at, player in enumerate(self._players):
            if name in {player.name, player.faction, player.nick}:
                return at
        message = f"no player is called {name!r}"
        raise StatementError(message)


# The statements of a map: regions, borders, collections. A region is named by its nick,
# its name or its number, in this order, then in any case if that is unique.
#
# In a collection, bases at one level border each other and all bases above; each member
# borders the bases on its path, and not its siblings. With this reading the example of
# the assistant's document is true on the real map. One sentence of the document says
# that members without a base of their own border each other too: *sibling_borders*.

MAX_KIND: Final = max(RegionKind)


class StatementReader:
    """Reads the statements of a map; each method raises `StatementError`."""

    def __init__(self, *, sibling_borders: bool) -> None:
        self._sibling_borders = sibling_borders
        self._regions: dict[int, Region] = {}
        self._borders: set[frozenset[int]] = set()

    def region_map(self) -> RegionMap:
        """Return the regions and borders read so far."""
        return RegionMap(tuple(self._regions.values()), frozenset(self._borders))

    def region(self, rest: str) -> None:
        """Read `61:Spain, 4:Spa`; raises `StatementError`."""
        called, comma, kinds = rest.rpartition(",")
        number, colon, name = (bare(part) for part in called.partition(":"))
        kind, _, nick = (bare(part) for part in kinds.partition(":"))
        if not (comma and colon and REGION_NUMBER.fullmatch(number) and name):
            expect(rest, "such as '61:Spain, 4:Spa'")
        if not REGION_NUMBER.fullmatch(kind) or int(kind) > MAX_KIND:
            expect(kind, f"a type of region from 0 to {MAX_KIND}")
        region = Region(int(number), name, RegionKind(int(kind)), nick or name)
        for other in self._regions.values():
            if {other.name, other.nick} & {region.name, region.nick}:
                message = f"{name} or {region.nick} names region {other.number} already"
                raise StatementError(message)
        if region.number in self._regions:
            message = f"there is a region {number} already"
            raise StatementError(message)
        self._regions[region.number] = region

    def border(self, rest: str) -> None:
        """Read `Kie:Den`."""
        first, colon, second = rest.partition(":")
        if not colon:
            expect(rest, "two regions such as 'Kie:Den'")
        self._join(self.number(first), self.number(second))

    def collection(self, rest: str) -> None:
        """Read `[Sil]:[Mun: Boh, Ber], [Gal]`."""
        bases, colon, completions = split_outside(rest, ":")
        if not colon:
            expect(rest, "such as '[Sil]:[Mun], [Pru: Ber, War]'")
        above = self._bases(bases, ())
        for completion in map(inside, listed(completions)):
            if self._sibling_borders and ":" not in completion:
                self._bases(completion, above)
            else:
                self._complete(completion, above)

    def _complete(self, completion: str, above: tuple[int, ...]) -> None:
        """Read `Ber, War`, or `Pru: Ber, War` with bases before each colon."""
        bases, colon, rest = split_outside(completion, ":")
        while colon:
            above = self._bases(bases, above)
            bases, colon, rest = split_outside(rest, ":")
        for member in listed(bases):
            number = self.number(member)
            for base in above:
                self._join(base, number)

    def _bases(self, text: str, above: tuple[int, ...]) -> tuple[int, ...]:
        """Return the bases *above* and those of *text*, which border all of them."""
        bases = above
        for name in listed(inside(text)):
            number = self.number(name)
            for base in bases:
                self._join(base, number)
            bases = (*bases, number)
        return bases

    def _join(self, one: int, other: int) -> None:
        if one == other:
            message = f"{self._regions[one].name} cannot border itself"
            raise StatementError(message)
        self._borders.add(frozenset({one, other}))

    def number(self, text: str) -> int:
        """Return the number of the region with the nick, name or number *text*.

        Raises `StatementError` if there is none.
        """
        name = bare(text)
        regions = self._regions.values()
        tests: Sequence[Callable[[Region], bool]] = (
            lambda region: region.nick == name,
            lambda region: region.name == name,
            lambda region: str(region.number) == name,
            lambda region: name.casefold() in _folded(region),
        )
        for test in tests:
            found = [region.number for region in regions if test(region)]
            if len(found) == 1:
                return found[0]
        message = f"no region is called {name!r}"
        raise StatementError(message)


def _folded(region: Region) -> set[str]:
    return {region.nick.casefold(), region.name.casefold()}


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

"""The Move Assistant's two formats: statements, one a line, and a map as JSON.

    r, 61:Spain, 4:Spa          region: number, name, kind, nick
    c, [Boh]:[Gal], [Mun: Tyr]  collection: borders of each base with its members
    b, Kie:Den                  border
    p, John:Russia:Rus          player: name, faction, nick
    h, Rus:[Mos, Sev]           holdings; one example of the document lacks the `h,`
    u, Rus:Stp/sc, 1            unit: 0 army, 1 fleet

    {"regions": {"0": ["Adriatic Sea", "ADR", 0], ...}, "borders": {"0": [3, 7], ...}}

Square brackets are punctuation around a name or a list. JSON has each border at both
of its ends.
"""

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import NoReturn

import msgspec
from attrs import evolve
from msgspec import Struct

from .assistant import Description, Player, Region, RegionKind
from .checking import AtlasError, MapFault

REGION_NUMBER = re.compile(r"[0-9]{1,6}")
"""The number of a region, or of its kind."""
UNMARKED_HOLDING = re.compile(r"[^,:\[\]]+:\s*\[[^\[\]]*\]")


class _StatementError(Exception):
    """A statement is wrong; the message says what was found and expected."""


def _expect(found: str, expected: str) -> NoReturn:
    raise _StatementError(f"found {found!r}, expected {expected}")


def _bare(text: str) -> str:
    """Return a name without the blanks and brackets around it."""
    return text.strip(" \t[]")


def _inside(text: str) -> str:
    """Return *text* without the one pair of brackets around all of it, if any."""
    text = text.strip()
    if text.startswith("[") and text.endswith("]") and "]" not in text[1:-1]:
        return text[1:-1]
    return text


def _listed(text: str) -> Iterator[str]:
    """Yield the parts of *text* between the commas outside brackets."""
    rest = text
    while rest.strip():
        part, _, rest = _split_outside(rest, ",")
        yield part


def _split_outside(text: str, mark: str) -> tuple[str, str, str]:
    """Do as `str.partition` does, at the first *mark* outside brackets."""
    depth = 0
    for place, letter in enumerate(text):
        depth += (letter == "[") - (letter == "]")
        if letter == mark and depth == 0:
            return text[:place], mark, text[place + 1 :]
    return text, "", ""


def read_statements(
    text: str, file: str = "", *, sibling_borders: bool = False
) -> Description:
    """Return the map and the game that the statements in *text* describe.

    In a collection, bases at one level border each other and all bases above; each
    member borders the bases on its path. With this reading the example of the
    assistant's document is true on the real map. One sentence of the document says that
    members without a base of their own border each other too: *sibling_borders*.
    Raises `AtlasError` with every line that is wrong.
    """
    reader = _Reader(sibling_borders=sibling_borders)
    faults = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            reader.read(line.strip())
        except _StatementError as error:
            faults.append(MapFault(str(error), file, number))
    if faults:
        raise AtlasError(*faults)
    return reader.description()


class _Reader:
    """Reads statements; each method takes one without its first letter."""

    def __init__(self, *, sibling_borders: bool) -> None:
        self._sibling_borders = sibling_borders
        self._regions: dict[int, Region] = {}
        self._borders: set[frozenset[int]] = set()
        self._players: list[Player] = []
        self._statements: Mapping[str, Callable[[str], None]] = {
            "r": self._region,
            "c": self._collection,
            "b": self._border,
            "p": self._player,
            "h": self._holding,
            "u": self._unit,
        }

    def description(self) -> Description:
        """Return the description read so far."""
        regions, borders = self._regions.values(), frozenset(self._borders)
        return Description(tuple(regions), borders, tuple(self._players))

    def read(self, line: str) -> None:
        """Read one statement or an empty line; raises `_StatementError`."""
        kind, comma, rest = line.partition(",")
        statement = self._statements.get(kind.strip())
        if comma and statement:
            statement(rest.strip())
        elif UNMARKED_HOLDING.fullmatch(line):
            self._holding(line)
        elif line:
            _expect(kind.strip(), f"one of {', '.join(self._statements)} and a comma")

    def _region(self, rest: str) -> None:
        called, comma, kinds = rest.rpartition(",")
        number, colon, name = (_bare(part) for part in called.partition(":"))
        kind, _, nick = (_bare(part) for part in kinds.partition(":"))
        if not (comma and colon and REGION_NUMBER.fullmatch(number) and name):
            _expect(rest, "such as '61:Spain, 4:Spa'")
        if not REGION_NUMBER.fullmatch(kind) or int(kind) > max(RegionKind):
            _expect(kind, f"a type of region from 0 to {max(RegionKind)}")
        region = Region(int(number), name, RegionKind(int(kind)), nick or name)
        for other in self._regions.values():
            if {other.name, other.nick} & {region.name, region.nick}:
                message = f"{name} or {region.nick} names region {other.number} already"
                raise _StatementError(message)
        if region.number in self._regions:
            raise _StatementError(f"there is a region {number} already")
        self._regions[region.number] = region

    def _border(self, rest: str) -> None:
        first, colon, second = rest.partition(":")
        if not colon:
            _expect(rest, "two regions such as 'Kie:Den'")
        self._join(self._number(first), self._number(second))

    def _collection(self, rest: str) -> None:
        bases, colon, completions = _split_outside(rest, ":")
        if not colon:
            _expect(rest, "such as '[Sil]:[Mun], [Pru: Ber, War]'")
        above = self._bases(bases, ())
        for completion in map(_inside, _listed(completions)):
            if self._sibling_borders and ":" not in completion:
                self._bases(completion, above)
            else:
                self._complete(completion, above)

    def _complete(self, completion: str, above: tuple[int, ...]) -> None:
        """Read `Ber, War`, or `Pru: Ber, War` with bases before each colon."""
        bases, colon, rest = _split_outside(completion, ":")
        while colon:
            above = self._bases(bases, above)
            bases, colon, rest = _split_outside(rest, ":")
        for number in map(self._number, _listed(bases)):
            for base in above:
                self._join(base, number)

    def _bases(self, text: str, above: tuple[int, ...]) -> tuple[int, ...]:
        """Return the bases *above* and those of *text*, which border all of them."""
        bases = above
        for number in map(self._number, _listed(_inside(text))):
            for base in bases:
                self._join(base, number)
            bases = (*bases, number)
        return bases

    def _join(self, one: int, other: int) -> None:
        if one == other:
            raise _StatementError(f"{self._regions[one].name} cannot border itself")
        self._borders.add(frozenset({one, other}))

    def _number(self, text: str) -> int:
        """Return the number of the region with the nick, name or number *text*.

        The case counts only if without it several regions have the name.
        """
        name = _bare(text)
        regions = self._regions.values()
        tests: Sequence[Callable[[Region], bool]] = (
            lambda region: region.nick == name,
            lambda region: region.name == name,
            lambda region: str(region.number) == name,
            lambda region: (
                name.casefold() in {region.nick.casefold(), region.name.casefold()}
            ),
        )
        for test in tests:
            found = [region.number for region in regions if test(region)]
            if len(found) == 1:
                return found[0]
        raise _StatementError(f"no region is called {name!r}")

    def _player(self, rest: str) -> None:
        name, *factions = (_bare(part) for part in rest.split(":"))
        if len(factions) not in {1, 2} or not all((name, *factions)):
            _expect(rest, "such as 'John:Russia' or 'John:Russia:Rus'")
        player = Player(name, factions[0], factions[-1])
        for other in self._players:
            if {other.faction, other.nick} & {player.faction, player.nick}:
                message = f"{other.faction} has a player already: {other.name}"
                raise _StatementError(message)
        self._players.append(player)

    def _holding(self, rest: str) -> None:
        who, colon, regions = rest.partition(":")
        if not colon:
            _expect(rest, "such as 'Rus:[Mos, Sev]'")
        numbers = [self._number(name) for name in _listed(_inside(regions))]
        at = self._who(who)
        holdings = (*self._players[at].holdings, *numbers)
        self._players[at] = evolve(self._players[at], holdings=holdings)

    def _unit(self, rest: str) -> None:
        who, colon, unit = rest.partition(":")
        place, comma, kind = unit.rpartition(",")
        if not (colon and comma and _bare(kind) in {"0", "1"}):
            _expect(rest, "such as 'Rus:Stp/sc, 1'")
        at = self._who(who)
        units = (*self._players[at].units, (self._number(place), _bare(kind) == "1"))
        self._players[at] = evolve(self._players[at], units=units)

    def _who(self, text: str) -> int:
        """Return the index of the player with that name, faction or nick."""
        name = _bare(text)
        for at, player in enumerate(self._players):
            if name in {player.name, player.faction, player.nick}:
                return at
        raise _StatementError(f"no player is called {name!r}")


def write_statements(description: Description) -> str:
    """Return the statements of *description*.

    Each region has a collection of its borders with later regions, one member each:
    with and without *sibling_borders*, such a collection means the same.
    """
    lines = [
        f"r, {region.number}:{region.name}, {region.kind.value}:{region.nick}"
        for region in description.regions
    ]
    nicks = {region.number: region.nick for region in description.regions}
    for number, nick in nicks.items():
        later = sorted(n for n in description.near(number) if n > number)
        if later:
            lines.append(f"c, [{nick}]:{', '.join(f'[{nicks[n]}]' for n in later)}")
    players = description.players
    lines += [f"p, {each.name}:{each.faction}:{each.nick}" for each in players]
    for player in players:
        if player.holdings:
            held = ", ".join(nicks[number] for number in player.holdings)
            lines.append(f"h, {player.nick}:[{held}]")
    lines += [
        f"u, {player.nick}:{nicks[number]}, {int(fleet)}"
        for player in players
        for number, fleet in player.units
    ]
    return "\n".join(lines) + "\n"


class _Stored(Struct):
    """The content of a JSON file; the numbers of regions may be texts."""

    regions: dict[str, tuple[str, str, int]]
    borders: dict[str, list[int | str]]


def read_json(text: str, file: str = "") -> tuple[Description, tuple[MapFault, ...]]:
    """Return the map in *text*, and the one-way borders that were completed.

    Raises `AtlasError` with all faults.
    """
    try:
        stored = msgspec.json.decode(text, type=_Stored)
    except msgspec.DecodeError as error:
        raise AtlasError(MapFault(str(error), file)) from error
    near = {at: [*map(str, ends)] for at, ends in stored.borders.items()}
    problems = [*_wrong_regions(stored), *_wrong_borders(stored.regions, near)]
    if problems:
        raise AtlasError(*(MapFault(problem, file) for problem in problems))
    regions = (
        Region(int(number), name, RegionKind(kind), nick or name)
        for number, (name, nick, kind) in stored.regions.items()
    )
    borders = [(at, end) for at in near for end in sorted({*near[at]})]
    repairs = (
        MapFault(f"one-way border: region {at} borders {end}, but not back", file)
        for at, end in borders
        if at not in near.get(end, ())
    )
    pairs = frozenset(frozenset(map(int, border)) for border in borders)
    return Description(tuple(regions), pairs), tuple(repairs)


def _wrong_regions(stored: _Stored) -> Iterator[str]:
    named: dict[str, str] = {}
    for number, (name, nick, kind) in stored.regions.items():
        if not REGION_NUMBER.fullmatch(number):
            yield f"region {number!r}: expected a whole number"
        if kind not in set(RegionKind):
            yield f"region {number}: found type {kind}, expected 0 to {max(RegionKind)}"
        for word in {name, nick or name}:
            if named.setdefault(word, number) != number:
                yield f"region {number}: {word} names region {named[word]} already"


def _wrong_borders(
    regions: Container[str], near: Mapping[str, Iterable[str]]
) -> Iterator[str]:
    for at, ends in near.items():
        if at not in regions:
            yield f"borders of region {at}, which there is not"
        for end in sorted({*ends}):
            if end == at:
                yield f"region {at} borders itself"
            elif end not in regions:
                yield f"region {at} borders {end}, which there is not"


def write_json(description: Description) -> str:
    """Return the map of *description* as JSON."""
    stored = {
        "regions": {
            str(region.number): [region.name, region.nick, region.kind.value]
            for region in description.regions
        },
        "borders": {
            str(region.number): sorted(description.near(region.number))
            for region in description.regions
        },
    }
    return msgspec.json.format(msgspec.json.encode(stored)).decode() + "\n"

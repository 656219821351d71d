"""The assistant's statements, one a line: r, c, b for the map, p, h, u for a game.

    r, 61:Spain, 4:Spa          region: number, name, kind, nick
    c, [Boh]:[Gal], [Mun: Tyr]  collection: who borders whom
    b, Kie:Den                  border
    p, John:Russia:Rus          player: name, faction, nick
    h, Rus:[Mos, Sev]           holdings
    u, Rus:Stp/sc, 1            unit: 0 army, 1 fleet

The document is unclear in places, and its program never ran. Square brackets are
taken for punctuation around a name or a list; a name is a nick, else a name, else a
number, in any case if only one fits. In a collection, bases at one level border each
other and all above; every member borders each base on its path, and not its
siblings: with that the document's own example is true on the real map.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from attrs import define, field

from daide_server.atlas.faults import AtlasError, Fault

from .regions import Description, Kind, Player, Region, Sketch

LARGEST_KIND: Final = max(Kind)


def read(text: str, file: str = "") -> Description:
    """Return what the statements of *text* describe.

    Raises `AtlasError` with every line that is wrong.
    """
    reader = _Reader(file)
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            reader.read(line, number)
    if reader.faults:
        raise AtlasError(*reader.faults)
    return reader.description()


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


class _LineError(Exception):
    """A statement is wrong; the message says how."""


@define
class _Player:
    """A player, whose statements are still being read."""

    name: str
    faction: str
    nick: str
    holdings: list[int] = field(factory=list)
    units: list[tuple[int, bool]] = field(factory=list)


class _Reader:
    """Takes statements in, one by one, and keeps what is wrong."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.faults: list[Fault] = []
        self._regions: dict[int, Region] = {}
        self._borders: set[frozenset[int]] = set()
        self._players: list[_Player] = []
        self._statements: Mapping[str, Callable[[str], None]] = {
            "r": self._region,
            "c": self._collection,
            "b": self._border,
            "p": self._player,
            "h": self._holding,
            "u": self._unit,
        }

    def read(self, line: str, number: int) -> None:
        """Take in a statement."""
        try:
            self._take_in(line)
        except _LineError as error:
            self.faults.append(Fault(str(error), self.file, number))

    def _take_in(self, line: str) -> None:
        kind, comma, rest = line.partition(",")
        statement = self._statements.get(kind.strip())
        if not comma or statement is None:
            expected = ", ".join(self._statements)
            message = f"found {kind.strip()!r}, expected one of {expected} and a comma"
            raise _LineError(message)
        statement(rest.strip())

    def description(self) -> Description:
        """Return what was read."""
        players = (
            Player(
                each.name,
                each.faction,
                each.nick,
                tuple(each.holdings),
                tuple(each.units),
            )
            for each in self._players
        )
        sketch = Sketch(tuple(self._regions.values()), frozenset(self._borders))
        return Description(sketch, tuple(players))

    # The map

    def _region(self, rest: str) -> None:
        called, comma, kinds = rest.rpartition(",")
        number, colon, name = (_bare(part) for part in called.partition(":"))
        kind, _, nick = (_bare(part) for part in kinds.partition(":"))
        if not (comma and colon and number.isdecimal() and name):
            _expect(rest, "such as '61:Spain, 4:Spa'")
        if not kind.isdecimal() or int(kind) > LARGEST_KIND:
            _expect(kind, f"a type of region from 0 to {LARGEST_KIND}")
        region = Region(int(number), name, Kind(int(kind)), nick or name)
        for other in self._regions.values():
            if {other.name, other.nick} & {region.name, region.nick}:
                message = f"{name} or {region.nick} names region {other.number} already"
                raise _LineError(message)
        if region.number in self._regions:
            message = f"there is a region {number} already"
            raise _LineError(message)
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
        for completion in _listed(completions):
            self._complete(_inside(completion), above)

    def _complete(self, completion: str, above: tuple[int, ...]) -> None:
        """Take in `Ber, War`, or `Pru: Ber, War` with bases before each colon."""
        bases, colon, rest = _split_outside(completion, ":")
        if colon:
            self._complete(rest, self._bases(bases, above))
            return
        for member in _listed(completion):
            number = self._number(member)
            for base in above:
                self._join(base, number)

    def _bases(self, text: str, above: tuple[int, ...]) -> tuple[int, ...]:
        """Return the bases *above* and those of *text*, which border all of them."""
        bases = above
        for name in _listed(_inside(text)):
            number = self._number(name)
            for base in bases:
                self._join(base, number)
            bases = (*bases, number)
        return bases

    def _join(self, one: int, other: int) -> None:
        if one == other:
            message = f"{self._regions[one].name} cannot border itself"
            raise _LineError(message)
        self._borders.add(frozenset({one, other}))

    def _number(self, text: str) -> int:
        """Return the region that *text* names: a nick, a name or a number."""
        name = _bare(text)
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
        raise _LineError(message)

    # The game

    def _player(self, rest: str) -> None:
        name, *factions = (_bare(part) for part in rest.split(":"))
        if len(factions) not in {1, 2} or not all((name, *factions)):
            _expect(rest, "such as 'John:Russia' or 'John:Russia:Rus'")
        player = _Player(name, factions[0], factions[-1])
        for other in self._players:
            if {other.faction, other.nick} & {player.faction, player.nick}:
                message = f"{other.faction} has a player already: {other.name}"
                raise _LineError(message)
        self._players.append(player)

    def _holding(self, rest: str) -> None:
        who, colon, regions = rest.partition(":")
        if not colon:
            _expect(rest, "such as 'Rus:[Mos, Sev]'")
        numbers = [self._number(name) for name in _listed(_inside(regions))]
        self._who(who).holdings += numbers

    def _unit(self, rest: str) -> None:
        who, colon, unit = rest.partition(":")
        place, comma, kind = unit.rpartition(",")
        if not (colon and comma and _bare(kind) in {"0", "1"}):
            _expect(rest, "such as 'Rus:Stp/sc, 1'")
        self._who(who).units.append((self._number(place), _bare(kind) == "1"))

    def _who(self, text: str) -> _Player:
        name = _bare(text)
        for player in self._players:
            if name in {player.name, player.faction, player.nick}:
                return player
        message = f"no player is called {name!r}"
        raise _LineError(message)


def _folded(region: Region) -> set[str]:
    return {region.nick.casefold(), region.name.casefold()}


def _expect(found: str, expected: str) -> None:
    message = f"found {found!r}, expected {expected}"
    raise _LineError(message)


def _bare(text: str) -> str:
    return text.strip(" \t[]")


def _inside(text: str) -> str:
    """Return *text* without the brackets that enclose all of it."""
    text = text.strip()
    if text.startswith("[") and text.endswith("]") and "]" not in text[1:-1]:
        return text[1:-1]
    return text


def _listed(text: str) -> Iterator[str]:
    """Yield what commas outside brackets separate."""
    rest = text
    while rest.strip():
        part, _, rest = _split_outside(rest, ",")
        yield part


def _split_outside(text: str, mark: str) -> tuple[str, str, str]:
    """Return *text* before and after the first *mark* that no brackets enclose."""
    depth = 0
    for place, letter in enumerate(text):
        depth += (letter == "[") - (letter == "]")
        if letter == mark and depth == 0:
            return text[:place], mark, text[place + 1 :]
    return text, "", ""

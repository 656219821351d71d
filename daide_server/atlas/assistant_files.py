"""The Move Assistant's two formats: statements, one a line, and a map as JSON.

    r, 61:Spain, 4:Spa          region: number, name, type, nick
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
from collections.abc import Callable, Mapping
from functools import reduce
from itertools import combinations

import msgspec
from attrs import define, field

from daide_server.board.notation import NotationError

from .assistant import COAST, INLAND, SEA, Description, Player, Region
from .checking import AtlasError, MapFault


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
    reader = _Reader(sibling_borders)
    faults: list[MapFault] = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            reader.read(line.strip())
        except NotationError as error:
            faults.append(MapFault(str(error), file, number))
    if faults:
        raise AtlasError(*faults)
    return reader.description


def _bare(text: str) -> str:
    """Return a name without the blanks and brackets around it."""
    return text.strip(" \t[]")


@define
class _Reader:
    """Reads statements; their methods take what the groups in `STATEMENTS` match."""

    sibling_borders: bool
    description: Description = field(factory=Description)

    def read(self, line: str) -> None:
        """Read one statement or an empty line; raises `NotationError`."""
        letter, _, rest = (part.strip() for part in line.partition(","))
        if UNMARKED_HOLDING.fullmatch(line):
            letter, rest = "h", line
        if letter in STATEMENTS:
            pattern, example, take = STATEMENTS[letter]
            found = re.fullmatch(pattern, rest)
            if not found:
                expected = f"a statement such as '{letter}, {example}'"
                raise NotationError.of(line, expected)
            take(self, *found.groups())
        elif line:
            expected = f"one of {', '.join(STATEMENTS)} and a comma"
            raise NotationError.of(letter, expected)

    def region(self, *words: str) -> None:
        self.description.add(*map(_bare, words))

    def border(self, one: str, other: str) -> None:
        self.description.join(self._called(one), self._called(other))

    def collection(self, bases: str, completions: str) -> None:
        common = self._together([], bases)
        for completion in COMPLETION.findall(completions):
            *further, members = completion.split(":")
            path = reduce(self._together, further, common)
            as_one = self.sibling_borders and not further
            for group in [members] if as_one else members.split(","):
                self._together(path, group)

    def _together(self, above: list[Region], names: str) -> list[Region]:
        """Return the regions *above* and those in *names*: all border each other."""
        regions = above + self._all_called(names)
        for one, other in combinations(regions, 2):
            self.description.join(one, other)
        return regions

    def _all_called(self, names: str) -> list[Region]:
        return [self._called(name) for name in names.split(",") if _bare(name)]

    def _called(self, text: str) -> Region:
        """Return the region with the nick, name or number *text*.

        The case counts only if without it several regions have the name.
        """
        name, regions = _bare(text), self.description.regions
        small = name.casefold()
        found = [at for at in regions if name in {at.nick, at.name}] or [
            at
            for at in regions
            if small in {at.nick.casefold(), at.name.casefold(), str(at.number)}
        ]
        if len(found) != 1:
            raise NotationError(f"no region is called {name!r}")
        return found[0]

    def player(self, *words: str) -> None:
        name, faction, nick = map(_bare, words)
        player = Player(name, faction, nick or faction)
        for other in self.description.players:
            if {other.faction, other.nick} & {player.faction, player.nick}:
                raise NotationError(f"{other.faction} is played by {other.name}")
        self.description.players.append(player)

    def holding(self, who: str, regions: str) -> None:
        self._player_called(who).holdings.extend(self._all_called(regions))

    def unit(self, who: str, place: str, unit_type: str) -> None:
        region, fleet = self._called(place), unit_type == "1"
        if region.kind in ({INLAND} if fleet else {SEA, COAST}):
            unit = "a fleet" if fleet else "an army"
            raise NotationError(f"{unit} cannot stand in {region.name}")
        self._player_called(who).units.append((region, fleet))

    def _player_called(self, text: str) -> Player:
        name = _bare(text)
        for player in self.description.players:
            if name in {player.name, player.faction, player.nick}:
                return player
        raise NotationError(f"no player is called {name!r}")


BRACKETED = r"\[[^\[\]]*\]"
COLLECTION = rf"([^:]*):((?:{BRACKETED}|[^\[\]])*)"
COMPLETION = re.compile(rf"(?:{BRACKETED}|[^,\[\]])+")
UNMARKED_HOLDING = re.compile(rf"[^,:\[\]]+:\s*{BRACKETED}")
STATEMENTS: Mapping[str, tuple[str, str, Callable[..., None]]] = {
    "r": (r"([^:]*):(.*),([^,:]*):?([^,]*)", "61:Spain, 4:Spa", _Reader.region),
    "c": (COLLECTION, "[Sil]:[Mun], [Pru: Ber, War]", _Reader.collection),
    "b": (r"([^:]*):(.*)", "Kie:Den", _Reader.border),
    "p": (r"([^:]+):([^:]+)(?::|$)([^:]*)", "John:Russia:Rus", _Reader.player),
    "h": (r"([^:]*):(.*)", "Rus:[Mos, Sev]", _Reader.holding),
    "u": (r"([^:]*):(.*),[\s\[]*([01])[\s\]]*", "Rus:Stp/sc, 1", _Reader.unit),
}
"""By letter: a pattern for what follows its comma, an example, and who reads it."""


def write_statements(description: Description) -> str:
    """Return the statements of *description*.

    Each region has a collection of its borders with later regions, one member each:
    with and without *sibling_borders*, such a collection means the same.
    """
    players = description.players
    lines = [f"r, {region}" for region in description.regions]
    for region, near in description.regions.items():
        later = [f"[{each.nick}]" for each in sorted(near) if each > region]
        if later:
            lines.append(f"c, [{region.nick}]:{', '.join(later)}")
    lines += [f"p, {each.name}:{each.faction}:{each.nick}" for each in players]
    for player in players:
        if player.holdings:
            held = ", ".join(region.nick for region in player.holdings)
            lines.append(f"h, {player.nick}:[{held}]")
    lines += [
        f"u, {player.nick}:{region.nick}, {int(fleet)}"
        for player in players
        for region, fleet in player.units
    ]
    return "\n".join(lines) + "\n"


class _Stored(msgspec.Struct):
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
    borders = {(at, str(end)) for at, ends in stored.borders.items() for end in ends}
    description, problems = Description(), []
    for number, (name, nick, type_) in stored.regions.items():
        try:
            description.add(number, name, str(type_), nick)
        except NotationError as error:
            problems.append(str(error))
    problems += [
        f"found a border of {at} with {end}, expected numbers of two regions"
        for at, end in sorted(borders)
        if at == end or not {at, end} <= stored.regions.keys()
    ]
    if problems:
        raise AtlasError(*(MapFault(problem, file) for problem in problems))
    regions = dict(zip(stored.regions, description.regions, strict=True))
    for at, end in borders:
        description.join(regions[at], regions[end])
    one_way = sorted(borders - {(end, at) for at, end in borders})
    return description, tuple(
        MapFault(f"one-way border: region {at} borders {end}, but not back", file)
        for at, end in one_way
    )


def write_json(description: Description) -> str:
    """Return the map of *description* as JSON."""
    regions = description.regions
    stored = {
        "regions": {str(at.number): [at.name, at.nick, at.type] for at in regions},
        "borders": {
            str(at.number): sorted(each.number for each in near)
            for at, near in regions.items()
        },
    }
    return msgspec.json.format(msgspec.json.encode(stored)).decode() + "\n"

"""The Move Assistant's description of a map and a game, as statements and as JSON.

A statement is a line:

    r, 61:Spain, 4:Spa          region: number, name, type, nick
    c, [Boh]:[Gal], [Mun: Tyr]  collection: borders of each base with its members
    b, Kie:Den                  border
    p, John:Russia:Rus          player: name, faction, nick
    h, Rus:[Mos, Sev]           holdings; one example of the document lacks the `h,`
    u, Rus:Stp/sc, 1            unit: 0 army, 1 fleet

JSON has the map only, with each border at both of its ends:

    {"regions": {"0": ["Adriatic Sea", "ADR", 0], ...}, "borders": {"0": [3, 7], ...}}

Square brackets are punctuation around a name or a list. How regions stand for places,
homes and the turn is in docs/maps.md. The document decides: its program never ran.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import reduce
from itertools import combinations, count, product
from string import ascii_uppercase, digits

import msgspec
from attrs import define, field, frozen

from daide_server.board.map import Map, MapNode, Terrain, Variant, VariantError
from daide_server.board.map_reading import NAME, TomlData, from_mapping
from daide_server.board.names import Coast, Location, Province, UnitType
from daide_server.board.notation import NotationError

from .checking import AtlasError, MapFault

SEA, INLAND, COASTAL, COAST = range(4)
"""The kinds of regions, with the numbers of the assistant's document."""
SUPPLY = 3
"""The type of a region with a supply centre is its kind plus this."""
KINDS = {Terrain.SEA: SEA, Terrain.INLAND: INLAND, Terrain.COASTAL: COASTAL}
SUFFIXES: Mapping[Coast | None, str] = {
    None: "c",
    **{coast: coast.value.lower().removesuffix("s") for coast in Coast},
}
"""The suffixes of the regions for coasts; `None` is a single coast."""
COASTS = {suffix: coast for coast, suffix in SUFFIXES.items()}


@frozen(order=True)
class Region:
    """A region; no other has its number, its name or its nick."""

    number: int
    name: str
    type: int
    """From 0 to 6: its kind, and whether it has a supply centre."""
    nick: str

    @property
    def kind(self) -> int:
        """The type of the region without its supply centre."""
        return self.type - SUPPLY if self.type > COAST else self.type

    @property
    def place(self) -> tuple[str, str]:
        """The nick, without the suffix of a coast, and that suffix: `Spa`, `nc`."""
        land, _, suffix = self.nick.partition("/")
        return (land, suffix.lower()) if self.kind == COAST else (self.nick, "")

    def __str__(self) -> str:
        return f"{self.number}:{self.name}, {self.type}:{self.nick}"


@define
class Player:
    """A player and the faction: the regions it holds, and its units."""

    name: str
    faction: str
    nick: str
    holdings: list[Region] = field(factory=list)
    units: list[tuple[Region, bool]] = field(factory=list)
    """The region of each unit, and whether it is a fleet."""


@define
class Description:
    """The regions, each with those that border it, and the players."""

    regions: dict[Region, set[Region]] = field(factory=dict)
    players: list[Player] = field(factory=list)

    def add(self, number: str, name: str, type_: str, nick: str) -> None:
        """Add a region without borders; without a nick, its nick is its name.

        Raises `NotationError` if a part is wrong, or another region has it.
        """
        numbers = re.fullmatch("[0-9]{1,6}", number) and re.fullmatch("[0-6]", type_)
        if not (numbers and name):
            expected = "a region such as '61:Spain, 4:Spa', with a type from 0 to 6"
            raise NotationError.of(f"{number}:{name}, {type_}:{nick}", expected)
        region = Region(int(number), name, int(type_), nick or name)
        for other in self.regions:
            named_alike = {region.name, region.nick} & {other.name, other.nick}
            if named_alike or region.number == other.number:
                expected = f"another number, name and nick than {str(other)!r}"
                raise NotationError.of(str(region), expected)
        self.regions[region] = set()

    def join(self, one: Region, other: Region) -> None:
        """Add a border; raises `NotationError` if a region would border itself."""
        if one == other:
            raise NotationError(f"{one.name} cannot border itself")
        self.regions[one].add(other)
        self.regions[other].add(one)

    def fleets_pass(self, one: Region, other: Region) -> bool:
        """Return whether fleets can pass: between two coasts, if they share a sea."""
        kinds = {one.kind, other.kind}
        shared = self.regions[one] & self.regions[other]
        by_sea = kinds != {COASTAL} or any(each.kind == SEA for each in shared)
        return INLAND not in kinds and by_sea


# The two formats


def read_statements(
    text: str, file: str = "", *, sibling_borders: bool = False
) -> Description:
    """Return the map and the game that the statements in *text* describe.

    In a collection, bases at one level border each other and all bases above; each
    member borders the bases on its path. *sibling_borders*: members without a base of
    their own border each other too. Raises `AtlasError` with every line that is wrong.
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


# Regions to a variant


def variant_of(name: str, description: Description, file: str = "") -> Variant:
    """Return the variant called *name* that *description* describes.

    Raises `AtlasError` with all contradictions in it.
    """
    problems = [*_contradictions(description.regions)]
    if not problems:
        try:
            return from_mapping(_tables(name, description))
        except VariantError as error:
            problems = [*map(str, (error, *error.others))]
    raise AtlasError(*(MapFault(problem, file) for problem in problems))


def _contradictions(regions: Mapping[Region, set[Region]]) -> Iterator[str]:
    for region, near in regions.items():
        seaside = any(each.kind == SEA for each in near)
        if region.kind == INLAND and seaside:
            yield f"{region.name} is inland (type {region.type}), but borders a sea"
        if region.kind == COASTAL and not seaside:
            yield f"{region.name} is coastal (type {region.type}), but borders no sea"
    inland = {each.nick for each in regions if each.kind == INLAND}
    coasts = [each for each in regions if each.kind == COAST]
    places = Counter(coast.place for coast in coasts)
    for coast in coasts:
        land, suffix = coast.place
        alike = sum(places[land, each] for each in {suffix, SUFFIXES[None]})
        if land not in inland or suffix not in COASTS or alike > 1:
            expected = "a nick such as Spa/nc: an inland region and one coast of it"
            yield f"{coast.name} is a coast called {coast.nick}; expected {expected}"


def _tables(name: str, description: Description) -> TomlData:
    """Return the content of a map file."""
    regions, players = description.regions, description.players
    lands = _abbreviations({at.nick: at.name for at in regions if at.kind != COAST})
    places: dict[Region, str] = {}
    for region in regions:
        land, suffix = region.place
        places[region] = str(Location(Province(lands[land]), COASTS.get(suffix)))
    powers = _abbreviations({each.nick: each.faction for each in players})
    return {
        "name": name,
        "first_turn": "SPR 1901",
        "provinces": _provinces(description, places),
        "powers": {
            powers[player.nick]: {
                "name": player.faction,
                "homes": [places[region] for region in player.holdings],
                "units": [f"{'AF'[fleet]} {places[at]}" for at, fleet in player.units],
            }
            for player in players
        },
    }


def _provinces(description: Description, places: Mapping[Region, str]) -> TomlData:
    table: TomlData = {}
    for region, borders in description.regions.items():
        near = sorted(borders)
        province, _, coast = places[region].partition("/")
        entry = table.setdefault(province, {})
        if region.kind != COAST:
            entry |= {"name": region.name, "centre": region.type > COAST}
        if region.kind in {INLAND, COASTAL}:
            entry["army"] = [places[at] for at in near if at.kind in {INLAND, COASTAL}]
        if region.kind != INLAND:
            fleets = entry.setdefault("fleet", {}) if coast else entry
            ends = [places[at] for at in near if description.fleets_pass(region, at)]
            fleets[coast or "fleet"] = ends
    return table


def _abbreviations(names: Mapping[str, str]) -> Mapping[str, str]:
    """Return a unique abbreviation of three letters for each nick in *names*.

    A nick of three letters or digits is its own abbreviation; other abbreviations
    are letters of the name, if it has enough of them.
    """
    nicks = {nick.upper(): nick for nick in names if NAME.fullmatch(nick.upper())}
    for nick, name in names.items():
        if nicks.get(nick.upper()) != nick:
            word = re.sub(r"[^A-Z0-9]", "", name.upper()).ljust(3, "X")
            tried = product(word[0] + ascii_uppercase, word[1:], word[2:] + digits)
            choices = map("".join, tried)
            nicks[next(each for each in choices if each not in nicks)] = nick
    return {nick: short for short, nick in nicks.items()}


# A variant to regions


def describe(variant: Variant) -> Description:
    """Return *variant* as regions and players.

    Where shared seas do not decide which borders fleets can pass, all coastal provinces
    become a land and a coast, whose borders are explicit. Raises `AtlasError` for a
    supply centre at sea, which no type of region allows.
    """
    for centre in sorted(variant.map.centres):
        if variant.map.terrain[centre] is Terrain.SEA:
            problem = f"{centre} is a supply centre at sea, which has no type of region"
            raise AtlasError(MapFault(problem))
    for split in (False, True):
        at = dict(_regions(variant, split=split))
        by_land, by_sea = (_borders(variant.map, at, kind) for kind in UnitType)
        description = Description({region: set() for region in at.values()})
        for border in by_land | by_sea:
            description.join(*border)
        passed = {each for each in by_land | by_sea if description.fleets_pass(*each)}
        if passed == by_sea:
            break
    for power in variant.map.powers:
        centres, units = variant.start.centres_of(power), variant.start.units_of(power)
        name = variant.titles[power]
        player = Player(name=name, faction=name, nick=power.capitalize())
        player.holdings = [at[UnitType.ARMY, Location(centre)] for centre in centres]
        player.units = [
            (at[unit.type, unit.location], unit.type is UnitType.FLEET)
            for unit in units
        ]
        description.players.append(player)
    return description


def _regions(variant: Variant, *, split: bool) -> Iterator[tuple[MapNode, Region]]:
    """Yield each place of a unit with its region, by full name, lands before coasts.

    *split* makes a land and a coast of each coastal province.
    """
    board_map, numbers = variant.map, count()
    for province in sorted(board_map.provinces, key=variant.titles.__getitem__):
        terrain = board_map.terrain[province]
        single = [None] if split and terrain is Terrain.COASTAL else []
        coasts = board_map.coasts.get(province, single)
        # The statements have no escapes for these characters.
        title = re.sub(r"\s*[,:\[\]]\s*", " ", variant.titles[province]).strip()
        kind = INLAND if coasts else KINDS[terrain]
        nick = province if kind == SEA else province.capitalize()
        supply = SUPPLY if province in board_map.centres else 0
        land = Region(next(numbers), title, kind + supply, nick)
        for unit_type in UnitType:
            yield (unit_type, Location(province)), land
        for coast in coasts:
            side = f"{coast.name.lower()} coast".replace("_", "-") if coast else "coast"
            name, coast_nick = f"{title} ({side})", f"{nick}/{SUFFIXES[coast]}"
            region = Region(next(numbers), name, COAST + supply, coast_nick)
            yield (UnitType.FLEET, Location(province, coast)), region


def _borders(
    board_map: Map, at: Mapping[MapNode, Region], kind: UnitType
) -> set[tuple[Region, Region]]:
    """Return the borders that units of *kind* can pass, each in both directions."""
    return {
        (at[kind, place], at[kind, end])
        for (unit_type, place), ends in board_map.neighbours.items()
        for end in ends
        if unit_type is kind and end != place
    }

"""The Move Assistant's description of a map and a game, to and from a variant.

A region is a province, or a coast of one: a province with several coasts is a land
region, which has the supply centre, and a region for each coast. The nick of a coast is
that of its land and a suffix: `Spa`, `Spa/nc`. Regions have no adjectives, homes or
date: holdings become homes, the first turn is spring 1901. `assistant_files` has the
two formats. The assistant's document is the authority; its program never ran.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import count, product
from string import ascii_uppercase, digits

from attrs import define, field, frozen

from daide_server.board.map import Map, MapNode, Terrain, Variant, VariantError
from daide_server.board.map_reading import NAME, TomlData, from_mapping
from daide_server.board.names import Coast, Location, Power, Province, UnitType
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
        """Return whether fleets can pass the border of two regions.

        The assistant has no statement for this: between two coastal regions fleets can
        pass if the two share a sea.
        """
        kinds = {one.kind, other.kind}
        shared = self.regions[one] & self.regions[other]
        by_sea = kinds != {COASTAL} or any(each.kind == SEA for each in shared)
        return INLAND not in kinds and by_sea


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
            letters = re.sub(r"[^A-Z0-9]", "", name.upper()).ljust(3, "X")
            tried = product(
                letters[0] + ascii_uppercase, letters[1:], letters[2:] + digits
            )
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
    description.players += [_player(variant, power, at) for power in variant.map.powers]
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


def _player(variant: Variant, power: Power, at: Mapping[MapNode, Region]) -> Player:
    centres, units = variant.start.centres_of(power), variant.start.units_of(power)
    return Player(
        name=variant.titles[power],
        faction=variant.titles[power],
        nick=power.capitalize(),
        holdings=[at[UnitType.ARMY, Location(centre)] for centre in centres],
        units=[(at[u.type, u.location], u.type is UnitType.FLEET) for u in units],
    )

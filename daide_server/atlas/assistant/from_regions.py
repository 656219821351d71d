"""Regions, the Move Assistant's counterpart of provinces and coasts; their boards.

A province with several coasts is a land region and one region for each coast. The land
has the supply centre; the nick of a coast is that of its land and a suffix: `Spa`,
`Spa/nc`. There is no border between them. Regions have no homes and no date: holdings
become homes, and the first turn is spring 1901.
"""

import re
from collections.abc import Iterable, Iterator
from enum import IntEnum
from itertools import product
from typing import Final

from attrs import frozen

from daide_server.atlas.checking import AtlasError, MapFault
from daide_server.board.names import Coast
from daide_server.board.toml_table import TomlData
from daide_server.board.variant import Variant, VariantError, from_mapping


class RegionKind(IntEnum):
    """The types of regions, with the numbers of the assistant's document."""

    SEA = 0
    INLAND = 1
    COASTAL = 2
    COAST = 3
    INLAND_SUPPLY = 4
    COASTAL_SUPPLY = 5
    COAST_SUPPLY = 6


SUPPLY: Final = frozenset({RegionKind.INLAND_SUPPLY, RegionKind.COASTAL_SUPPLY})
"""Kinds that count as supply centres; a coast counts with its land."""
INLAND: Final = frozenset({RegionKind.INLAND, RegionKind.INLAND_SUPPLY})
COASTAL: Final = frozenset({RegionKind.COASTAL, RegionKind.COASTAL_SUPPLY})
LANDS: Final = INLAND | COASTAL
COAST_KINDS: Final = frozenset({RegionKind.COAST, RegionKind.COAST_SUPPLY})

COAST_LETTERS: Final = {
    Coast.NORTH: "nc",
    Coast.NORTH_EAST: "nec",
    Coast.EAST: "ec",
    Coast.SOUTH_EAST: "sec",
    Coast.SOUTH: "sc",
    Coast.SOUTH_WEST: "swc",
    Coast.WEST: "wc",
    Coast.NORTH_WEST: "nwc",
}
COASTS_BY_LETTERS: Final = {letters: coast for coast, letters in COAST_LETTERS.items()}
REGION_NUMBER: Final = re.compile(r"[0-9]{1,6}")
"""The number of a region, or of its kind."""
ONLY_COAST: Final = "c"
"""The suffix of a single coast that is a region of its own."""


@frozen
class Region:
    """A region; `number` is unique, and so is `nick`."""

    number: int
    name: str
    kind: RegionKind
    nick: str

    @property
    def land(self) -> str:
        """The nick of the land that a coast belongs to; for other regions their own."""
        return self.nick.partition("/")[0] if self.kind in COAST_KINDS else self.nick

    @property
    def coast(self) -> Coast | None:
        """The coast that the region is, where a province has several."""
        return COASTS_BY_LETTERS.get(self._letters)

    @property
    def is_only_coast(self) -> bool:
        """Whether the region is the single coast of its land."""
        return self._letters == ONLY_COAST

    @property
    def _letters(self) -> str:
        return self.nick.partition("/")[2].lower() if self.kind in COAST_KINDS else ""


@frozen
class RegionMap:
    """A map of the assistant: regions, and borders as pairs of their numbers."""

    regions: tuple[Region, ...]
    borders: frozenset[frozenset[int]]

    def near(self, number: int) -> frozenset[int]:
        """Return the numbers of the regions that border region *number*."""
        ends = frozenset().union(*(pair for pair in self.borders if number in pair))
        return ends - {number}


@frozen
class Player:
    """A player and the faction: its holdings and units, by the numbers of regions."""

    name: str
    faction: str
    nick: str
    holdings: tuple[int, ...] = ()
    units: tuple[tuple[int, bool], ...] = ()
    """The region of each unit, and whether it is a fleet."""


@frozen
class Description:
    """A map and the position on it."""

    region_map: RegionMap
    players: tuple[Player, ...] = ()


# The assistant has no statement for borders that fleets can pass: between two coastal
# regions they can if the two share a sea.


def fleet_borders(region_map: RegionMap) -> frozenset[frozenset[int]]:
    """Return the borders of *region_map* that fleets can pass."""
    kinds = {region.number: region.kind for region in region_map.regions}
    seas = {
        number: {
            near for near in region_map.near(number) if kinds[near] is RegionKind.SEA
        }
        for number in kinds
    }

    def is_open(border: frozenset[int]) -> bool:
        one, other = border
        ends = {kinds[one], kinds[other]}
        if not ends.isdisjoint(INLAND):
            return False
        return not ends <= COASTAL or not seas[one].isdisjoint(seas[other])

    return frozenset(filter(is_open, region_map.borders))


# Abbreviations of three letters for the assistant's regions and factions

ABBREVIATION: Final = re.compile(r"[A-Z0-9]{3}")


def abbreviations(names: Iterable[tuple[str, str]]) -> list[str]:
    """Return a unique abbreviation for each nick and name, in order.

    A nick of three letters or digits is its own abbreviation; other abbreviations
    are letters of the name.
    """
    wanted = [
        (nick.upper(), re.sub(r"[^A-Z0-9]", "", name.upper())) for nick, name in names
    ]
    taken = {nick for nick, _ in wanted if ABBREVIATION.fullmatch(nick)}
    found = []
    for nick, name in wanted:
        if ABBREVIATION.fullmatch(nick):
            found.append(nick)
            continue
        letters = name.ljust(3, "X")
        choices = (
            "".join(each)
            for each in product(letters[:1], letters[1:], letters[2:] + "0123456789")
        )
        found.append(next(choice for choice in choices if choice not in taken))
        taken.add(found[-1])
    return found


FIRST_TURN: Final = "SPR 1901"


def variant_of(name: str, description: Description, file: str = "") -> Variant:
    """Return the variant called *name* that *description* describes.

    Raises `AtlasError` with all contradictions in it.
    """
    faults = [MapFault(problem, file) for problem in _contradictions(description)]
    if faults:
        raise AtlasError(*faults)
    reader = _Reader(description)
    data = {
        "name": name,
        "first_turn": FIRST_TURN,
        "powers": reader.powers(),
        "provinces": reader.provinces(),
    }
    try:
        return from_mapping(data)
    except VariantError as error:
        raise AtlasError(MapFault(str(error), file)) from error


# Contradictions


def _contradictions(description: Description) -> Iterator[str]:
    region_map = description.region_map
    kinds = {region.number: region.kind for region in region_map.regions}
    for region in region_map.regions:
        seaside = any(
            kinds[near] is RegionKind.SEA for near in region_map.near(region.number)
        )
        if region.kind in INLAND and seaside:
            yield f"{region.name} is inland (type {region.kind}), but borders a sea"
        if region.kind in COASTAL and not seaside:
            yield f"{region.name} is coastal (type {region.kind}), but borders no sea"
    yield from _coast_contradictions(region_map)
    for player in description.players:
        for number, fleet in player.units:
            if kinds[number] in (INLAND if fleet else {RegionKind.SEA, *COAST_KINDS}):
                unit = "a fleet" if fleet else "an army"
                yield f"{unit} of {player.name} cannot stand in region {number}"


def _coast_contradictions(region_map: RegionMap) -> Iterator[str]:
    lands = {each.nick: each.name for each in region_map.regions if each.kind in INLAND}
    coasts: dict[str, list[Coast | None]] = {land: [] for land in lands}
    for region in region_map.regions:
        if region.kind not in COAST_KINDS:
            continue
        if region.land not in lands or not (region.coast or region.is_only_coast):
            example = "a nick such as Spa/nc, where Spa is inland"
            yield f"{region.name} is a coast; expected {example}"
            continue
        coasts[region.land].append(region.coast)
    for land, found in coasts.items():
        distinct = {*found} - {None}
        if len(distinct) < len(found) > 1:
            yield f"{lands[land]} has coasts that cannot be told apart"


# Tables of a map file


class _Reader:
    """Makes the tables of a map file from regions and players."""

    def __init__(self, description: Description) -> None:
        self._region_map = description.region_map
        self._players = description.players
        self._regions = {region.number: region for region in self._region_map.regions}
        lands = [
            each for each in self._regions.values() if each.kind not in COAST_KINDS
        ]
        short = abbreviations((each.nick, each.name) for each in lands)
        self._land = {each.nick: name for each, name in zip(lands, short, strict=True)}

    def provinces(self) -> TomlData:
        """Return the table of the provinces."""
        table: TomlData = {}
        for region in self._regions.values():
            if region.kind not in COAST_KINDS:
                table[self._place(region)] = self._province(region)
        open_to_fleets = fleet_borders(self._region_map)
        for border in self._region_map.borders:
            one, other = (self._regions[number] for number in border)
            fleets = border in open_to_fleets
            self._join(table, one, other, fleets=fleets)
            self._join(table, other, one, fleets=fleets)
        return table

    def _province(self, region: Region) -> TomlData:
        entry: TomlData = {"name": region.name}
        if region.kind in SUPPLY:
            entry["centre"] = True
        if region.kind is not RegionKind.SEA:
            entry["army"] = []
        coasts = self._coasts_of(region)
        if coasts:
            named: TomlData = {coast.value: [] for coast in coasts if coast}
            entry["fleet"] = named or []
        elif region.kind not in INLAND:
            entry["fleet"] = []
        return entry

    def _coasts_of(self, land: Region) -> list[Coast | None]:
        return [
            region.coast
            for region in self._regions.values()
            if region.kind in COAST_KINDS and region.land == land.nick
        ]

    def _join(
        self, table: TomlData, one: Region, other: Region, *, fleets: bool
    ) -> None:
        """Add *other* to the neighbours of *one*, for the units that can pass."""
        entry = table[self._land[one.land]]
        if {one.kind, other.kind} <= LANDS:
            entry["army"].append(self._place(other))
        if fleets:
            ends = entry["fleet"][one.coast.value] if one.coast else entry["fleet"]
            ends.append(self._place(other))

    def _place(self, region: Region) -> str:
        """Return the location that *region* is: `SPA`, `SPA/NCS`."""
        land = self._land[region.land]
        return f"{land}/{region.coast.value}" if region.coast else land

    def powers(self) -> TomlData:
        """Return the table of the powers."""
        short = abbreviations((each.nick, each.faction) for each in self._players)
        return {
            name: {
                "name": player.faction,
                "homes": [self._place(self._regions[at]) for at in player.holdings],
                "units": [
                    f"{'AF'[fleet]} {self._place(self._regions[at])}"
                    for at, fleet in player.units
                ],
            }
            for name, player in zip(short, self._players, strict=True)
        }

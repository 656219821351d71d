"""The Move Assistant's description of a map and a game, to and from a variant.

A region is a province, or a coast of one: a province with several coasts is a land
region, which has the supply centre, and a region for each coast. The nick of a coast is
that of its land and a suffix: `Spa`, `Spa/nc`. Regions have no adjectives, homes or
date: holdings become homes, the first turn is spring 1901. `assistant_files` has the
two formats. The assistant's document is the authority; its program never ran.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from itertools import product

from attrs import frozen

from daide_server.board.map import Terrain, Variant, VariantError
from daide_server.board.map_reading import TomlData, from_mapping
from daide_server.board.names import Coast, Location, Power, Province, UnitType

from .checking import AtlasError, MapFault


class RegionKind(IntEnum):
    """The types of regions, with the numbers of the assistant's document."""

    SEA = 0
    INLAND = 1
    COASTAL = 2
    COAST = 3
    INLAND_SUPPLY = 4
    COASTAL_SUPPLY = 5
    COAST_SUPPLY = 6

    @property
    def plain(self) -> "RegionKind":
        """The kind without a supply centre."""
        return RegionKind(self - 3) if self > RegionKind.COAST else self


SEA, INLAND, COASTAL, COAST = list(RegionKind)[:4]
COAST_LETTERS = {coast: coast.value.lower().removesuffix("s") for coast in Coast}
COASTS_BY_LETTERS = {letters: coast for coast, letters in COAST_LETTERS.items()}
ONLY_COAST = "c"
"""The suffix of the region for a single coast."""


@frozen
class Region:
    """A region; `number` is unique, and so is `nick`."""

    number: int
    name: str
    kind: RegionKind
    nick: str

    @property
    def is_coast(self) -> bool:
        """Whether the region is a coast, and another region the land."""
        return self.kind.plain is COAST

    @property
    def land(self) -> str:
        """The nick of the land that a coast belongs to; for other regions their own."""
        return self.nick.partition("/")[0] if self.is_coast else self.nick

    @property
    def letters(self) -> str:
        """The suffix of a coast."""
        return self.nick.partition("/")[2].lower() if self.is_coast else ""

    @property
    def coast(self) -> Coast | None:
        """The coast that the region is, where a province has several."""
        return COASTS_BY_LETTERS.get(self.letters)


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
    """Regions, borders as pairs of their numbers, and the position of the players."""

    regions: tuple[Region, ...]
    borders: frozenset[frozenset[int]]
    players: tuple[Player, ...] = ()

    def near(self, number: int) -> frozenset[int]:
        """Return the numbers of the regions that border region *number*."""
        ends = frozenset().union(*(pair for pair in self.borders if number in pair))
        return ends - {number}

    def fleet_borders(self) -> frozenset[frozenset[int]]:
        """Return the borders that fleets can pass.

        The assistant has no statement for these: between two coastal regions fleets
        can pass if the two share a sea.
        """
        kinds = {region.number: region.kind.plain for region in self.regions}
        seas = {at: {n for n in self.near(at) if kinds[n] is SEA} for at in kinds}

        def is_open(border: frozenset[int]) -> bool:
            one, other = border
            ends = {kinds[one], kinds[other]}
            if INLAND in ends:
                return False
            return ends != {COASTAL} or not seas[one].isdisjoint(seas[other])

        return frozenset(filter(is_open, self.borders))


# Regions to a variant


def variant_of(name: str, description: Description, file: str = "") -> Variant:
    """Return the variant called *name* that *description* describes.

    Raises `AtlasError` with all contradictions in it.
    """
    faults = [MapFault(problem, file) for problem in _contradictions(description)]
    if faults:
        raise AtlasError(*faults)
    tables = _Tables(description)
    data = {
        "name": name,
        "first_turn": "SPR 1901",
        "powers": tables.powers(),
        "provinces": tables.provinces(),
    }
    try:
        return from_mapping(data)
    except VariantError as error:
        raise AtlasError(MapFault(str(error), file)) from error


def _contradictions(description: Description) -> Iterator[str]:
    kinds = {region.number: region.kind.plain for region in description.regions}
    for region in description.regions:
        seaside = any(kinds[n] is SEA for n in description.near(region.number))
        if kinds[region.number] is INLAND and seaside:
            yield f"{region.name} is inland (type {region.kind}), but borders a sea"
        if kinds[region.number] is COASTAL and not seaside:
            yield f"{region.name} is coastal (type {region.kind}), but borders no sea"
    yield from _coast_contradictions(description.regions)
    for player in description.players:
        for number, fleet in player.units:
            if kinds[number] in ({INLAND} if fleet else {SEA, COAST}):
                unit = "a fleet" if fleet else "an army"
                yield f"{unit} of {player.name} cannot stand in region {number}"


def _coast_contradictions(regions: Sequence[Region]) -> Iterator[str]:
    lands = {each.nick: each.name for each in regions if each.kind.plain is INLAND}
    coasts: dict[str, list[Coast | None]] = {land: [] for land in lands}
    for region in filter(lambda each: each.is_coast, regions):
        if region.land in lands and (region.coast or region.letters == ONLY_COAST):
            coasts[region.land].append(region.coast)
        else:
            example = "a nick such as Spa/nc, where Spa is inland"
            yield f"{region.name} is a coast; expected {example}"
    for land, found in coasts.items():
        distinct = {*found} - {None}
        if len(distinct) < len(found) > 1:
            yield f"{lands[land]} has coasts that cannot be told apart"


def abbreviations(names: Iterable[tuple[str, str]]) -> list[str]:
    """Return a unique abbreviation of three letters for each nick and name, in order.

    A nick of three letters or digits is its own abbreviation; other abbreviations
    are letters of the name.
    """
    wanted = [
        (nick.upper(), re.sub(r"[^A-Z0-9]", "", name.upper())) for nick, name in names
    ]
    taken = {nick for nick, _ in wanted if re.fullmatch(r"[A-Z0-9]{3}", nick)}
    found = []
    for nick, name in wanted:
        if nick in taken and nick not in found:
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


class _Tables:
    """Makes the tables of a map file from regions and players."""

    def __init__(self, description: Description) -> None:
        self._description = description
        self._regions = {region.number: region for region in description.regions}
        lands = [each for each in description.regions if not each.is_coast]
        short = abbreviations((each.nick, each.name) for each in lands)
        self._land = {each.nick: name for each, name in zip(lands, short, strict=True)}

    def provinces(self) -> TomlData:
        """Return the table of the provinces."""
        table: TomlData = {
            self._place(region): self._province(region)
            for region in self._regions.values()
            if not region.is_coast
        }
        open_to_fleets = self._description.fleet_borders()
        for border in self._description.borders:
            one, other = (self._regions[number] for number in border)
            fleets = border in open_to_fleets
            self._join(table, one, other, fleets=fleets)
            self._join(table, other, one, fleets=fleets)
        return table

    def _province(self, region: Region) -> TomlData:
        entry: TomlData = {"name": region.name}
        if region.kind is not region.kind.plain:
            entry["centre"] = True
        if region.kind is not SEA:
            entry["army"] = []
        coasts = [
            each.coast
            for each in self._regions.values()
            if each.is_coast and each.land == region.nick
        ]
        if coasts:
            named: TomlData = {coast.value: [] for coast in coasts if coast}
            entry["fleet"] = named or []
        elif region.kind.plain is not INLAND:
            entry["fleet"] = []
        return entry

    def _join(
        self, table: TomlData, one: Region, other: Region, *, fleets: bool
    ) -> None:
        """Add *other* to the neighbours of *one*, for the units that can pass."""
        entry = table[self._land[one.land]]
        if {one.kind.plain, other.kind.plain} <= {INLAND, COASTAL}:
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
        players = self._description.players
        short = abbreviations((each.nick, each.faction) for each in players)
        return {
            name: {
                "name": player.faction,
                "homes": [self._place(self._regions[at]) for at in player.holdings],
                "units": [
                    f"{'AF'[fleet]} {self._place(self._regions[at])}"
                    for at, fleet in player.units
                ],
            }
            for name, player in zip(short, players, strict=True)
        }


# A variant to regions


def describe(variant: Variant) -> Description:
    """Return *variant* as regions and players.

    Where shared seas do not decide which borders fleets can pass, all coastal provinces
    become a land and a coast, whose borders are explicit. Raises `AtlasError` for a
    supply centre at sea, which no type of region allows.
    """
    board_map = variant.map
    for centre in sorted(board_map.centres):
        if board_map.terrain[centre] is Terrain.SEA:
            problem = f"{centre} is a supply centre at sea, which has no type of region"
            raise AtlasError(MapFault(problem))
    plain = _Regions(variant, split=False)
    description = plain.description()
    if description.fleet_borders() == plain.borders(UnitType.FLEET):
        return description
    return _Regions(variant, split=True).description()


class _Regions:
    """Makes the regions; *split* makes a land and a coast of each coastal province."""

    def __init__(self, variant: Variant, *, split: bool) -> None:
        self._variant = variant
        self._split = split
        self._regions: list[Region] = []
        self._at: dict[tuple[UnitType, Location], int] = {}
        for province in sorted(variant.map.provinces, key=variant.titles.__getitem__):
            self._add(province)

    def description(self) -> Description:
        """Return the regions, their borders, and a player for each power."""
        players = map(self._player, self._variant.map.powers)
        return Description(
            tuple(self._regions), self.borders(*UnitType), tuple(players)
        )

    def borders(self, *unit_types: UnitType) -> frozenset[frozenset[int]]:
        """Return the borders that units of *unit_types* can pass."""
        return frozenset(
            frozenset({self._at[kind, at], self._at[kind, place]})
            for (kind, at), places in self._variant.map.neighbours.items()
            for place in places
            if place != at and kind in unit_types
        )

    def _add(self, province: Province) -> None:
        """Add the regions of a province: the land first, then its coasts."""
        board_map, title = self._variant.map, self._variant.titles[province]
        terrain = board_map.terrain[province]
        coasts = [Location(province, c) for c in board_map.coasts.get(province, ())]
        if self._split and terrain is Terrain.COASTAL:
            coasts = coasts or [Location(province)]
        supply = 3 if province in board_map.centres else 0
        if terrain is Terrain.SEA:
            number = self._region(title, SEA, province)
        else:
            land = COASTAL if terrain is Terrain.COASTAL and not coasts else INLAND
            number = self._region(
                title, RegionKind(land + supply), province.capitalize()
            )
        for unit_type in UnitType:
            self._at[unit_type, Location(province)] = number
        for at in coasts:
            letters = COAST_LETTERS[at.coast] if at.coast else ONLY_COAST
            name = f"{at.coast.name.lower().replace('_', '-')} " if at.coast else ""
            self._at[UnitType.FLEET, at] = self._region(
                f"{title} ({name}coast)",
                RegionKind(COAST + supply),
                f"{province.capitalize()}/{letters}",
            )

    def _region(self, name: str, kind: RegionKind, nick: str) -> int:
        # The statements have no escapes for these characters.
        clean = re.sub(r"\s*[,:\[\]]\s*", " ", name)
        self._regions.append(Region(len(self._regions), clean, kind, nick))
        return self._regions[-1].number

    def _player(self, power: Power) -> Player:
        start, title = self._variant.start, self._variant.titles[power]
        return Player(
            name=title,
            faction=title,
            nick=power.capitalize(),
            holdings=tuple(
                self._at[UnitType.ARMY, Location(centre)]
                for centre in start.centres_of(power)
            ),
            units=tuple(
                (self._at[unit.type, unit.location], unit.type is UnitType.FLEET)
                for unit in start.units_of(power)
            ),
        )

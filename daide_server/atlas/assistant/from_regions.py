"""The assistant's regions and players, made a variant.

They have no homes and no date: holdings become homes, and the first turn is spring
1901.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import product
from typing import Final

from daide_server.atlas.map_faults import AtlasError, MapFault
from daide_server.board.names import Coast
from daide_server.board.toml_table import TomlData
from daide_server.board.variant import Variant, VariantError, from_mapping

from .regions import (
    COAST_KINDS,
    COASTAL,
    INLAND,
    LANDS,
    SUPPLY,
    Description,
    Region,
    RegionKind,
    RegionMap,
    fleet_borders,
)

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

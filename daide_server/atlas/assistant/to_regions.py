"""A variant as the assistant's regions and players.

The assistant derives from shared seas which borders fleets can pass. Where a map
differs from that, all its coastal provinces become a land region and a coast region
each, whose borders are explicit. Homes and the date of the first turn are lost.
"""

import re

from daide_server.atlas.checking import AtlasError, MapFault
from daide_server.board.map import Map, Terrain
from daide_server.board.names import Coast, Location, Power, Province, UnitType
from daide_server.board.variant import Variant

from .from_regions import (
    COAST_LETTERS,
    ONLY_COAST,
    Description,
    Player,
    Region,
    RegionKind,
    RegionMap,
    fleet_borders,
)


def describe(variant: Variant) -> Description:
    """Return *variant* as regions and players.

    Raises `AtlasError` for a supply centre at sea, which no type of region allows.
    """
    board_map = variant.map
    for centre in sorted(board_map.centres):
        if board_map.terrain[centre] is Terrain.SEA:
            problem = f"{centre} is a supply centre at sea, which has no type of region"
            raise AtlasError(MapFault(problem))
    plain = _Writer(variant, split=False)
    if _written_borders(plain.region_map()) == _board_borders(board_map):
        return plain.description()
    return _Writer(variant, split=True).description()


class _Writer:
    """Makes the regions; *split* makes a land and a coast of each coastal province."""

    def __init__(self, variant: Variant, *, split: bool) -> None:
        self.variant = variant
        self.board_map = variant.map
        self.split = split
        self.regions: list[Region] = []
        self._at: dict[tuple[UnitType, Location], int] = {}
        titles = variant.titles
        for province in sorted(self.board_map.provinces, key=titles.__getitem__):
            self._add(province)

    def description(self) -> Description:
        """Return the regions, and a player for each power."""
        players = tuple(self._player(power) for power in self.board_map.powers)
        return Description(self.region_map(), players)

    def region_map(self) -> RegionMap:
        """Return the map."""
        borders = (
            frozenset({self._at[kind, at], self._at[kind, place]})
            for (kind, at), places in self.board_map.neighbours.items()
            for place in places
            if place != at
        )
        return RegionMap(tuple(self.regions), frozenset(borders))

    def _add(self, province: Province) -> None:
        """Add the regions of a province: the land first, then its coasts."""
        whole = Location(province)
        terrain = self.board_map.terrain[province]
        centre = province in self.board_map.centres
        coasts = [Location(province, coast) for coast in self._coasts(province)]
        if self.split and terrain is Terrain.COASTAL:
            coasts = coasts or [whole]
        kind = RegionKind.SEA
        if terrain is not Terrain.SEA:
            coastal = terrain is Terrain.COASTAL and not coasts
            kind = RegionKind.COASTAL if coastal else RegionKind.INLAND
        nick = province if kind is RegionKind.SEA else province.capitalize()
        title = self.variant.titles[province]
        number = self._region(title, _supply(kind, centre=centre), nick)
        for unit_type in UnitType:
            self._at[unit_type, whole] = number
        for at in coasts:
            letters = COAST_LETTERS[at.coast] if at.coast else ONLY_COAST
            name = f"{at.coast.name.lower().replace('_', '-')} " if at.coast else ""
            coast = _supply(RegionKind.COAST, centre=centre)
            number = self._region(f"{title} ({name}coast)", coast, f"{nick}/{letters}")
            self._at[UnitType.FLEET, at] = number

    def _coasts(self, province: Province) -> tuple[Coast, ...]:
        return self.board_map.coasts.get(province, ())

    def _region(self, name: str, kind: RegionKind, nick: str) -> int:
        number = len(self.regions)
        # The statements have no escapes for these characters.
        clean = re.sub(r"\s*[,:\[\]]\s*", " ", name)
        self.regions.append(Region(number, clean, kind, nick))
        return number

    def _player(self, power: Power) -> Player:
        start = self.variant.start
        title = self.variant.titles[power]
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


def _supply(kind: RegionKind, *, centre: bool) -> RegionKind:
    """Return *kind* with a supply centre, if *centre*; seas have no such kind."""
    return RegionKind(kind + 3) if centre and kind is not RegionKind.SEA else kind


# Borders that fleets can pass

CoastPlace = tuple[str, Coast | None]
"""A province and one of its coasts."""


def _board_borders(board_map: Map) -> set[frozenset[CoastPlace]]:
    """Return the borders of fleets on the board."""
    return {
        frozenset({(at.province, at.coast), (place.province, place.coast)})
        for (kind, at), places in board_map.neighbours.items()
        if kind is UnitType.FLEET
        for place in places
        if place != at
    }


def _written_borders(region_map: RegionMap) -> set[frozenset[CoastPlace]]:
    """Return the borders of fleets that a reader of *region_map* derives."""
    regions, borders = region_map.regions, fleet_borders(region_map)
    places = {each.number: (each.land.upper(), each.coast) for each in regions}
    return {frozenset(places[end] for end in border) for border in borders}

"""A variant as the assistant's regions and players.

Where a board's fleets do not pass borders as shared seas tell, all its coastal
provinces are written as a land and a coast. Homes, season and year cannot be said.
"""

import re

from daide_server.atlas.map_faults import AtlasError, MapFault
from daide_server.board.map import Map, Terrain
from daide_server.board.names import Coast, Location, Power, Province, UnitType
from daide_server.board.variant import Variant

from .fleet_passages import passages
from .regions import (
    COAST_LETTERS,
    ONLY_COAST,
    Description,
    Player,
    Region,
    RegionKind,
    Sketch,
)


def describe(variant: Variant) -> Description:
    """Return *variant* as regions and players.

    Raises `AtlasError` if there is a supply centre at sea, which has no type.
    """
    board_map = variant.map
    for centre in sorted(board_map.centres):
        if board_map.terrain[centre] is Terrain.SEA:
            problem = f"{centre} is a supply centre at sea, which has no type of region"
            raise AtlasError(MapFault(problem))
    plain = _Writer(variant, split=False)
    if _told(plain.sketch()) == _true(board_map):
        return plain.description()
    return _Writer(variant, split=True).description()


class _Writer:
    """Makes regions of provinces; each location of a fleet or an army has one."""

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
        return Description(self.sketch(), players)

    def sketch(self) -> Sketch:
        """Return the map."""
        borders = (
            frozenset({self._at[kind, at], self._at[kind, place]})
            for (kind, at), places in self.board_map.neighbours.items()
            for place in places
            if place != at
        )
        return Sketch(tuple(self.regions), frozenset(borders))

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
        # Marks of the syntax cannot be in a name.
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
    """Return *kind* with a centre; the assistant has none at sea."""
    return RegionKind(kind + 3) if centre and kind is not RegionKind.SEA else kind


# Which borders fleets can pass, as pairs of a province and a coast

CoastPlace = tuple[str, Coast | None]


def _true(board_map: Map) -> set[frozenset[CoastPlace]]:
    """Return the borders on the board."""
    return {
        frozenset({(at.province, at.coast), (place.province, place.coast)})
        for (kind, at), places in board_map.neighbours.items()
        if kind is UnitType.FLEET
        for place in places
        if place != at
    }


def _told(sketch: Sketch) -> set[frozenset[CoastPlace]]:
    """Return the borders that *sketch* tells."""
    places = {each.number: (each.land.upper(), each.coast) for each in sketch.regions}
    return {frozenset(places[end] for end in border) for border in passages(sketch)}

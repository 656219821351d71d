"""A variant as the assistant's regions and players, and back.

Whether fleets can pass a border between two coastal regions cannot be said: they
can if the two share a sea. Where that is not so on a board, all its coastal
provinces are written as a land and a coast. Homes, season and year cannot be said
either: holdings are homes, and the first turn is the spring of 1901.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any, Final

from daide_server.atlas.faults import AtlasError, Fault
from daide_server.board.map import Map, Terrain
from daide_server.board.names import Coast, Location, Power, Province, UnitType
from daide_server.board.variant import Variant, VariantError, from_mapping

from .regions import (
    COAST_LETTERS,
    COASTAL,
    COASTS,
    COASTS_BY_LETTERS,
    INLAND,
    SUPPLY,
    Description,
    Kind,
    Player,
    Region,
    Sketch,
)

FIRST_TURN: Final = "SPR 1901"
ONLY_COAST: Final = "c"
"""What a single coast is called that was split from its land."""
ABBREVIATION: Final = re.compile(r"[A-Z0-9]{3}")

Table = dict[str, Any]


# --- To the assistant -------------------------------------------------------------


def describe(variant: Variant) -> Description:
    """Return *variant* as regions and players.

    Raises `AtlasError` if there is a supply centre at sea, which has no type.
    """
    ground = variant.map
    for centre in sorted(ground.centres):
        if ground.terrain[centre] is Terrain.SEA:
            problem = f"{centre} is a supply centre at sea, which has no type of region"
            raise AtlasError(Fault(problem))
    plain = _Writer(variant, split=False)
    if _fleets(plain.sketch()) == _passages(ground):
        return plain.description()
    return _Writer(variant, split=True).description()


class _Writer:
    """Makes regions of provinces; each location of a fleet or an army has one."""

    def __init__(self, variant: Variant, *, split: bool) -> None:
        self.variant = variant
        self.ground = variant.map
        self.split = split
        self.regions: list[Region] = []
        self._at: dict[tuple[UnitType, Location], int] = {}
        titles = variant.titles
        for province in sorted(self.ground.provinces, key=titles.__getitem__):
            self._add(province)

    def description(self) -> Description:
        """Return the regions, and a player for each power."""
        players = tuple(self._player(power) for power in self.ground.powers)
        return Description(self.sketch(), players)

    def sketch(self) -> Sketch:
        """Return the map."""
        borders = (
            frozenset({self._at[kind, at], self._at[kind, place]})
            for (kind, at), places in self.ground.neighbours.items()
            for place in places
            if place != at
        )
        return Sketch(tuple(self.regions), frozenset(borders))

    def _add(self, province: Province) -> None:
        """Add the regions of a province: the land first, then its coasts."""
        whole = Location(province)
        terrain = self.ground.terrain[province]
        centre = province in self.ground.centres
        coasts = [Location(province, coast) for coast in self._coasts(province)]
        if self.split and terrain is Terrain.COASTAL:
            coasts = coasts or [whole]
        kind = Kind.SEA
        if terrain is not Terrain.SEA:
            coastal = terrain is Terrain.COASTAL and not coasts
            kind = Kind.COASTAL if coastal else Kind.INLAND
        nick = province if kind is Kind.SEA else province.capitalize()
        title = self.variant.titles[province]
        number = self._region(title, _supply(kind, centre=centre), nick)
        for unit_type in UnitType:
            self._at[unit_type, whole] = number
        for at in coasts:
            letters = COAST_LETTERS[at.coast] if at.coast else ONLY_COAST
            name = f"{at.coast.name.lower().replace('_', '-')} " if at.coast else ""
            coast = _supply(Kind.COAST, centre=centre)
            number = self._region(f"{title} ({name}coast)", coast, f"{nick}/{letters}")
            self._at[UnitType.FLEET, at] = number

    def _coasts(self, province: Province) -> tuple[Coast, ...]:
        return self.ground.coasts.get(province, ())

    def _region(self, name: str, kind: Kind, nick: str) -> int:
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


def _supply(kind: Kind, *, centre: bool) -> Kind:
    """Return *kind* with a centre; the assistant has none at sea."""
    return Kind(kind + 3) if centre and kind is not Kind.SEA else kind


# --- Which borders fleets can pass ------------------------------------------------


def _passages(ground: Map) -> set[frozenset[tuple[str, str]]]:
    return {
        frozenset({_spoken(at), _spoken(place)})
        for (kind, at), places in ground.neighbours.items()
        if kind is UnitType.FLEET
        for place in places
        if place != at
    }


def _spoken(at: Location) -> tuple[str, str]:
    return at.province, at.coast.value if at.coast else ""


def _fleets(sketch: Sketch) -> set[frozenset[tuple[str, str]]]:
    """Return the passages of fleets that a sketch tells, as places of ours."""
    places = {region.number: _place(region) for region in sketch.regions}
    kinds = {region.number: region.kind for region in sketch.regions}
    seas = {
        number: {near for near in sketch.near(number) if kinds[near] is Kind.SEA}
        for number in kinds
    }
    return {
        frozenset({places[one], places[other]})
        for one, other in map(tuple, sketch.borders)
        if not INLAND & {kinds[one], kinds[other]}
        and not ({kinds[one], kinds[other]} <= COASTAL and not seas[one] & seas[other])
    }


def _place(region: Region) -> tuple[str, str]:
    """Return the province and the coast that a region is called after."""
    land, _, letters = region.nick.partition("/")
    coast = COASTS_BY_LETTERS.get(letters.lower()) if region.kind in COASTS else None
    return land.upper(), coast.value if coast else ""


# --- From the assistant -----------------------------------------------------------


def board(name: str, description: Description, file: str = "") -> Variant:
    """Return the variant that *description* tells of.

    Raises `AtlasError` with all that does not fit together.
    """
    faults = [Fault(problem, file) for problem in _wrong(description)]
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
        raise AtlasError(Fault(str(error), file)) from error


def _wrong(description: Description) -> Iterator[str]:
    sketch = description.sketch
    kinds = {region.number: region.kind for region in sketch.regions}
    lands = {region.nick for region in sketch.regions if region.kind not in COASTS}
    for region in sketch.regions:
        seaside = any(kinds[near] is Kind.SEA for near in sketch.near(region.number))
        if region.kind in INLAND and seaside:
            yield f"{region.name} is inland (type {region.kind}), but borders a sea"
        if region.kind in COASTAL and not seaside:
            yield f"{region.name} is coastal (type {region.kind}), but borders no sea"
        land, slash, letters = region.nick.partition("/")
        if region.kind in COASTS and not (
            slash
            and land in lands
            and letters.lower() in {*COASTS_BY_LETTERS, ONLY_COAST}
        ):
            yield f"{region.name} is a coast; expected a nick such as Spa/nc"
    for player in description.players:
        for number, fleet in player.units:
            if kinds[number] in (INLAND if fleet else {Kind.SEA, *COASTS}):
                unit = "a fleet" if fleet else "an army"
                yield f"{unit} of {player.name} cannot stand in region {number}"


class _Reader:
    """Makes tables of a map file from regions and players."""

    def __init__(self, description: Description) -> None:
        self.sketch = description.sketch
        self.players = description.players
        self.regions = {region.number: region for region in self.sketch.regions}
        lands = [each for each in self.regions.values() if each.kind not in COASTS]
        short = _abbreviated((each.nick, each.name) for each in lands)
        self._land = {each.nick: name for each, name in zip(lands, short, strict=True)}

    def provinces(self) -> Table:
        """Return the table of the provinces."""
        table: Table = {}
        for region in self.regions.values():
            if region.kind not in COASTS:
                table[self._place(region)] = self._province(region)
        for pair in self.sketch.borders:
            one, other = (self.regions[number] for number in pair)
            self._join(table, one, other)
            self._join(table, other, one)
        return table

    def _province(self, region: Region) -> Table:
        entry: Table = {"name": region.name}
        if region.kind in SUPPLY:
            entry["centre"] = True
        if region.kind is not Kind.SEA:
            entry["army"] = []
        coasts = self._coasts_of(region)
        if coasts:
            entry["fleet"] = {coast: [] for coast in coasts} if all(coasts) else []
        elif region.kind not in INLAND:
            entry["fleet"] = []
        return entry

    def _coasts_of(self, land: Region) -> list[str]:
        return [
            _place(region)[1]
            for region in self.regions.values()
            if region.kind in COASTS and region.nick.partition("/")[0] == land.nick
        ]

    def _join(self, table: Table, one: Region, other: Region) -> None:
        """Tell *one* that it borders *other*, for the units that can pass."""
        entry = table[self._place(one).partition("/")[0]]
        lands = {*INLAND, *COASTAL}
        if lands >= {one.kind, other.kind}:
            entry["army"].append(self._place(other))
        if self._sailable(one, other):
            coast = self._place(one).partition("/")[2]
            ends = entry["fleet"][coast] if coast else entry["fleet"]
            ends.append(self._place(other))

    def _sailable(self, one: Region, other: Region) -> bool:
        kinds = {one.kind, other.kind}
        if INLAND & kinds:
            return False
        if not kinds <= COASTAL:
            return True
        shared = self.sketch.near(one.number) & self.sketch.near(other.number)
        return any(self.regions[number].kind is Kind.SEA for number in shared)

    def _place(self, region: Region) -> str:
        """Return what we call *region*: `SPA`, `SPA/NCS`."""
        if region.kind not in COASTS:
            return self._land[region.nick]
        land, _, _ = region.nick.partition("/")
        coast = _place(region)[1]
        return "/".join(filter(None, (self._land[land], coast)))

    def powers(self) -> Table:
        """Return the table of the powers."""
        short = _abbreviated((each.nick, each.faction) for each in self.players)
        return {
            name: {
                "name": player.faction,
                "homes": [self._place(self.regions[at]) for at in player.holdings],
                "units": [
                    f"{'AF'[fleet]} {self._place(self.regions[at])}"
                    for at, fleet in player.units
                ],
            }
            for name, player in zip(short, self.players, strict=True)
        }


def _abbreviated(names: Iterable[tuple[str, str]]) -> list[str]:
    """Return three letters for each nick and name: the nick's own if it has three."""
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

"""The map that the tables `powers` and `provinces` of a map file describe."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Final

from .map import Map
from .names import Coast, Location, Power, Province, UnitType
from .plain import TomlTable

LARGEST_MAP: Final = 256
"""Provinces, as many as the low byte of a token can tell apart."""
FIRST_TOKEN: Final = 0x5000
LAST_TOKEN: Final = 0x57FF
EVERY_CENTRE: Final = "all"
"""What stands for a list of all supply centres."""
NAME: Final = re.compile(r"[A-Z0-9]{3}")

POWER_KEYS: Final = ("name", "adjective", "colour", "homes", "units", "owns")
PROVINCE_KEYS: Final = ("name", "centre", "army", "fleet", "token")

MapNode = tuple[UnitType, Location]


class MapReader:
    """Turns plain data into a map, and complains about what does not fit."""

    def __init__(self, top: TomlTable) -> None:
        self.top = top
        self.powers = tuple(top.entry("powers").entries())
        self.provinces = {each.name: each for each in top.entry("provinces").entries()}
        _check(self.powers, POWER_KEYS)
        _check(self.provinces.values(), PROVINCE_KEYS)
        if len(self.provinces) > LARGEST_MAP:
            found = f"{len(self.provinces)} of them"
            top.refuse("provinces", found, f"{LARGEST_MAP} at most")

    def map(self) -> Map:
        """Return the map."""
        neighbours = dict(self._neighbours())
        provinces = self._in_token_order(neighbours)
        index = {province: place for place, province in enumerate(provinces)}
        return Map(
            name=self.top.get("name", str),
            powers=tuple(Power(power.name) for power in self.powers),
            provinces=provinces,
            centres=frozenset(map(Province, self.centres)),
            homes={
                Power(power.name): frozenset(self.centres_in(power, "homes"))
                for power in self.powers
            },
            neighbours={
                standing: tuple(sorted(places, key=lambda at: index[at.province]))
                for standing, places in neighbours.items()
            },
            victory=self._victory(),
            fixed_numbers=self._tokens,
        )

    # Parts that the start position needs as well

    @cached_property
    def centres(self) -> frozenset[str]:
        """The names of the supply centres."""
        return frozenset(
            name
            for name, entry in self.provinces.items()
            if entry.has("centre") and entry.get("centre", bool)
        )

    def centres_in(self, entry: TomlTable, key: str) -> Iterator[Province]:
        """Yield the supply centres that the list *key* of *entry* names, or all."""
        if entry.data.get(key) == EVERY_CENTRE:
            yield from map(Province, self.centres)
            return
        for text in entry.texts(key):
            province = self._province(entry, key, text)
            if text not in self.centres:
                entry.refuse(key, text, f"a supply centre; {text} is none")
            yield province

    def location(self, entry: TomlTable, key: str, text: str) -> Location:
        """Return the location that *text*, found in *key*, means: `PAR`, `STP/NCS`."""
        name, _, coast = text.partition("/")
        province = self._province(entry, key, name)
        return Location(province, _coast(entry, key, coast) if coast else None)

    # Adjacency

    def _province(self, entry: TomlTable, key: str, name: str) -> Province:
        if name not in self.provinces:
            entry.fail(key, f"no province is called {name!r}")
        return Province(name)

    def _neighbours(self) -> Iterator[tuple[MapNode, tuple[Location, ...]]]:
        for name, entry in self.provinces.items():
            at = Location(Province(name))
            if entry.has("army"):
                yield (UnitType.ARMY, at), self._places(entry, "army")
            if isinstance(entry.data.get("fleet"), Mapping):
                coasts = entry.entry("fleet")
                for text in coasts.data:
                    coast = Location(at.province, _coast(entry, "fleet", text))
                    yield (UnitType.FLEET, coast), self._places(coasts, text)
            elif entry.has("fleet"):
                yield (UnitType.FLEET, at), self._places(entry, "fleet")
            elif not entry.has("army"):
                entry.fail("army", "nothing found, nor for fleet")

    def _places(self, entry: TomlTable, key: str) -> tuple[Location, ...]:
        return tuple(self.location(entry, key, text) for text in entry.texts(key))

    # Numbers

    def _victory(self) -> int | None:
        if not self.top.has("victory"):
            return None
        victory = self.top.get("victory", int)
        if not 1 <= victory <= len(self.centres):
            expected = f"centres, from 1 to {len(self.centres)}"
            self.top.refuse("victory", victory, expected)
        return victory

    @cached_property
    def _tokens(self) -> Mapping[Province, int]:
        """The tokens that the data gives, each with a low byte of its own."""
        tokens: dict[Province, int] = {}
        free = set(range(len(self.provinces)))
        for name, entry in self.provinces.items():
            if not entry.has("token"):
                continue
            token = entry.get("token", int)
            if not FIRST_TOKEN <= token <= LAST_TOKEN or token & 0xFF not in free:
                last = len(self.provinces) - 1
                expected = f"0x50 to 0x57, then a low byte of its own up to {last:#04x}"
                entry.refuse("token", f"{token:#06x}", expected)
            free.remove(token & 0xFF)
            tokens[Province(name)] = token
        return tokens

    def _in_token_order(
        self, neighbours: Mapping[MapNode, tuple[Location, ...]]
    ) -> tuple[Province, ...]:
        """Return the provinces by the low bytes of their tokens.

        One that has a token of its own takes the place that it says. The others
        fill the rest by category and then by name: inland, sea, coastal,
        bicoastal, centres last in each.
        """
        coasts: dict[str, int] = {}
        for kind, at in neighbours:
            fleets = kind is UnitType.FLEET
            coasts[at.province] = coasts.get(at.province, 0) + fleets

        def key(name: str) -> tuple[int, bool, str]:
            # As AiServer's files have it, an island is numbered among the seas.
            by_land = neighbours.get((UnitType.ARMY, Location(Province(name))))
            category = 1 if not by_land else 1 + min(coasts[name], 2)
            inland = by_land is not None and not coasts[name]
            return 0 if inland else category, name in self.centres, name

        placed = {token & 0xFF: province for province, token in self._tokens.items()}
        rest = iter(
            Province(name)
            for name in sorted(self.provinces, key=key)
            if name not in self._tokens
        )
        return tuple(
            placed[place] if place in placed else next(rest)
            for place in range(len(self.provinces))
        )


def _check(entries: Iterable[TomlTable], known: tuple[str, ...]) -> None:
    for entry in entries:
        if not NAME.fullmatch(entry.name):
            table = TomlTable({}, entry.keys[:-1])
            expected = "a name of three capitals or digits"
            table.refuse(entry.name, entry.name, expected)
        entry.holds_only(known)


def _coast(entry: TomlTable, key: str, text: str) -> Coast:
    try:
        return Coast(text)
    except ValueError:
        expected = ", ".join(coast.value for coast in Coast)
        entry.fail(key, f"no coast is called {text!r}, expected one of {expected}")

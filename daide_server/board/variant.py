"""A variant: a map, and how a game on it starts.

Variants are data. `from_mapping` reads what a file under `maps/` says and names
the key and the value of what it cannot accept.
"""

from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from attrs import frozen

from .map import Map
from .names import Coast, Location, Power, Province, Unit, UnitType
from .position import Position
from .turns import Season, Turn

T = TypeVar("T")


class VariantError(ValueError):
    """A variant's data is wrong; the message says where and what was expected."""


@frozen(eq=False)
class Variant:
    """A map with its starting position and the names that people read."""

    name: str
    map: Map
    start: Position
    titles: Mapping[str, str]
    """The full name of each power and province."""


def from_mapping(data: Mapping[str, Any]) -> Variant:
    """Return the variant that *data*, the content of a map file, describes.

    Raises `VariantError` where something is missing or wrong.
    """
    return _Reader(data).variant()


class _Reader:
    """Turns plain data into a variant, and complains about what does not fit."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.name: str = _get(data, "name", str, "variant")
        self.powers: Mapping[str, Any] = _get(data, "powers", dict, self.name)
        self.provinces: Mapping[str, Any] = _get(data, "provinces", dict, self.name)
        self.first_turn: str = _get(data, "first_turn", str, self.name)

    def variant(self) -> Variant:
        ground = self._map()
        titles = {
            name: _get(entry, "name", str, name)
            for table in (self.powers, self.provinces)
            for name, entry in table.items()
        }
        return Variant(self.name, ground, self._start(ground), titles)

    def _map(self) -> Map:
        neighbours = {
            (unit_type, at): tuple(self._location(text, str(at)) for text in texts)
            for unit_type, at, texts in self._adjacencies()
        }
        provinces = self._in_token_order(neighbours)
        index = {province: place for place, province in enumerate(provinces)}
        return Map(
            name=self.name,
            powers=tuple(Power(power) for power in self.powers),
            provinces=provinces,
            centres=frozenset(
                province for province in provinces if self._is_centre(province)
            ),
            homes={Power(power): self._homes(power) for power in self.powers},
            neighbours={
                key: tuple(sorted(places, key=lambda at: index[at.province]))
                for key, places in neighbours.items()
            },
        )

    def _adjacencies(self) -> Iterator[tuple[UnitType, Location, list[str]]]:
        for name, entry in self.provinces.items():
            province = Province(name)
            if "army" in entry:
                yield UnitType.ARMY, Location(province), entry["army"]
            fleet = entry.get("fleet", None)
            if isinstance(fleet, Mapping):
                for coast, places in fleet.items():
                    at = Location(province, _coast(coast, name))
                    yield UnitType.FLEET, at, places
            elif fleet is not None:
                yield UnitType.FLEET, Location(province), fleet

    def _in_token_order(
        self, neighbours: Mapping[tuple[UnitType, Location], object]
    ) -> tuple[Province, ...]:
        """Return the provinces by category of token, then by name.

        Inland, sea, coastal, bicoastal, centres last in each: the order of the
        low bytes in DAIDE's representation message.
        """

        def key(name: str) -> tuple[int, bool, str]:
            province = Province(name)
            land = (UnitType.ARMY, Location(province)) in neighbours
            coasts = sum(
                kind is UnitType.FLEET and at.province == province
                for kind, at in neighbours
            )
            category = 1 if not land else 0 if not coasts else 1 + min(coasts, 2)
            return category, self._is_centre(province), name

        return tuple(Province(name) for name in sorted(self.provinces, key=key))

    def _is_centre(self, province: Province) -> bool:
        return bool(self.provinces[province].get("centre", False))

    def _homes(self, power: str) -> frozenset[Province]:
        homes = _get(self.powers[power], "homes", list, power)
        for home in homes:
            self._province(home, power)
            if not self._is_centre(Province(home)):
                message = f"{self.name}: {power}: homes: {home} is not a centre"
                raise VariantError(message)
        return frozenset(Province(home) for home in homes)

    def _start(self, ground: Map) -> Position:
        units = [
            self._unit(ground, power, text)
            for power, entry in self.powers.items()
            for text in _get(entry, "units", list, power)
        ]
        owned = {
            Province(centre): Power(power)
            for power, entry in self.powers.items()
            for centre in entry.get("owns", entry["homes"])
        }
        return Position(
            turn=_turn(self.first_turn, self.name),
            units=tuple(sorted(units, key=ground.sort_key)),
            owners={at: owned[at] for at in ground.provinces if at in owned},
        )

    def _unit(self, ground: Map, power: str, text: str) -> Unit:
        letter, _, place = text.partition(" ")
        location = self._location(place, power)
        if letter not in {"A", "F"} or not ground.can_stand(UnitType(letter), location):
            message = (
                f"{self.name}: {power}: units: {text!r} cannot stand there; "
                "expected such as 'A PAR' or 'F STP/SCS'"
            )
            raise VariantError(message)
        return ground.unit(Power(power), UnitType(letter), location)

    def _location(self, text: str, where: str) -> Location:
        name, _, coast = text.partition("/")
        province = self._province(name, where)
        return Location(province, _coast(coast, where) if coast else None)

    def _province(self, name: str, where: str) -> Province:
        if name not in self.provinces:
            message = f"{self.name}: {where}: no province is called {name!r}"
            raise VariantError(message)
        return Province(name)


def _get(data: Mapping[str, Any], key: str, kind: type[T], where: str) -> T:
    found = data.get(key)
    if not isinstance(found, kind):
        message = f"{where}: {key}: found {found!r}, expected a {kind.__name__}"
        raise VariantError(message)
    return found


def _coast(text: str, where: str) -> Coast:
    try:
        return Coast(text)
    except ValueError:
        expected = ", ".join(coast.value for coast in Coast)
        message = f"{where}: no coast is called {text!r}, expected one of {expected}"
        raise VariantError(message) from None


def _turn(text: str, where: str) -> Turn:
    season, _, year = text.partition(" ")
    try:
        return Turn(Season(season), int(year))
    except ValueError:
        message = f"{where}: first_turn: found {text!r}, expected such as 'SPR 1901'"
        raise VariantError(message) from None

"""The content of a map file: its tables, its errors, and the `Map` in it.

An error names the keys that lead to a value, what was found, and what was expected. The
format: docs/maps.md. Provinces are numbered as in the Representation Message of DAIDE
(Message Syntax, RM): by category, then by name.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property, partial
from typing import Any, NoReturn, TypeVar

from msgspec import Struct

from daide_server.errors import quoted

from .map import Map, MapNode, Position, Turn, Variant, VariantError
from .names import Coast, Location, Power, Province, Unit, UnitType
from .notation import NotationError, read_turn

MAX_ERRORS = 50
"""The maximum number of errors of one file."""

TomlData = dict[str, Any]
"""A table as `tomllib` returns it."""

_T = TypeVar("_T")

_EXPECTED: Mapping[type, str] = {
    str: "a text",
    int: "a whole number",
    bool: "true or false",
    list: "a list",
    dict: "a table",
}


class ErrorCollector:
    """Collects the errors of one map file, one for each key, in reading order.

    Data on which the rest of the file depends is read outside `attempt`: its error ends
    the reading, because further errors may only follow from it.
    """

    def __init__(self) -> None:
        self._errors: dict[tuple[str, ...], VariantError] = {}

    def add(self, error: VariantError) -> None:
        """Keep *error*, unless one with the same keys is kept already."""
        self._errors.setdefault(error.keys, error)

    def attempt(self, read: Callable[[], _T], otherwise: _T) -> _T:
        """Return the result of *read*, or keep its error and return *otherwise*."""
        try:
            return read()
        except VariantError as error:
            self.add(error)
            return otherwise

    def check(self) -> None:
        """Raise the first error, the others attached to it, if there is any."""
        if self._errors:
            first, *others = list(self._errors.values())[:MAX_ERRORS]
            first.others = tuple(others)
            raise first


class TomlTable(Struct, frozen=True):
    """A table of plain data, and the keys that lead to it from the top of the file."""

    data: Mapping[str, Any]
    keys: tuple[str, ...]

    @property
    def name(self) -> str:
        """Return the table's own key."""
        return self.keys[-1]

    def has(self, key: str) -> bool:
        """Return whether the table has *key*."""
        return key in self.data

    def get(self, key: str, kind: type[_T]) -> _T:
        """Return the value of *key*; raises `VariantError` if it is not a *kind*."""
        found = self.data.get(key)
        if type(found) is not kind:
            self.refuse(key, found, _EXPECTED[kind])
        return found

    def title(self, key: str) -> str:
        """Return the text of *key*, which people read and DAIDE sends.

        Raises `VariantError` if it is none, empty, or has characters such as tabs.
        """
        found = self.get(key, str)
        if not found or not found.isprintable():
            self.refuse(key, found, "a text of printable characters")
        return found

    def texts(self, key: str) -> tuple[str, ...]:
        """Return the texts in the list *key*; raises `VariantError`."""
        found = self.get(key, list)
        for each in found:
            if not isinstance(each, str):
                self.refuse(key, each, _EXPECTED[str])
        return tuple(found)

    def entry(self, key: str) -> "TomlTable":
        """Return the table called *key*; raises `VariantError` if it is no table."""
        return TomlTable(self.get(key, dict), (*self.keys, key))

    def entries(self) -> Iterator["TomlTable"]:
        """Yield the tables in this one; raises `VariantError` for other values."""
        return (self.entry(key) for key in self.data)

    def unknown_keys(self, known: Collection[str]) -> Iterator[VariantError]:
        """Yield an error for each key that is not among the *known*."""
        for key in self.data:
            if key not in known:
                yield self.error(key, f"no such key, expected {', '.join(known)}")

    def refuse(self, key: str, found: object, expected: str) -> NoReturn:
        """Raise the error that *key* has the value *found* instead of *expected*."""
        self.fail(key, f"found {quoted(found)}, expected {expected}")

    def fail(self, key: str, problem: str) -> NoReturn:
        """Raise the error that *key* has *problem*."""
        raise self.error(key, problem) from None

    def error(self, key: str, problem: str) -> VariantError:
        """Return the error that *key* has *problem*."""
        message = ": ".join((*self.keys, key, problem))
        return VariantError(message, (*self.keys[1:], key))


MAX_PROVINCES = 256
"""The maximum number of provinces: the low byte of a token distinguishes no more."""
FIRST_TOKEN = 0x5000
LAST_TOKEN = 0x57FF
"""The range of DAIDE's tokens for provinces."""
EVERY_CENTRE = "all"
"""The text that stands for a list of all supply centres."""
NAME = re.compile(r"[A-Z0-9]{3}")

POWER_KEYS = ("name", "adjective", "colour", "homes", "units", "owns")
PROVINCE_KEYS = ("name", "centre", "army", "fleet", "token")


class MapReader:
    """Reads plain data to a map.

    Raises `VariantError` for an error that makes the rest unreadable; *errors*
    collects the others.
    """

    def __init__(self, top: TomlTable, errors: ErrorCollector) -> None:
        self.top = top
        self.errors = errors
        self.powers = tuple(top.entry("powers").entries())
        self.provinces = {each.name: each for each in top.entry("provinces").entries()}
        self._check(self.powers, POWER_KEYS)
        self._check(self.provinces.values(), PROVINCE_KEYS)
        if len(self.provinces) > MAX_PROVINCES:
            found = f"{len(self.provinces)} of them"
            top.refuse("provinces", found, f"{MAX_PROVINCES} at most")

    def map(self) -> Map:
        """Return the map; raises `VariantError`."""
        neighbours = dict(self._neighbours())
        provinces = self._in_token_order(neighbours)
        index = {province: place for place, province in enumerate(provinces)}
        return Map(
            name=self.top.title("name"),
            powers=tuple(Power(power.name) for power in self.powers),
            provinces=provinces,
            centres=frozenset(map(Province, self.centres)),
            homes={
                Power(power.name): frozenset(self._homes(power))
                for power in self.powers
            },
            neighbours={
                node: tuple(sorted(places, key=lambda at: index[at.province]))
                for node, places in neighbours.items()
            },
            victory=self.errors.attempt(self._victory, None),
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

    def centres_in(self, entry: TomlTable, key: str) -> tuple[Province, ...]:
        """Return the supply centres in the list *key* of *entry*; `"all"` is all.

        Raises `VariantError` for a name that is no supply centre.
        """
        if entry.data.get(key) == EVERY_CENTRE:
            return tuple(map(Province, self.centres))
        return tuple(self._centre(entry, key, text) for text in entry.texts(key))

    def location(self, entry: TomlTable, key: str, text: str) -> Location:
        """Return the location that *text* in *key* names: `PAR`, `STP/NCS`.

        Raises `VariantError` if there is no such province or coast.
        """
        name, _, coast = text.partition("/")
        province = self._province(entry, key, name)
        return Location(province, _coast(entry, key, coast) if coast else None)

    def _homes(self, power: TomlTable) -> tuple[Province, ...]:
        return self.errors.attempt(partial(self.centres_in, power, "homes"), ())

    def _centre(self, entry: TomlTable, key: str, name: str) -> Province:
        province = self._province(entry, key, name)
        if name not in self.centres:
            entry.refuse(key, name, f"a supply centre; {name} is none")
        return province

    # Adjacency

    def _province(self, entry: TomlTable, key: str, name: str) -> Province:
        if name not in self.provinces:
            entry.fail(key, f"no province is called {name!r}")
        return Province(name)

    def _neighbours(self) -> Iterator[tuple[MapNode, tuple[Location, ...]]]:
        for name, entry in self.provinces.items():
            at = Location(Province(name))
            if entry.has("army"):
                read = partial(self._places, entry, "army")
                yield (UnitType.ARMY, at), self.errors.attempt(read, ())
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

    # Keys and numbers

    def _check(self, entries: Iterable[TomlTable], known: tuple[str, ...]) -> None:
        for entry in entries:
            if not NAME.fullmatch(entry.name):
                table = TomlTable({}, entry.keys[:-1])
                expected = "a name of three capitals or digits"
                table.refuse(entry.name, entry.name, expected)
            for error in entry.unknown_keys(known):
                self.errors.add(error)

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
        """The tokens in the data, with different low bytes."""
        tokens: dict[Province, int] = {}
        free = set(range(len(self.provinces)))
        for name, entry in self.provinces.items():
            if entry.has("token"):
                token = self.errors.attempt(partial(self._token, entry, free), None)
                if token is not None:
                    tokens[Province(name)] = token
        return tokens

    def _token(self, entry: TomlTable, free: set[int]) -> int:
        """Return the token of *entry*, and remove its low byte from *free*."""
        token = entry.get("token", int)
        if not FIRST_TOKEN <= token <= LAST_TOKEN or token & 0xFF not in free:
            last = len(self.provinces) - 1
            expected = f"0x50 to 0x57, then a low byte of its own up to {last:#04x}"
            entry.refuse("token", f"{token:#06x}", expected)
        free.remove(token & 0xFF)
        return token

    def _in_token_order(
        self, neighbours: Mapping[MapNode, tuple[Location, ...]]
    ) -> tuple[Province, ...]:
        """Return the provinces in the order of the low bytes of their tokens.

        The data may fix the token of a province. The other provinces fill the free
        places by category, then by name: inland, sea, coastal, bicoastal; supply
        centres come last in each category.
        """
        coasts: dict[str, int] = {}
        for kind, at in neighbours:
            fleets = kind is UnitType.FLEET
            coasts[at.province] = coasts.get(at.province, 0) + fleets

        def key(name: str) -> tuple[int, bool, str]:
            # AiServer's files number an island among the seas.
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


def _coast(entry: TomlTable, key: str, text: str) -> Coast:
    try:
        return Coast(text)
    except ValueError:
        expected = ", ".join(coast.value for coast in Coast)
        entry.fail(key, f"no coast is called {text!r}, expected one of {expected}")


KEYS = ("name", "map", "first_turn", "victory", "powers", "provinces")
COLOUR = re.compile(r"#[0-9a-f]{6}")


def from_mapping(data: Mapping[str, Any]) -> Variant:
    """Return the variant that *data*, the content of a map file, describes.

    Raises `VariantError`: the first thing that is missing or wrong, with the others.
    """
    errors = ErrorCollector()
    variant = errors.attempt(partial(_read, data, errors), None)
    errors.check()
    assert variant is not None
    return variant


def errors_in(data: Mapping[str, Any]) -> tuple[VariantError, ...]:
    """Return all that is wrong with *data*, the content of a map file."""
    try:
        from_mapping(data)
    except VariantError as error:
        return (error, *error.others)
    return ()


def on_map_of(data: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Return *data* with the provinces of *other*, and its keys of the same powers.

    Keys of a power in *data* override those in *other*; powers that are only in
    *other* do not play.
    """
    known = other.get("powers", {})
    powers = data.get("powers")
    if isinstance(powers, Mapping):
        powers = {
            name: {**known.get(name, {}), **own} if isinstance(own, Mapping) else own
            for name, own in powers.items()
        }
    return {"provinces": other.get("provinces"), **data, "powers": powers}


def _read(data: Mapping[str, Any], errors: ErrorCollector) -> Variant:
    name = TomlTable(data, ("variant",)).title("name")
    top = TomlTable(data, (name,))
    for error in top.unknown_keys(KEYS):
        errors.add(error)
    reader = MapReader(top, errors)
    board_map = reader.map()
    return Variant(
        name=name,
        map=board_map,
        start=_start(reader, board_map),
        titles={
            entry.name: entry.title("name")
            for entry in (*reader.powers, *reader.provinces.values())
        },
        adjectives=_optional(
            reader, "adjective", lambda power: power.title("adjective")
        ),
        colours=_optional(reader, "colour", _colour),
    )


def _start(reader: MapReader, board_map: Map) -> Position:
    units: list[Unit] = []
    for power in reader.powers:
        units += reader.errors.attempt(partial(_units, reader, board_map, power), [])
    owned: dict[Province, Power] = {}
    for power in reader.powers:
        reader.errors.attempt(partial(_own, reader, power, owned), None)
    return Position(
        turn=_turn(reader.top),
        units=tuple(sorted(units, key=board_map.sort_key)),
        owners={at: owned[at] for at in board_map.provinces if at in owned},
    )


def _own(reader: MapReader, power: TomlTable, owned: dict[Province, Power]) -> None:
    """Add the centres that *power* owns at the start to *owned*."""
    key = "owns" if power.has("owns") else "homes"
    for centre in reader.centres_in(power, key):
        owner = owned.setdefault(centre, Power(power.name))
        if owner != power.name:
            power.fail("owns", f"{centre} is {owner}'s; expected a list without it")


def _units(reader: MapReader, board_map: Map, power: TomlTable) -> list[Unit]:
    return [_unit(reader, board_map, power, text) for text in power.texts("units")]


def _unit(reader: MapReader, board_map: Map, power: TomlTable, text: str) -> Unit:
    letter, _, place = text.partition(" ")
    expected = "a unit such as 'A PAR' or 'F STP/SCS'"
    if letter not in {"A", "F"}:
        power.refuse("units", text, expected)
    location = reader.location(power, "units", place)
    if not board_map.can_stand(UnitType(letter), location):
        power.fail("units", f"{text!r} cannot stand there, expected {expected}")
    return board_map.unit(Power(power.name), UnitType(letter), location)


def _turn(top: TomlTable) -> Turn:
    text = top.get("first_turn", str)
    try:
        return read_turn(text)
    except NotationError:
        top.refuse("first_turn", text, "a turn such as 'SPR 1901'")


def _colour(power: TomlTable) -> str:
    colour = power.get("colour", str)
    if not COLOUR.fullmatch(colour):
        power.refuse("colour", colour, "a colour such as '#2255aa'")
    return colour


def _optional(
    reader: MapReader, key: str, read: Callable[[TomlTable], str]
) -> Mapping[Power, str]:
    """Return the results of *read* for each power that has *key*."""
    found = {
        Power(power.name): reader.errors.attempt(partial(read, power), None)
        for power in reader.powers
        if power.has(key)
    }
    return {power: text for power, text in found.items() if text is not None}

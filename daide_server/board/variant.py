"""Reads variants, which are data: the content of a map file (docs/maps.md).

Its errors name the key, the value found, and what was expected.
"""

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from .map import Map, Position, Turn, Variant, VariantError
from .map_reading import ErrorCollector, MapReader, TomlTable
from .names import Power, Province, Unit, UnitType
from .notation import NotationError, read_turn

KEYS: Final = ("name", "map", "first_turn", "victory", "powers", "provinces")
COLOUR: Final = re.compile(r"#[0-9a-f]{6}")


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
        adjectives=_optional(reader, "adjective", _adjective),
        colours=_optional(reader, "colour", _colour),
    )


def _start(reader: MapReader, board_map: Map) -> Position:
    units: list[Unit] = []
    for power in reader.powers:
        units += reader.errors.attempt(partial(_units, reader, board_map, power), [])
    owned = _owners(reader)
    return Position(
        turn=_turn(reader.top),
        units=tuple(sorted(units, key=board_map.sort_key)),
        owners={at: owned[at] for at in board_map.provinces if at in owned},
    )


def _owners(reader: MapReader) -> Mapping[Province, Power]:
    owned: dict[Province, Power] = {}
    for power in reader.powers:
        reader.errors.attempt(partial(_own, reader, power, owned), None)
    return owned


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
    expected = "such as 'A PAR' or 'F STP/SCS'"
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
        top.refuse("first_turn", text, "such as 'SPR 1901'")


def _adjective(power: TomlTable) -> str:
    return power.title("adjective")


def _colour(power: TomlTable) -> str:
    colour = power.get("colour", str)
    if not COLOUR.fullmatch(colour):
        power.refuse("colour", colour, "such as '#2255aa'")
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

"""A variant: a map, and how a game on it starts.

Variants are data. `from_mapping` reads what a file under `maps/` says and names
the key and the value of what it cannot accept.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from attrs import frozen

from .map import Map
from .map_reading import MapReader
from .names import Power, Province, Unit, UnitType
from .notation import NotationError, read_turn
from .plain import TomlTable
from .plain import VariantError as VariantError
from .position import Position
from .turns import Turn

KEYS: Final = ("name", "map", "first_turn", "victory", "powers", "provinces")
COLOUR: Final = re.compile(r"#[0-9a-f]{6}")


@frozen(eq=False)
class Variant:
    """A map with its starting position and the names that people read."""

    name: str
    map: Map
    start: Position
    titles: Mapping[str, str]
    """The full name of each power and province."""
    adjectives: Mapping[Power, str] = {}
    colours: Mapping[Power, str] = {}
    """What pictures paint a power with, such as `#2255aa`, where the file tells."""


def from_mapping(data: Mapping[str, Any]) -> Variant:
    """Return the variant that *data*, the content of a map file, describes.

    Raises `VariantError` where something is missing or wrong.
    """
    name = TomlTable(data, ("variant",)).get("name", str)
    top = TomlTable(data, (name,))
    top.holds_only(KEYS)
    reader = MapReader(top)
    board_map = reader.map()
    return Variant(
        name=name,
        map=board_map,
        start=_start(reader, board_map),
        titles={
            entry.name: entry.get("name", str)
            for entry in (*reader.powers, *reader.provinces.values())
        },
        adjectives=_optional(reader, "adjective"),
        colours=_colours(reader),
    )


def on_map_of(data: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Return *data* with the provinces of *other*, and what that tells of powers.

    A power has from *other* whatever *data* does not say; one that *data* does not
    name does not play.
    """
    known = other.get("powers", {})
    powers = data.get("powers")
    if isinstance(powers, Mapping):
        powers = {
            name: {**known.get(name, {}), **own} if isinstance(own, Mapping) else own
            for name, own in powers.items()
        }
    return {"provinces": other.get("provinces"), **data, "powers": powers}


def _start(reader: MapReader, board_map: Map) -> Position:
    units = [
        _unit(reader, board_map, power, text)
        for power in reader.powers
        for text in power.texts("units")
    ]
    owned = _owners(reader)
    return Position(
        turn=_turn(reader.top),
        units=tuple(sorted(units, key=board_map.sort_key)),
        owners={at: owned[at] for at in board_map.provinces if at in owned},
    )


def _owners(reader: MapReader) -> Mapping[Province, Power]:
    owned: dict[Province, Power] = {}
    for power in reader.powers:
        key = "owns" if power.has("owns") else "homes"
        for centre in reader.centres_in(power, key):
            owner = owned.setdefault(centre, Power(power.name))
            if owner != power.name:
                power.fail("owns", f"{centre} is {owner}'s; expected a list without it")
    return owned


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


def _colours(reader: MapReader) -> Mapping[Power, str]:
    colours = _optional(reader, "colour")
    for power in reader.powers:
        colour = colours.get(Power(power.name), "#000000")
        if not COLOUR.fullmatch(colour):
            power.refuse("colour", colour, "such as '#2255aa'")
    return colours


def _optional(reader: MapReader, key: str) -> Mapping[Power, str]:
    return {
        Power(power.name): power.get(key, str)
        for power in reader.powers
        if power.has(key)
    }

"""A variant as the text of a map file, like those in `maps/` (docs/maps.md).

The writer omits what the reader derives from the rest, such as `owns` equal to `homes`.
"""

from collections.abc import Iterator, Mapping
from json import dumps
from re import compile as pattern

from daide_server.board.map import Map, Variant
from daide_server.board.map_reading import EVERY_CENTRE
from daide_server.board.names import Location, Power, Province, UnitType

_KEY_OR_TABLE = pattern(r"""\s*(?:\[(?P<table>[^]\[]+)]|(?P<key>[\w."' \t-]+?)\s*=)""")
"""The header of a table, or the key of a value."""

FILE_HEADER = """\
# {title}. `army` and `fleet` list what is next to a province for each unit type,
# `fleet` by coast where there are several. The format: docs/maps.md

"""


def to_toml(variant: Variant) -> str:
    """Return the text of a map file that describes *variant*."""
    board_map = variant.map
    lines = [FILE_HEADER.format(title=variant.name.replace("_", " ").capitalize())]
    lines += [f"name = {dumps(variant.name)}\n"]
    lines += [f"first_turn = {dumps(str(variant.start.turn))}\n"]
    if board_map.victory is not None:
        lines += [f"victory = {board_map.victory}\n"]
    lines += ["\n[powers]\n"]
    lines += [_entry(power, _power(variant, power)) for power in board_map.powers]
    lines += ["\n[provinces]\n"]
    lines += [
        _entry(name, _province(variant, name)) for name in sorted(board_map.index)
    ]
    return "".join(lines)


def line_of(text: str, keys: tuple[str, ...]) -> int:
    """Return the number of the line in a map file that defines what *keys* lead to.

    A value may stand on the line of a table around it; then that line is returned. The
    number is 0 if no part of *keys* has a line.
    """
    table: tuple[str, ...] = ()
    deepest, found = 0, 0
    for number, line in enumerate(text.splitlines(), 1):
        match = _KEY_OR_TABLE.match(line)
        if match is None:
            continue
        if match["table"]:
            table = path = _path(match["table"])
        else:
            path = (*table, *_path(match["key"]))
        if path == keys[: len(path)] and len(path) > deepest:
            deepest, found = len(path), number
    return found


def _path(dotted: str) -> tuple[str, ...]:
    """Return the keys in a dotted key: `a."b"` is `a`, `b`."""
    return tuple(name.strip(" \t\"'") for name in dotted.split("."))


def _entry(name: str, values: Iterator[tuple[str, str]]) -> str:
    return f"{name} = {{ {', '.join(f'{key} = {value}' for key, value in values)} }}\n"


def _power(variant: Variant, power: Power) -> Iterator[tuple[str, str]]:
    yield "name", _text(variant.titles[power])
    if power in variant.adjectives:
        yield "adjective", _text(variant.adjectives[power])
    if power in variant.colours:
        yield "colour", _text(variant.colours[power])
    homes = variant.map.homes[power]
    all_centres = homes == variant.map.centres and len(variant.map.powers) > 1
    yield "homes", _text(EVERY_CENTRE) if all_centres else _texts(sorted(homes))
    owned = variant.start.centres_of(power)
    if set(owned) != homes:
        yield "owns", _texts(sorted(owned))
    yield "units", _texts(sorted(map(str, variant.start.units_of(power))))


def _province(variant: Variant, name: Province) -> Iterator[tuple[str, str]]:
    board_map = variant.map
    yield "name", _text(variant.titles[name])
    if name in board_map.fixed_numbers:
        yield "token", f"0x{board_map.fixed_numbers[name]:04X}"
    if name in board_map.centres:
        yield "centre", "true"
    whole = Location(name)
    if board_map.can_stand(UnitType.ARMY, whole):
        yield "army", _places(board_map, UnitType.ARMY, whole)
    if name in board_map.coasts:
        coasts = {
            coast.value: _places(board_map, UnitType.FLEET, Location(name, coast))
            for coast in board_map.coasts[name]
        }
        yield "fleet", _table(coasts)
    elif board_map.can_stand(UnitType.FLEET, whole):
        yield "fleet", _places(board_map, UnitType.FLEET, whole)


def _places(board_map: Map, kind: UnitType, at: Location) -> str:
    return _texts(sorted(map(str, board_map.neighbours[kind, at])))


def _table(values: Mapping[str, str]) -> str:
    return f"{{ {', '.join(f'{key} = {values[key]}' for key in sorted(values))} }}"


def _texts(texts: list[str]) -> str:
    return f"[{', '.join(map(_text, texts))}]"


def _text(text: str) -> str:
    return dumps(text, ensure_ascii=False)

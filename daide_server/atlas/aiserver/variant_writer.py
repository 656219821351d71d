"""A variant as AiServer's files.

The .mdf, .now and .sco are messages of DAIDE's Message Syntax (MDF, NOW, SCO) as text.
"""

from collections.abc import Callable, Mapping
from typing import Final

from daide_server.board.map import Map
from daide_server.board.names import Location, Power, Province, Unit, UnitType
from daide_server.board.variant import Variant
from daide_server.language.vocabulary import Vocabulary

from .definition import ARMY, FLEET, UNOWNED, write_titles

UNIT_NAMES: Final[Mapping[UnitType, str]] = {UnitType.ARMY: ARMY, UnitType.FLEET: FLEET}


def write(variant: Variant) -> dict[str, str]:
    """Return the texts of the files of *variant*, by their extensions."""
    return {extension: writer(variant) for extension, writer in _WRITERS.items()}


def _definition(variant: Variant) -> str:
    board_map = variant.map
    centres = "\n  ".join(
        _group(_owners(powers), *provinces)
        for powers, provinces in _homes(board_map).items()
    )
    others = _group(
        *(each for each in board_map.provinces if each not in board_map.centres)
    )
    borders = "\n ".join(_borders(board_map, each) for each in board_map.provinces)
    return f"MDF {_group(*board_map.powers)}\n(({centres})\n {others})\n({borders})\n"


def _homes(board_map: Map) -> Mapping[tuple[Power, ...], list[Province]]:
    """Return the centres by the powers that have them as homes, neutral ones last."""
    homes: dict[tuple[Power, ...], list[Province]] = {
        (power,): [] for power in board_map.powers
    }
    for centre in filter(board_map.centres.__contains__, board_map.provinces):
        owners = tuple(at for at in board_map.powers if centre in board_map.homes[at])
        homes.setdefault(owners, []).append(centre)
    neutral = homes.pop((), [])
    return {**{owners: at for owners, at in homes.items() if at}, (): neutral}


def _owners(powers: tuple[Power, ...]) -> str:
    if len(powers) > 1:
        return _group(*powers)
    return powers[0] if powers else UNOWNED


def _borders(board_map: Map, province: Province) -> str:
    """Return such as `(PAR(AMY BRE BUR)(FLT ...))`."""
    groups = (
        _group(_unit_place(kind, at), *map(_place, places))
        for (kind, at), places in board_map.neighbours.items()
        if at.province == province
    )
    return f"({province}{''.join(groups)})"


def _unit_place(kind: UnitType, at: Location) -> str:
    return _group(FLEET, at.coast.value) if at.coast else UNIT_NAMES[kind]


def _position(variant: Variant) -> str:
    start = variant.start
    turn = f"NOW ({start.turn})"
    lines = [
        " ".join(map(_unit, start.units_of(power))) for power in variant.map.powers
    ]
    return "\n".join([turn, *filter(None, lines), ""])


def _unit(unit: Unit) -> str:
    return _group(unit.power, UNIT_NAMES[unit.type], _place(unit.location))


def _ownership(variant: Variant) -> str:
    board_map, start = variant.map, variant.start
    unowned = (
        each
        for each in board_map.provinces
        if each in board_map.centres - {*start.owners}
    )
    groups = [
        *(_group(power, *start.centres_of(power)) for power in board_map.powers),
        _group(UNOWNED, *unowned),
    ]
    return "SCO " + "\n    ".join(groups) + "\n"


def _numbers(variant: Variant) -> str:
    entries = Vocabulary.of(variant.map).representation
    lines = (f"{token:04X}:{name}\n" for token, name in entries)
    return f"{len(entries)}\n" + "".join(lines)


def _place(at: Location) -> str:
    return _group(at.province, at.coast.value) if at.coast else at.province


def _group(*words: str) -> str:
    return f"({' '.join(words)})"


_WRITERS: Final[Mapping[str, Callable[[Variant], str]]] = {
    "mdf": _definition,
    "now": _position,
    "sco": _ownership,
    "rem": _numbers,
    "nam": write_titles,
}

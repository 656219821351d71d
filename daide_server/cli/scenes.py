"""Files to scenes: records, and bare positions like those of `adjudicate`."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from daide_server.board.position import Position
from daide_server.board.results import Report
from daide_server.board.turns import Phase
from daide_server.board.variant import Variant
from daide_server.judge.adjudication import adjudicate
from daide_server.judge.rules import DAIDE_RULES, EDITIONS
from daide_server.pictures.scene import Scene
from daide_server.records.errors import FormatError
from daide_server.records.formats import DEFAULT, FORMATS
from daide_server.records.phase_json.names import Names, names_of, phase_turn
from daide_server.records.phase_json.state import Retreats, position_of
from daide_server.records.record import GameRecord, PlayedTurn
from daide_server.storage.boards import read_board
from daide_server.storage.pictures import load_picture
from daide_server.storage.variants import load_variant


class BarePosition(Struct):
    """A position as `adjudicate` reads it; what is missing is empty."""

    phase: str
    units: dict[str, list[str]]
    centers: dict[str, list[str]] = {}
    orders: dict[str, list[str] | None] = {}
    retreats: Retreats = {}
    map: str = "standard"


Scenes = Mapping[str, Scene]
"""Scenes by the names of their phases, in order of time."""


def scenes_in(path: Path) -> Scenes:
    """Return what the file *path* shows.

    Raises `OSError`, `FormatError`, `VariantError` or `PictureError`.
    """
    content = path.read_bytes()
    if _is_record(content):
        return _recorded(FORMATS[DEFAULT].read(content, load_variant))
    try:
        return _bare(msgspec.json.decode(content, type=BarePosition))
    except msgspec.DecodeError as error:
        raise FormatError(str(error)) from None


def start_of(name: str) -> Scenes:
    """Return the start position of the board *name*, one of ours or a file.

    Raises `AtlasError` if it is none, or `PictureError`.
    """
    variant = read_board(name).variant
    return {"start": Scene(variant, load_picture(variant), variant.start)}


class _Shape(Struct):
    """What tells a record from a position."""

    phases: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


def _is_record(content: bytes) -> bool:
    try:
        shape = msgspec.json.decode(content, type=_Shape)
    except msgspec.DecodeError as error:
        raise FormatError(str(error)) from None
    return shape.phases is not msgspec.UNSET


def _recorded(record: GameRecord) -> Scenes:
    variant, names = record.variant, names_of(record.variant.map)
    picture = load_picture(variant)
    scenes = {
        names.phase_text(turn.position.turn): Scene(
            variant, picture, turn.position, _reports(record, turn)
        )
        for turn in record.turns
    }
    last = names.phase_text(record.last.turn) if record.ending is None else COMPLETED
    return {**scenes, last: Scene(variant, picture, record.last)}


COMPLETED: Final = "COMPLETED"


def _reports(record: GameRecord, turn: PlayedTurn) -> tuple[Report, ...]:
    """Return what became of the orders; adjudicated, if the record does not say."""
    if turn.reports or not turn.orders:
        return turn.reports
    rules = EDITIONS.get(record.edition, DAIDE_RULES)
    return adjudicate(record.variant, turn.position, turn.orders, rules).reports


def _bare(bare: BarePosition) -> Scenes:
    variant = load_variant(bare.map)
    names = names_of(variant.map)
    turn = phase_turn(bare.phase)
    retreats = bare.retreats if turn.phase is Phase.RETREATS else {}
    position = position_of(names, turn, bare.units, bare.centers, retreats)
    reports = _adjudicated(variant, names, position, bare.orders)
    return {bare.phase: Scene(variant, load_picture(variant), position, reports)}


def _adjudicated(
    variant: Variant,
    names: Names,
    position: Position,
    orders: Mapping[str, Sequence[str] | None],
) -> tuple[Report, ...]:
    """Return what became of the orders; nothing, if none were given."""
    units = {unit.province: unit for unit in position.units}
    found = [
        names.order(text, names.power(power), units, position.turn.phase)
        for power, texts in orders.items()
        for text in texts or ()
    ]
    return adjudicate(variant, position, found).reports if found else ()

"""Games to scenes: records, and bare positions like those of `adjudicate`."""

from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Final

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from daide_server.board.position import Position
from daide_server.board.results import Report
from daide_server.board.turns import Phase
from daide_server.board.variant import Variant
from daide_server.judge.adjudication import adjudicate
from daide_server.judge.rules import DAIDE_RULES, EDITIONS
from daide_server.pictures.scene import Scene
from daide_server.records.errors import FormatError
from daide_server.records.phase_json.names import Names, names_of, phase_turn
from daide_server.records.phase_json.state import Retreats, position_of
from daide_server.records.record import GameRecord, PlayedTurn
from daide_server.storage.games import Found, games_in, read_game
from daide_server.storage.pictures import load_picture

from .boards import Boards


class BarePosition(Struct):
    """A position as `adjudicate` reads it; what is missing is empty."""

    phase: str
    units: dict[str, list[str]]
    centers: dict[str, list[str]] = {}
    orders: dict[str, list[str] | None] = {}
    retreats: Retreats = {}
    map: str | None = None


Scenes = Mapping[str, Scene]
"""Scenes by the names of their phases, in order of time."""


def scenes_of(found: Found, boards: Boards) -> Scenes:
    """Return what a game, or a position, shows.

    Raises `FormatError`, `RecordError`, `VariantError` or `PictureError`.
    """
    if not _is_position(found.content):
        return _recorded(read_game(found, boards.find))
    try:
        return _bare(msgspec.json.decode(found.content, type=BarePosition), boards)
    except msgspec.DecodeError as error:
        raise FormatError(str(error)) from None


def scenes_in(path: Path, boards: Boards) -> Scenes:
    """Return what the only game in the file *path* shows.

    Raises `OSError`, and what `scenes_of` does.
    """
    found, *more = islice(games_in(path), 2)
    if more:
        message = f"{path}: found several games, expected one; `export` parts them"
        raise FormatError(message)
    return scenes_of(found, boards)


def start_of(variant: Variant) -> Scenes:
    """Return the start position of *variant*; raise `PictureError`."""
    return {"start": Scene(variant, load_picture(variant), variant.start)}


def phase_in(scenes: Scenes, wanted: str | None) -> str:
    """Return the phase that is *wanted*, the last one if none is named.

    Raises `FormatError` if it is not there.
    """
    phase = list(scenes)[-1] if wanted is None else wanted.upper()
    if phase not in scenes:
        message = f"no phase {wanted!r}; there are: {', '.join(scenes)}"
        raise FormatError(message)
    return phase


class _Shape(Struct):
    """What tells a position from a record."""

    phase: Raw | UnsetType = UNSET
    units: Raw | UnsetType = UNSET


def _is_position(content: bytes) -> bool:
    try:
        shape = msgspec.json.decode(content, type=_Shape)
    except (msgspec.DecodeError, RecursionError):
        return False
    return shape.phase is not UNSET or shape.units is not UNSET


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


def _bare(bare: BarePosition, boards: Boards) -> Scenes:
    variant = boards.unnamed if bare.map is None else boards.find(bare.map)
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

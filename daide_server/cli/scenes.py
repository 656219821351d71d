"""Scenes of what files hold: games, positions such as `adjudicate` reads, boards."""

from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Final

import msgspec
from attrs import evolve
from msgspec import UNSET, Raw, Struct, UnsetType, field

from daide_server.board.results import Report
from daide_server.board.variant import Variant
from daide_server.formats.decode_errors import decoded, expect_utf8
from daide_server.formats.errors import FormatError
from daide_server.formats.phase_json.map_names import (
    COMPLETED_PHASE,
    names_of,
    phase_turn,
)
from daide_server.judge.adjudication import adjudicate
from daide_server.judge.rules import DAIDE_RULES, EDITIONS
from daide_server.pictures.scene import Scene
from daide_server.records.record import GameRecord, PlayedTurn
from daide_server.reports.query_positions import (
    PositionJson,
    read_orders,
    read_position,
)
from daide_server.storage.board_formats import read_board
from daide_server.storage.game_files import Found, games_in, may_be_games, read_game
from daide_server.storage.pictures import load_picture

from .map_option import Boards


class BarePosition(PositionJson):
    """A position as `adjudicate` reads it; what is missing is empty."""

    centers: dict[str, list[str]] = field(default_factory=dict)
    orders: dict[str, list[str] | None] = field(default_factory=dict)
    map: str | None = None


_BARE: Final = msgspec.json.Decoder(BarePosition)

Scenes = Mapping[str, Scene]
"""Scenes by the names of their phases, in order of time."""


def scenes_of(found: Found, boards: Boards) -> Scenes:
    """Return what a game, or a position, shows.

    Raises `FormatError`, `RecordError`, `VariantError` or `PictureError`.
    """
    if not _is_position(found.content):
        return _recorded(read_game(found, boards.find))
    expect_utf8(found.content)
    told = decoded(found.content, _BARE)
    return {told.phase: _bare(told, boards)}


def scenes_in(path: Path, boards: Boards) -> Scenes:
    """Return what the only game in the file *path* shows.

    Raises `OSError`, and what `scenes_of` does.
    """
    found, *more = islice(games_in(path), 2)
    if more:
        message = f"{path}: found several games, expected one; `export` parts them"
        raise FormatError(message)
    return scenes_of(found, boards)


def scene_of(source: str, phase: str | None, boards: Boards) -> Scene:
    """Return the scene that is meant: of a file of games, or of a board.

    A board has one turn only, its first, or the one that is named. Raises
    `AtlasError`, and what `scenes_in` and `phase_in` do.
    """
    path = Path(source)
    if may_be_games(path):
        scenes = scenes_in(path, boards)
        return scenes[phase_in(scenes, phase)]
    variant = read_board(source).variant
    turn = variant.start.turn if phase is None else phase_turn(phase.upper())
    return Scene(variant, load_picture(variant), evolve(variant.start, turn=turn))


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
    last = (
        names.phase_text(record.last.turn) if record.ending is None else COMPLETED_PHASE
    )
    return {**scenes, last: Scene(variant, picture, record.last)}


def _reports(record: GameRecord, turn: PlayedTurn) -> tuple[Report, ...]:
    """Return what became of the orders; adjudicated, if the record does not say."""
    if turn.reports or not turn.orders:
        return turn.reports
    rules = EDITIONS.get(record.edition, DAIDE_RULES)
    return adjudicate(record.variant, turn.position, turn.orders, rules).reports


def _bare(told: BarePosition, boards: Boards) -> Scene:
    """Return the position; with what became of the orders, if any were given."""
    variant = boards.unnamed if told.map is None else boards.find(told.map)
    names = names_of(variant.map)
    position = read_position(names, told)
    orders = read_orders(names, told, position)
    reports = adjudicate(variant, position, orders).reports if orders else ()
    return Scene(variant, load_picture(variant), position, reports)

"""The scenes in input files: games, positions as `adjudicate` reads them, boards.

A scene is a position with all that drawing it, or a search from it, needs.
"""

from collections.abc import Mapping
from itertools import islice
from pathlib import Path

import msgspec
from msgspec import field
from msgspec.structs import replace

from daide_server.board.map import Variant
from daide_server.board.results import Report
from daide_server.judge.adjudication import adjudicate
from daide_server.judge.rules import DAIDE_RULES, EDITIONS
from daide_server.library import board_formats, game_files
from daide_server.library.pictures import load_picture
from daide_server.pictures.scene import Scene
from daide_server.records.formats.errors import FormatError, decoded, expect_utf8
from daide_server.records.formats.phase_json import map_names
from daide_server.records.record import GameRecord, PlayedTurn
from daide_server.text import queries

from .failures import failures_of
from .option_types import Boards


class BarePosition(queries.PositionJson):
    """A position as `adjudicate` reads it; a missing part is empty."""

    centers: dict[str, list[str]] = field(default_factory=dict)
    orders: dict[str, list[str] | None] = field(default_factory=dict)
    map: str | None = None


_BARE = msgspec.json.Decoder(BarePosition)

Scenes = Mapping[str, Scene]
"""Scenes by the names of their phases, in chronological order."""


def scenes_of(found: game_files.Found, boards: Boards) -> Scenes:
    """Return the scenes of a game, or of a position.

    Raises `FormatError`, `RecordError`, `VariantError` or `PictureError`.
    """
    if not queries.is_position(found.content):
        return _recorded(game_files.read_game(found, boards.find))
    expect_utf8(found.content)
    position = decoded(found.content, _BARE)
    return {position.phase: _bare(position, boards)}


def scenes_in(path: Path, boards: Boards) -> Scenes:
    """Return the scenes of the only game in the file *path*.

    Raises `OSError`, and `CommandError` with the file if there are several games, or as
    `scenes_of`.
    """
    with failures_of(str(path)):
        found, *more = islice(game_files.games_in(path), 2)
        if more:
            raise FormatError("found several games, expected one; `export` splits them")
        return scenes_of(found, boards)


def scene_of(source: str, phase: str | None, boards: Boards) -> Scene:
    """Return the scene at *phase* in a file of one game, or of a board.

    A board has its start position only; *phase* then sets its turn. Raises
    `AtlasError`, and as `scenes_in` and `phase_in`.
    """
    path = Path(source)
    if game_files.may_be_games(path):
        scenes = scenes_in(path, boards)
        return scenes[phase_in(scenes, phase)]
    variant = board_formats.read_board(source).variant
    turn = variant.start.turn if phase is None else map_names.phase_turn(phase.upper())
    return Scene(variant, load_picture(variant), replace(variant.start, turn=turn))


def start_of(variant: Variant) -> Scenes:
    """Return the start position of *variant*; raise `PictureError`."""
    return {"start": Scene(variant, load_picture(variant), variant.start)}


def phase_in(scenes: Scenes, requested: str | None) -> str:
    """Return the *requested* phase or the last one; raises `FormatError`."""
    phase = list(scenes)[-1] if requested is None else requested.upper()
    if phase not in scenes:
        raise FormatError(f"no phase {requested!r}; there are: {', '.join(scenes)}")
    return phase


def _recorded(record: GameRecord) -> Scenes:
    variant, names = record.variant, map_names.names_of(record.variant.map)
    picture = load_picture(variant)
    scenes = {
        names.phase_text(turn.position.turn): Scene(
            variant, picture, turn.position, _reports(record, turn)
        )
        for turn in record.turns
    }
    last = map_names.COMPLETED_PHASE
    if record.ending is None:
        last = names.phase_text(record.last.turn)
    return {**scenes, last: Scene(variant, picture, record.last)}


def _reports(record: GameRecord, turn: PlayedTurn) -> tuple[Report, ...]:
    """Return the outcomes of the orders; adjudicated if the record has none."""
    if turn.reports or not turn.orders:
        return turn.reports
    rules = EDITIONS.get(record.edition, DAIDE_RULES)
    return adjudicate(record.variant, turn.position, turn.orders, rules).reports


def _bare(bare: BarePosition, boards: Boards) -> Scene:
    """Return the scene of a position, with the outcomes of its orders, if any."""
    variant = boards.unnamed if bare.map is None else boards.find(bare.map)
    names = map_names.names_of(variant.map)
    position = queries.read_position(names, bare)
    orders = queries.read_orders(names, bare, position)
    reports = adjudicate(variant, position, orders).reports if orders else ()
    return Scene(variant, load_picture(variant), position, reports)

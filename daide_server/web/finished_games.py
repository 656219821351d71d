"""Views, files and pictures of finished games. All functions block.

One filter first decides what may be shown (`records/secrecy.py`): nothing is made from
a record that has not passed it.
"""

import gzip
import math

import msgspec
from attrs import frozen
from msgspec.structs import replace

from daide_server.errors import InputError
from daide_server.library.game_files import games_in, read_game
from daide_server.library.pictures import load_picture
from daide_server.library.record_index import IndexedGame
from daide_server.pictures.drawing import draw
from daide_server.pictures.scene import Scene
from daide_server.records.formats.phase_json.map_names import names_of, turn_id
from daide_server.records.formats.registry import FORMATS
from daide_server.records.record import GameRecord
from daide_server.records.secrecy import PressPolicy, visible
from daide_server.text.game_views import choices_view, game_view
from daide_server.text.views import GameView

from .assets import PAGE_COMPRESSION

FAULTS = (OSError, InputError, LookupError)
"""Exceptions that a record may cause without a bug in the page."""


@frozen
class ShownGame:
    """A game as far as it may be shown: for pages, and as JSON for programs."""

    view: GameView
    body: bytes
    """The view as JSON."""
    packed: bytes = b""
    """The same compressed with gzip; for a running game it is not kept."""
    finished: IndexedGame | None = None


def finished_record(game: IndexedGame, policy: PressPolicy) -> GameRecord:
    """Return the visible part of *game*. Raises `LookupError` if it is gone."""
    for found in games_in(game.path):
        if found.line == game.line:
            record = replace(read_game(found), id=game.id)
            return visible(record, policy, math.inf, running=False)
    raise LookupError(f"{game.id}: the record is gone")


def finished_game(game: IndexedGame, policy: PressPolicy) -> ShownGame:
    """Return *game* as shown on the page. Raises `LookupError` if it is gone."""
    note = policy.note(running=False)
    view = game_view(finished_record(game, policy), press_note=note)
    body = msgspec.json.encode(view)
    return ShownGame(view, body, gzip.compress(body, PAGE_COMPRESSION, mtime=0), game)


def file_of(record: GameRecord, file_format: str) -> bytes:
    """Return *record* in the format of a file."""
    # A name or press may have a lone surrogate, which UTF-8 cannot encode.
    return FORMATS[file_format].write(record).encode(errors="replace")


def picture_of(record: GameRecord, turn: str) -> bytes:
    """Return the picture of a turn, for the page without scripts.

    The page lists the powers, so the picture has no legend. Raises `LookupError`.
    """
    # A record may have a lone surrogate, as above.
    labels = names_of(record.variant.map).provinces
    picture = draw(_scene(record, turn), labels, with_legend=False)
    return picture.encode(errors="replace")


def _scene(record: GameRecord, turn: str) -> Scene:
    variant = record.variant
    picture = load_picture(variant)
    for played in record.turns:
        if turn_id(played.position.turn) == turn:
            return Scene(variant, picture, played.position, played.reports)
    if turn_id(record.last.turn) == turn:
        return Scene(variant, picture, record.last)
    raise LookupError(f"{turn}: there is no such turn in {record.id}")


def choices_of(record: GameRecord, turn: str, at: str) -> bytes:
    """Return the possible orders of a unit as JSON. Raises `LookupError`."""
    return msgspec.json.encode(choices_view(record, turn, at))

"""Where a game begins that does not begin as its board says: `FILE:PHASE`.

The file is a record in any format, or has positions as `adjudicate` reads them, one a
line. Such a line may stand in the place of `FILE:PHASE`, as in a saved game.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec
from attrs import evolve
from msgspec import UNSET, Struct, UnsetType, field

from daide_server.board.map import Phase, Position, Variant
from daide_server.formats.errors import FormatError, decoded, expect_utf8, within
from daide_server.formats.phase_json.map_names import names_of, phase_turn
from daide_server.formats.phase_json.position_state import state_of
from daide_server.game.results import LAST_PLAYED_YEAR
from daide_server.judge.resolution import solo
from daide_server.records.record import GameRecord
from daide_server.reports.queries import (
    PositionJson,
    is_position,
    read_position,
    without_occupied,
)

from .game_files import Found, games_in, read_game
from .variants import load_variant

EXAMPLE: Final = "such as game.json:F1905M"


class _StartJson(PositionJson):
    """A position to begin from; orders in it are not read."""

    orders: dict[str, list[str] | None] = field(default_factory=dict)
    map: str | UnsetType = UNSET
    id: object = ""


_DECODER: Final = msgspec.json.Decoder(_StartJson)


class GameStart(Struct, frozen=True):
    """A position to begin from, and the FILE:PHASE that it was found at."""

    position: Position
    source: str

    def begin(self, variant: Variant) -> Variant:
        """Return *variant* with games that begin from the position."""
        return evolve(variant, start=self.position)

    def as_line(self, variant: Variant) -> str:
        """Return the start as a line of JSON, which `find_start` reads again."""
        state = state_of(names_of(variant.map), self.position)
        written: dict[str, object] = {
            "id": self.source,
            "map": variant.name,
            "phase": state.name,
            "units": state.units,
            "centers": state.centers,
        }
        if self.position.turn.phase is Phase.RETREATS:
            written["retreats"] = state.retreats
        return msgspec.json.encode(written).decode()


def find_start(text: str, variant: Variant) -> GameStart:
    """Return the start that *text* names, or is, on the board of *variant*.

    Raises `FormatError` if no game can begin there, `RecordError`, `VariantError`, and
    `OSError`.
    """
    if text.startswith("{"):
        start = _in_line(text.encode(), variant)
    else:
        start = _in_file(text, variant)
    with within(start.source):
        expect_playable(start.position, variant)
    return start


def _in_line(line: bytes, variant: Variant) -> GameStart:
    expect_utf8(line)
    written = decoded(line, _DECODER)
    if written.map is not UNSET:
        _expect_board(written.map, variant)
    position = read_position(names_of(variant.map), written)
    source = written.id if isinstance(written.id, str) and written.id else "position"
    return GameStart(without_occupied(position), source)


def _in_file(text: str, variant: Variant) -> GameStart:
    file, _, phase = text.rpartition(":")
    if not file or not phase:
        message = f"found {text!r}, expected FILE:PHASE, {EXAMPLE}"
        raise FormatError(message)
    phase_turn(phase := phase.upper())
    starts = tuple(starts_in_file(Path(file), variant))
    found = [position for name, position in starts if name == phase]
    if not found:
        phases = ", ".join(name for name, _ in starts)
        message = f"{file}: no phase {phase!r}; there are: {phases}"
        raise FormatError(message)
    if len(found) > 1:
        message = f"{file}: found {len(found)} games with {phase}, expected one"
        raise FormatError(message)
    return GameStart(found[0], f"{file}:{phase}")


def starts_in_file(file: Path, variant: Variant) -> Iterator[tuple[str, Position]]:
    """Yield what `starts_in` yields of each record, and the positions of each line.

    Raises `FormatError`, `RecordError`, `VariantError`, and `OSError`.
    """
    for game in games_in(file):
        with within(game):
            yield from _positions(game, variant)


def _positions(game: Found, variant: Variant) -> Iterator[tuple[str, Position]]:
    """Yield the positions of a record or a line, each with the name of its phase."""
    if is_position(game.content):
        position = _in_line(game.content, variant).position
        yield names_of(variant.map).phase_text(position.turn), position
        return

    def board(name: str) -> Variant:
        return variant if name.lower() == variant.name.lower() else load_variant(name)

    yield from starts_in(read_game(game, board), variant)


def starts_in(record: GameRecord, variant: Variant) -> Iterator[tuple[str, Position]]:
    """Yield the positions that a game may begin from, and the names of their phases."""
    _expect_board(record.variant.name, variant)
    for position in _playable(record):
        name = names_of(variant.map).phase_text(position.turn)
        yield name, without_occupied(position)


def _playable(record: GameRecord) -> tuple[Position, ...]:
    """Return the positions that somebody could play from.

    Other programs do not write all of the last position of a game that is over.
    """
    is_last_known = record.is_last_turn_open and not record.foreign
    if record.ending is None or is_last_known:
        return record.positions
    return record.positions[:-1]


def _expect_board(name: str, variant: Variant) -> None:
    if name.lower() != variant.name.lower():
        message = f"found board {name!r}, expected {variant.name!r}, see --variant"
        raise FormatError(message)


def expect_playable(position: Position, variant: Variant) -> None:
    """Raise `FormatError` if a game is over in *position*, or in its first turn."""
    names = names_of(variant.map)
    if not position.units and not position.owners:
        message = "found no unit and no owned centre, expected a power that plays"
        raise FormatError(message)
    winner = solo(variant.map, position.owners)
    if winner is not None:
        message = f"{names.powers[winner]} has won already, expected an earlier phase"
        raise FormatError(message)
    if (year := position.turn.year) > LAST_PLAYED_YEAR:
        message = f"found the year {year}, expected {LAST_PLAYED_YEAR} at most"
        raise FormatError(message)

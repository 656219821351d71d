"""Files of games in any format, read one game after the other; where a game begins.

A file is one game, or one game a line, as the `diplomacy` package saves them. At most
one game is in memory, of `GAME_LIMIT` bytes at most.

A game that does not begin as its board says begins at `FILE:PHASE`. The file is one of
games, or has positions as `adjudicate` reads them, one a line. Such a line may stand in
the place of `FILE:PHASE`, as in a saved game.
"""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import BinaryIO

import msgspec
from attrs import evolve
from msgspec import UNSET, Struct, UnsetType, field

from daide_server.board.map import Phase, Position, Variant
from daide_server.daide.tokens import LAST_PLAYED_YEAR
from daide_server.judge.resolution import solo
from daide_server.records.formats.errors import (
    FormatError,
    decoded,
    expect_utf8,
    within,
)
from daide_server.records.formats.phase_json.map_names import names_of, phase_turn
from daide_server.records.formats.phase_json.position_state import state_of
from daide_server.records.formats.registry import FORMATS, recognise
from daide_server.records.record import GameRecord
from daide_server.text import queries

from .texts import unmarked
from .variants import load_variant

GAME_LIMIT = 512 << 20
"""Maximum bytes of a game. No server writes a larger one: games end before the year
8191, and what clients add is limited (`game.budgets`)."""
BEGINNING_BYTES = 1 << 16
"""Bytes read of a file to decide whether it can be a game."""
JSON_SUFFIXES = frozenset(
    form.suffix for form in FORMATS.values() if form.key is not None
)
GAME_SUFFIXES = JSON_SUFFIXES | {f"{suffix}l" for suffix in JSON_SUFFIXES}
"""The extensions of game files; `.jsonl` has one game a line.

Files with other extensions, such as `.txt`, are recognised by their content.
"""
BEGINNINGS = tuple({form.beginning for form in FORMATS.values()})


class Found(Struct, frozen=True):
    """A game in a file: `line` is `None` if it is the whole file."""

    path: Path
    line: int | None
    content: bytes

    def __str__(self) -> str:
        return str(self.path) if self.line is None else f"{self.path}:{self.line}"

    @property
    def stem(self) -> str:
        """Return the name, without extension, for files made of this game."""
        line = "" if self.line is None else f"-{self.line}"
        return f"{self.path.stem}{line}"


def may_be_games(path: Path) -> bool:
    """Return whether *path* has games or positions, by its extension or beginning."""
    if path.suffix.lower() in GAME_SUFFIXES:
        return True
    try:
        with path.open("rb") as file:
            return unmarked(file.readline(80)).startswith(BEGINNINGS)
    except (OSError, ValueError):
        # The argument may be the name of a board, and no path at all.
        return False


def games_in(path: Path) -> Iterator[Found]:
    """Yield the games in the file *path* as bytes.

    Raises `OSError`, and `FormatError` for a game of more than `GAME_LIMIT` bytes.
    """
    with path.open("rb") as file:
        beginning = file.readline(BEGINNING_BYTES)
        is_endless = len(beginning) == BEGINNING_BYTES and beginning.strip()
        if is_endless and not unmarked(beginning).lstrip().startswith(BEGINNINGS):
            # Refused by its beginning, before an endless file fills memory.
            yield Found(path, None, beginning)
            return
        rest = b"" if beginning.endswith(b"\n") else file.readline(GAME_LIMIT + 1)
        first = unmarked(_bounded(beginning + rest))
        if not _is_object(first):
            yield Found(path, None, _bounded(first + file.read(GAME_LIMIT + 1)))
            return
        lines = _lines(file)
        second = next(lines, None)
        yield Found(path, None if second is None else 1, first)
        if second is not None:
            for number, line in chain([second], lines):
                yield Found(path, number, line)


def read_game(
    found: Found, variants: Callable[[str], Variant] = load_variant
) -> GameRecord:
    """Return the record in *found*; *variants* returns the variant with a name.

    Raises `FormatError` if it is no record.
    """
    return FORMATS[recognise(found.content)].read(found.content, variants)


def _lines(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Yield the further lines that are not blank, with their numbers from 2."""
    read = partial(file.readline, GAME_LIMIT + 1)
    for number, line in enumerate(iter(read, b""), 2):
        if _bounded(line).strip():
            yield number, line


def _is_object(line: bytes) -> bool:
    """Return whether *line* looks like a JSON object from end to end."""
    text = line.strip()
    return len(text) > 1 and text.startswith(b"{") and text.endswith(b"}")


def _bounded(content: bytes) -> bytes:
    if len(content) > GAME_LIMIT:
        raise FormatError(f"a game of more than {GAME_LIMIT >> 20} MiB is not read")
    return content


# Where a game begins

EXAMPLE = "such as game.json:F1905M"


class _StartJson(queries.PositionJson):
    """A position to begin from; orders in it are not read."""

    orders: dict[str, list[str] | None] = field(default_factory=dict)
    map: str | UnsetType = UNSET
    id: object = ""


_DECODER = msgspec.json.Decoder(_StartJson)


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
    position = queries.read_position(names_of(variant.map), written)
    source = written.id if isinstance(written.id, str) and written.id else "position"
    return GameStart(queries.without_occupied(position), source)


def _in_file(text: str, variant: Variant) -> GameStart:
    file, _, phase = text.rpartition(":")
    if not file or not phase:
        raise FormatError(f"found {text!r}, expected FILE:PHASE, {EXAMPLE}")
    phase_turn(phase := phase.upper())
    starts = tuple(starts_in_file(Path(file), variant))
    found = [position for name, position in starts if name == phase]
    if not found:
        phases = ", ".join(name for name, _ in starts)
        raise FormatError(f"{file}: no phase {phase!r}; there are: {phases}")
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
    if queries.is_position(game.content):
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
        yield name, queries.without_occupied(position)


def _playable(record: GameRecord) -> tuple[Position, ...]:
    """Return the positions that a game can begin from.

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
        raise FormatError(f"found the year {year}, expected {LAST_PLAYED_YEAR} at most")

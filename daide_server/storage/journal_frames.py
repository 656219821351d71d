"""The bytes of a journal: one frame for each pass, found again after any damage.

    file   = JOURNAL_HEADER frame*
    frame  = head, games crc, entry*, tail
    head   = HEAD_MARK sequence games-size entries-size crc
    tail   = TAIL_MARK sequence games-size entries-size crc
    entry  = game number kind size crc, payload

A frame is what one pass of the server committed. Its games are listed before its
entries, with a checksum of their own, so that damage to an entry is known to concern
these games and no others. Head and tail say the same: one of them is enough to read
the frame. The entries of a game are numbered from 0 without a gap.

`scan` tells a frame that was cut short at the end of the file, which was never
acknowledged, from bytes that changed after they were written.
"""

import struct
from collections.abc import Iterator, Sequence, Set
from enum import IntEnum
from typing import Final
from zlib import crc32

from msgspec import Struct

JOURNAL_HEADER: Final = b"DAIDE journal 1\n"
HEAD_MARK: Final = b"\xf5PAS"
TAIL_MARK: Final = b"\xf5END"
"""Begin the head and the tail of a frame. Their first byte is never one of UTF-8."""

# Mark, sequence number, bytes of the game table, bytes of the entries.
_FRAME: Final = struct.Struct(">4sQII")
_SIZES: Final = struct.Struct(">QII")
_CRC: Final = struct.Struct(">I")
_GAME: Final = struct.Struct(">I")
# Game, number, kind, bytes of the payload.
_ENTRY: Final = struct.Struct(">IIBI")
_FRAME_SIZE: Final = _FRAME.size + _CRC.size
_ENTRY_SIZE: Final = _ENTRY.size + _CRC.size


ANY_GAME: Final = -1
"""Stands in `JournalFrame.damaged` where it cannot be known which games are damaged."""


SERVER_GAME: Final = 0
"""Stands for the server in its entries; games have numbers from 1."""


class EntryKind(IntEnum):
    """What an entry is about."""

    OPENED = 1
    """The game was opened; the payload is how to set it up."""
    EVENT = 2
    """Something happened in the game that changed it."""
    DIGEST = 3
    """The position after a turn, as a short hash."""
    FORGOTTEN = 4
    """The record of the game is on disk, or the game was given up."""
    TALLY = 6
    """How the players did in a turn."""
    SERVER = 5
    """What the server itself remembers, under `SERVER_GAME`; the last one holds."""


_KINDS: Final = frozenset(map(int, EntryKind))


class JournalEntry(Struct, frozen=True):
    """One thing that happened to one game; `number` counts from 0 in each game."""

    game: int
    number: int
    kind: EntryKind
    payload: bytes


class JournalFrame(Struct, frozen=True):
    """The entries of one pass that are whole, and the games whose entries are not."""

    sequence: int
    entries: tuple[JournalEntry, ...]
    damaged: frozenset[int] = frozenset()


class Gap(Struct, frozen=True):
    """Bytes of the file, from `start` to `end`, in which no frame can be read."""

    start: int
    end: int


class TornTail(Struct, frozen=True):
    """The last frame was cut short while it was written; it begins at `start`."""

    start: int


ScanResult = JournalFrame | Gap | TornTail


def encode_frame(sequence: int, entries: Sequence[JournalEntry]) -> bytes:
    """Return the frame of one pass."""
    body = [encode_entry(e.game, e.number, e.kind, e.payload) for e in entries]
    return frame_of(sequence, {e.game for e in entries}, body)


def frame_of(sequence: int, games: Set[int], entries: Sequence[bytes]) -> bytes:
    """Return the frame of one pass from what `encode_entry` returned."""
    table = b"".join([_GAME.pack(game) for game in sorted(games)])
    body = entries[0] if len(entries) == 1 else b"".join(entries)
    sizes = _SIZES.pack(sequence, len(table), len(body))
    head, tail = HEAD_MARK + sizes, TAIL_MARK + sizes
    crcs = crc32(head), crc32(table), crc32(tail)
    first, second, third = map(_CRC.pack, crcs)
    return b"".join((head, first, table, second, body, tail, third))


def encode_entry(game: int, number: int, kind: EntryKind, payload: bytes) -> bytes:
    """Return the bytes of one entry."""
    head = _ENTRY.pack(game, number, kind, len(payload))
    return head + _CRC.pack(crc32(payload, crc32(head))) + payload


def _crc(data: bytes) -> bytes:
    return _CRC.pack(crc32(data))


def scan(data: bytes) -> Iterator[ScanResult]:
    """Yield the frames in *data*, the file without its header, and what is between.

    Offsets count from the start of *data*.
    """
    offset = 0
    while offset < len(data):
        layout = _layout_at(data, offset)
        if layout is None:
            after = _next_frame(data, offset + 1)
            is_torn = after == len(data) and _is_cut_short(data, offset)
            yield TornTail(offset) if is_torn else Gap(offset, after)
            offset = after
        else:
            yield _frame(data, layout)
            offset = layout.end


class _Layout(Struct, frozen=True):
    """Where the parts of a frame are."""

    sequence: int
    games: int
    entries: int
    tail: int

    @property
    def end(self) -> int:
        return self.tail + _FRAME_SIZE


def _layout_at(data: bytes, start: int) -> _Layout | None:
    """Return the layout of the frame at *start*, by its head, or else by its tail."""
    layout = _layout(data, start, start, HEAD_MARK)
    if layout is not None:
        return layout if layout.end <= len(data) else None
    tail = start
    while (tail := data.find(TAIL_MARK, tail + 1)) >= 0:
        layout = _layout(data, tail, start, TAIL_MARK)
        if layout is not None:
            return layout if layout.tail == tail else None
    return None


def _layout(data: bytes, at: int, start: int, mark: bytes) -> _Layout | None:
    """Return what the head or tail at *at* says of a frame that begins at *start*."""
    head = data[at : at + _FRAME.size]
    if data[at + _FRAME.size : at + _FRAME_SIZE] != _crc(head):
        return None
    found, sequence, games, entries = _FRAME.unpack(head)
    if found != mark:
        return None
    first = start + _FRAME_SIZE + int(games) + _CRC.size
    return _Layout(int(sequence), start + _FRAME_SIZE, first, first + int(entries))


def _next_frame(data: bytes, offset: int) -> int:
    """Return where the next frame begins, or the end of *data*."""
    while (offset := data.find(HEAD_MARK, offset)) >= 0:
        layout = _layout(data, offset, offset, HEAD_MARK)
        if layout is not None and layout.end <= len(data):
            return offset
        offset += 1
    return len(data)


def _is_cut_short(data: bytes, start: int) -> bool:
    """Return whether at *start* a frame begins that ends after the end of *data*."""
    layout = _layout(data, start, start, HEAD_MARK)
    if layout is not None:
        return layout.end > len(data)
    rest = data[start:]
    return len(rest) < _FRAME_SIZE and HEAD_MARK.startswith(rest[: len(HEAD_MARK)])


def _frame(data: bytes, layout: _Layout) -> JournalFrame:
    entries = list(_entries(data, layout.entries, layout.tail))
    whole = tuple(entry for entry in entries if entry is not None)
    if len(whole) == len(entries):
        return JournalFrame(layout.sequence, whole)
    table = data[layout.games : layout.entries - _CRC.size]
    if _crc(table) != data[layout.entries - _CRC.size : layout.entries]:
        return JournalFrame(layout.sequence, whole, frozenset({ANY_GAME}))
    listed = {game for (game,) in _GAME.iter_unpack(table)}
    return JournalFrame(layout.sequence, whole, frozenset(listed))


def _entries(data: bytes, offset: int, end: int) -> Iterator[JournalEntry | None]:
    """Yield the entries of a frame, `None` for one that is damaged.

    After a damaged size nothing that follows can be read: one `None` stands for all.
    """
    while offset < end:
        if offset + _ENTRY_SIZE > end:
            yield None
            return
        game, number, kind, size = _ENTRY.unpack_from(data, offset)
        (crc,) = _CRC.unpack_from(data, offset + _ENTRY.size)
        stop = offset + _ENTRY_SIZE + size
        if stop > end:
            yield None
            return
        payload = data[offset + _ENTRY_SIZE : stop]
        good = crc == crc32(payload, crc32(data[offset : offset + _ENTRY.size]))
        good = good and kind in _KINDS
        yield JournalEntry(game, number, EntryKind(kind), payload) if good else None
        offset = stop

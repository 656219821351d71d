"""Which games of a journal can be replayed, from the frames that a scan found.

A game comes back with all its entries or not at all: a gap in its numbers, a damaged
entry, or damage after which nothing of it follows sets it aside, with the reason.
"""

from collections.abc import Iterable
from typing import assert_never

from msgspec import Struct

from .journal_frames import (
    ANY_GAME,
    SERVER_GAME,
    EntryKind,
    Gap,
    JournalEntry,
    JournalFrame,
    ScanResult,
    TornTail,
)


class Recovered(Struct, frozen=True):
    """What a journal says about games that are not over."""

    games: dict[int, tuple[JournalEntry, ...]]
    """The entries of each game that can be played again."""
    damaged: dict[int, str]
    """Why a game cannot be."""
    next_sequence: int
    torn_at: int | None
    """Where an unfinished frame at the end begins, as an offset of `scan`."""
    server: bytes | None = None
    """What the server remembered last."""


def recover(found: Iterable[ScanResult]) -> Recovered:
    """Return which games can be played again from *found*, and which cannot."""
    recovery = _Recovery()
    for each in found:
        recovery.add(each)
    return recovery.result()


class _Recovery:
    """Collects the entries of each game, and reasons to doubt that they are all."""

    def __init__(self) -> None:
        self._games: dict[int, list[JournalEntry]] = {}
        self._damaged: dict[int, str] = {}
        self._doubtful: set[int] = set()
        self._last: int | None = None
        self._server: bytes | None = None
        self._torn_at: int | None = None

    def add(self, found: ScanResult) -> None:
        match found:
            case JournalFrame():
                self._add_frame(found)
            case Gap():
                self._doubtful |= self._games.keys()
            case TornTail(start=start):
                self._torn_at = start
            case _:
                assert_never(found)

    def _add_frame(self, frame: JournalFrame) -> None:
        missing = self._last is not None and frame.sequence != self._last + 1
        self._last = frame.sequence
        if missing or ANY_GAME in frame.damaged:
            self._doubtful |= self._games.keys()
        for game in frame.damaged - {ANY_GAME, SERVER_GAME}:
            reason = f"pass {frame.sequence} of the journal is damaged"
            self._damaged.setdefault(game, reason)
        for entry in frame.entries:
            self._add_entry(entry)

    def _add_entry(self, entry: JournalEntry) -> None:
        if entry.kind is EntryKind.SERVER:
            self._server = entry.payload
            return
        entries = self._games.setdefault(entry.game, [])
        if entry.number != len(entries):
            reason = f"found entry {entry.number}, expected {len(entries)}"
            self._damaged.setdefault(entry.game, reason)
        entries.append(entry)
        # A game whose numbers go on without a gap has lost nothing before.
        self._doubtful.discard(entry.game)

    def result(self) -> Recovered:
        for game in self._doubtful:
            reason = "the journal is damaged after its last entry"
            self._damaged.setdefault(game, reason)
        over = {game for game, entries in self._games.items() if _is_over(entries)}
        return Recovered(
            {
                game: tuple(entries)
                for game, entries in self._games.items()
                if game not in over | self._damaged.keys()
            },
            {game: why for game, why in self._damaged.items() if game not in over},
            0 if self._last is None else self._last + 1,
            self._torn_at,
            self._server,
        )


def _is_over(entries: Iterable[JournalEntry]) -> bool:
    return any(entry.kind is EntryKind.FORGOTTEN for entry in entries)

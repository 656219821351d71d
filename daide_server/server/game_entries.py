"""What games hand in for the journal: their entries, numbered and encoded.

A game enters the journal when it begins: tables that are still forming are not
recovered. The committer takes the entries of a pass at its end.
"""

from collections import defaultdict
from typing import Final

from daide_server.game.journal import JournalItem
from daide_server.lobby.directory import GameId
from daide_server.storage.journal_entries import ServerCount, encode_item, encode_json
from daide_server.storage.journal_frames import SERVER_GAME, EntryKind, encode_entry

ENTRY_OVERHEAD: Final = 25
"""About what an entry takes in the file besides its payload."""


class GameEntries:
    """The entries that are not yet in the journal, and how many each game has there."""

    def __init__(self) -> None:
        self.alive_bytes = 0
        """The size of all entries of games that are not forgotten."""
        self._forming: Final[defaultdict[GameId, list[JournalItem]]] = defaultdict(list)
        self._numbers: Final[dict[GameId, int]] = {}
        """The number of the next entry of each game in the journal."""
        self._alive: Final[dict[GameId, int]] = {}
        self._entries: list[bytes] = []
        """Of this pass, and of those before that could not be written."""
        self._games: set[int] = set()
        """The games of those entries."""
        self._is_closed = False

    def __bool__(self) -> bool:
        """Return whether there are entries to write."""
        return bool(self._entries)

    def note(self, game: GameId, item: JournalItem) -> None:
        """Keep what changed *game* in this pass."""
        if game in self._numbers:
            self._add(game, *encode_item(item))
        elif not self._is_closed:
            self._forming[game].append(item)

    def begin(self, game: GameId, opened: bytes) -> None:
        """Let *game* into the journal: how it was opened, and all that was noted."""
        self._numbers[game] = 0
        self._alive[game] = 0
        self._add(game, EntryKind.OPENED, opened)
        for item in self._forming.pop(game, ()):
            self._add(game, *encode_item(item))

    def resume(self, game: GameId, entries: int, size: int) -> None:
        """Go on with a game that has so many *entries*, of *size* bytes."""
        self._numbers[game] = entries
        self._alive[game] = size
        self.alive_bytes += size

    def positions(self) -> dict[GameId, tuple[int, int]]:
        """Return how many entries, and bytes, each game has in the journal."""
        return {
            game: (self._numbers[game], self._alive[game]) for game in self._numbers
        }

    def leave_alone(self, size: int) -> None:
        """Keep so many bytes of a game that this server does not go on with."""
        self.alive_bytes += size

    def forget(self, game: GameId, count: ServerCount) -> None:
        """Drop *game*, whose record is on disk; to be called in a pass."""
        if game in self._numbers:
            self._add(game, EntryKind.FORGOTTEN, b"")
            del self._numbers[game]
            self.alive_bytes -= self._alive.pop(game)
        self.remember(count)

    def remember(self, count: ServerCount) -> None:
        """Keep *count*; to be called in a pass."""
        payload = encode_json(count)
        self._games.add(SERVER_GAME)
        self._entries.append(encode_entry(SERVER_GAME, 0, EntryKind.SERVER, payload))

    def _add(self, game: GameId, kind: EntryKind, payload: bytes) -> None:
        number = self._numbers[game]
        self._numbers[game] = number + 1
        size = len(payload) + ENTRY_OVERHEAD
        self._alive[game] += size
        self.alive_bytes += size
        self._games.add(game)
        self._entries.append(encode_entry(game, number, kind, payload))

    # For the committer

    def waiting(self) -> tuple[set[int], list[bytes]]:
        """Return the entries that are to be written, and the games that have them."""
        return self._games, self._entries

    def drop_waiting(self) -> None:
        """Forget the entries that were to be written: they are, or need not be."""
        self._entries = []
        self._games = set()

    def close(self) -> None:
        """Take in nothing more."""
        self._is_closed = True
        self._numbers.clear()
        self.drop_waiting()

"""The games of a journal file, for people: each with its own settings."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from daide_server.board.variant import Variant
from daide_server.classes import frozen
from daide_server.game.effects import Record
from daide_server.game.events import GameBrokenOff
from daide_server.lobby.directory import GameId
from daide_server.records.folding import fold
from daide_server.records.record import GameRecord
from daide_server.server.recovered_game import RecoveredGame
from daide_server.storage.journal_file import read_journal
from daide_server.storage.journal_frames import JournalEntry
from daide_server.storage.variants import find_variant

from .journal_reader import JournalReader, opening_of
from .settings import DEFAULTS, TABLE

REASON_SIZE: Final = 200


@frozen
class JournalGame:
    """A game of a journal, or why it cannot be read."""

    number: GameId
    entries: tuple[JournalEntry, ...]
    variant: Variant | None = None
    found: RecoveredGame | None = None
    problem: str = ""


def games_of(path: Path) -> Iterator[JournalGame]:
    """Yield the games in the journal *path*, which is left as it is.

    Raises `JournalError`, and `OSError`.
    """
    recovered, _ = read_journal(path)
    for number, entries in sorted(recovered.games.items()):
        yield _game(GameId(number), entries)
    for number, problem in sorted(recovered.damaged.items()):
        yield JournalGame(GameId(number), (), problem=problem)


def _game(number: GameId, entries: tuple[JournalEntry, ...]) -> JournalGame:
    try:
        opened = opening_of(entries)
        layer = TABLE.read(opened.settings, f"game {number}")
        settings = TABLE.compose(layer, base=DEFAULTS)
        variant = find_variant(settings.board.variant)
        found = JournalReader(settings, variant).game(number, entries)
    except Exception as error:  # noqa: BLE001 (it costs this game only)
        problem = (str(error) or type(error).__name__)[:REASON_SIZE]
        return JournalGame(number, entries, problem=problem)
    return JournalGame(number, entries, variant, found)


def record_of(game: JournalGame) -> GameRecord:
    """Return the record of a game that was read; one that runs is broken off."""
    assert game.found is not None
    assert game.variant is not None
    found = game.found
    effects = found.game.handle(GameBrokenOff(), found.seconds)
    last = [each.entry for each in effects if isinstance(each, Record)]
    return fold(
        [*found.entries, *last],
        game.variant,
        game=found.identity.record,
        started=found.identity.opened,
        metadata=found.identity.metadata,
    )

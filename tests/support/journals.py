"""Journals of games for tests: their first line, and what they say."""

from daide_server.board.map import Variant
from daide_server.game.journal import JournalLine
from daide_server.server.journal import GameJournal
from daide_server.storage.journal_file import FIRST_LINE, GameHeader, decode_line

from .scripts import PASSCODES


def header_of(variant: Variant, number: int = 1) -> GameHeader:
    """Return the first line of the journal of a game without options."""
    return GameHeader(
        number=number,
        record=f"run-{number:04}",
        opened=0.0,
        metadata={},
        board=variant.name,
        board_digest="",
        options={},
        seats=variant.map.powers,
        passcodes={power: PASSCODES[power] for power in variant.map.powers},
    )


def lines_of(journal: GameJournal) -> list[JournalLine]:
    """Return what *journal* says after its first line."""
    _, *lines = journal.content().splitlines(keepends=True)
    return [decode_line(line, number) for number, line in enumerate(lines, FIRST_LINE)]

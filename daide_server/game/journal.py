"""The journal of a game: its events, from which it can be replayed.

A game is a function of its seat assignment, its options and its events, so the events
are what a saved game is. Messages are kept as they were sent; questions change nothing
and are left out.
"""

from collections.abc import Iterable
from typing import Final, assert_never

from daide_server.language.client_reader import ClientReader
from daide_server.language.messages import (
    AskHello,
    AskHistory,
    AskMap,
    AskMapDefinition,
    AskMissing,
    AskOwnership,
    AskPosition,
    AskResults,
    AskTime,
    Complaint,
)
from daide_server.records.entries import RecordEntry

from .effects import Record
from .events import (
    ClientLeft,
    ClockTicked,
    GameEvent,
    GameLoaded,
    GameSaved,
    MessageReceived,
    Seconds,
)
from .game import Game
from .journal_lines import (
    ClientLeftLine,
    JournalLine,
    LoadedLine,
    MessageLine,
    SavedLine,
    TickLine,
    pack,
)
from .options import ServerPolicy
from .turn_tally import TurnTally

QUESTIONS: Final = frozenset(
    {
        AskHello,
        AskHistory,
        AskMap,
        AskMapDefinition,
        AskMissing,
        AskOwnership,
        AskPosition,
        AskResults,
        AskTime,
        Complaint,
    }
)


class Journal:
    """The lines of one game, in order."""

    def __init__(self, policy: ServerPolicy) -> None:
        # A question shows that a client is there, which counts where silence does.
        silence_counts = policy.late_is_disorder or policy.takeover_after is not None
        self._skipped: Final = frozenset() if silence_counts else QUESTIONS
        self._lines: Final[list[JournalLine]] = []

    def note(self, event: GameEvent, now: Seconds) -> None:
        """Add what happened at *now*."""
        match event:
            case MessageReceived(client=client, message=message, as_sent=as_sent):
                if type(message) not in self._skipped:
                    self._lines.append(MessageLine(now, client, pack(as_sent)))
            case ClientLeft(client=client):
                self._lines.append(ClientLeftLine(now, client))
            case ClockTicked():
                self._lines.append(TickLine(now))
            case GameSaved(name=name):
                self._lines.append(SavedLine(now, name))
            case GameLoaded(name=name):
                self._lines.append(LoadedLine(now, name))
            case _:
                assert_never(event)

    def lines(self) -> tuple[JournalLine, ...]:
        """Return the lines so far."""
        return tuple(self._lines)


def play_again(
    game: Game,
    lines: Iterable[JournalLine],
    reader: ClientReader,
    journal: Journal,
    tally: TurnTally | None = None,
) -> list[RecordEntry]:
    """Replay *lines* to a new game and its journal; return what the game recorded.

    With a *tally* of the game, its entries too; it lacks what the journal leaves out.
    Raises `LanguageError` if *reader* does not accept a message.
    """
    entries: list[RecordEntry] = []
    for line in lines:
        event = _event(line, reader)
        journal.note(event, line.seconds)
        effects = game.handle(event, line.seconds)
        if tally is not None:
            tally.count(event, effects, line.seconds)
        for entry in (each.entry for each in effects if isinstance(each, Record)):
            entries += (entry, *(tally.follow(entry) if tally is not None else ()))
    return entries


def _event(line: JournalLine, reader: ClientReader) -> GameEvent:
    match line:
        case MessageLine(client=client, tokens=tokens):
            return MessageReceived(client, reader.read(tokens), tokens)
        case ClientLeftLine(client=client):
            return ClientLeft(client)
        case TickLine():
            return ClockTicked()
        case SavedLine(name=name):
            return GameSaved(name)
        case LoadedLine(name=name):
            return GameLoaded(name)
        case _:
            assert_never(line)

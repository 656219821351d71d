"""The journal: all that happened to a game, from which it can be played again.

A game is a function of its lot, its options and its events, so these are what a
saved game is. Messages are kept as they were sent; those that only ask change
nothing and are left out.
"""

from array import array
from collections.abc import Iterable, Iterator
from typing import Final, assert_never, cast

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
from daide_server.language.tokens import Tokens
from daide_server.records.entries import RecordEntry

from .effects import Record
from .events import (
    ClientId,
    ClientLeft,
    ClockTicked,
    GameEvent,
    GameLoaded,
    GameSaved,
    MessageReceived,
    Seconds,
)
from .game import Game
from .options import ServerPolicy

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

JournalLine = tuple[Seconds, ClientId | None, Tokens | str | None]
"""When, who, and what: a message, nothing (the client left, or with nobody the clock
ticked), or the name under which the game was saved (somebody) or loaded (nobody)."""

_Kept = tuple[Seconds, ClientId | None, bytes | str | None]

SAVE_CLIENT: Final = ClientId(0)
"""Stands for the server, where a game was saved."""


class Journal:
    """The lines of one game, in order."""

    def __init__(self, policy: ServerPolicy) -> None:
        # A client that merely asks has spoken, which counts where silence does.
        silence_counts = policy.late_is_disorder or policy.takeover_after is not None
        self._skipped: Final = frozenset() if silence_counts else QUESTIONS
        self._lines: Final[list[_Kept]] = []

    def note(self, event: GameEvent, now: Seconds) -> None:
        """Add what happened at *now*."""
        match event:
            case MessageReceived(client=client, message=message, as_sent=as_sent):
                if type(message) not in self._skipped:
                    self._lines.append((now, client, array("H", as_sent).tobytes()))
            case ClientLeft(client=client):
                self._lines.append((now, client, None))
            case ClockTicked():
                self._lines.append((now, None, None))
            case GameSaved(name=name):
                self._lines.append((now, SAVE_CLIENT, name))
            case GameLoaded(name=name):
                self._lines.append((now, None, name))
            case _:
                assert_never(event)

    def lines(self) -> Iterator[JournalLine]:
        """Yield the lines, messages as tokens again."""
        for now, client, said in self._lines:
            if isinstance(said, bytes):
                yield now, client, cast("Tokens", tuple(array("H", said)))
            else:
                yield now, client, said


def play_again(
    game: Game, lines: Iterable[JournalLine], reader: ClientReader, journal: Journal
) -> list[RecordEntry]:
    """Let all of *lines* happen to a new game; return what it recorded."""
    entries: list[RecordEntry] = []
    for now, client, said in lines:
        event = _event(client, said, reader)
        journal.note(event, now)
        effects = game.handle(event, now)
        entries += (each.entry for each in effects if isinstance(each, Record))
    return entries


def _event(
    client: ClientId | None, said: Tokens | str | None, reader: ClientReader
) -> GameEvent:
    match client, said:
        case None, None:
            return ClockTicked()
        case None, str():
            return GameLoaded(said)
        case _, str():
            return GameSaved(said)
        case None, _:
            message = "a message of nobody"
            raise ValueError(message)
        case _, None:
            return ClientLeft(client)
        case _:
            return MessageReceived(client, reader.read(said), said)

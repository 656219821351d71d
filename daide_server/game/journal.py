"""The journal of a game: its events, from which it can be replayed.

A game is a function of its seat assignment, its options and its events, so the events
are what a saved game is. Messages are kept as they were sent; questions and what the
game refuses change nothing and are left out.
"""

from collections.abc import Iterable, Sequence
from typing import Final, assert_never

from daide_server.language.client_reader import ClientReader
from daide_server.records.entries import RecordEntry, TurnTallied

from .effects import Effect, Record
from .events import (
    ClientLeft,
    ClockTicked,
    GameBrokenOff,
    GameEvent,
    GameLoaded,
    GameRecovered,
    GameSaved,
    MessageReceived,
    SeatPortChosen,
    Seconds,
)
from .game import Game
from .journal_lines import (
    BrokenOffLine,
    ClientLeftLine,
    JournalLine,
    LoadedLine,
    MessageLine,
    RecoveredLine,
    SavedLine,
    SeatPortLine,
    TickLine,
    pack,
)
from .options import ServerPolicy
from .position_digest import PositionDigest, compare
from .refused_messages import QUESTIONS, is_refused
from .turn_tally import TurnTally


class Journal:
    """The lines of one game, in order."""

    def __init__(self, policy: ServerPolicy) -> None:
        # A question shows that a client is there, which counts where silence does.
        silence_counts = policy.late_is_disorder or policy.takeover_after is not None
        self._skipped: Final = frozenset() if silence_counts else QUESTIONS
        self._keeps_all: Final = silence_counts
        self._lines: Final[list[JournalLine]] = []

    def note(
        self, event: GameEvent, effects: Sequence[Effect], now: Seconds
    ) -> JournalLine | None:
        """Add what happened at *now* and had *effects*, and return its line.

        `None`: it changed nothing, and is left out.
        """
        if isinstance(event, MessageReceived) and (
            type(event.message) in self._skipped
            or (not self._keeps_all and is_refused(event, effects))
        ):
            return None
        line = _line(event, now)
        self._lines.append(line)
        return line

    def keep(self, line: JournalLine) -> None:
        """Add a line of another journal of this game."""
        self._lines.append(line)

    @property
    def seconds(self) -> Seconds:
        """Return when the last line was noted; 0 if there is none."""
        return self._lines[-1].seconds if self._lines else 0.0

    def lines_from(self, index: int) -> list[JournalLine]:
        """Return the lines from *index* on."""
        return self._lines[index:]

    def lines(self) -> tuple[JournalLine, ...]:
        """Return the lines so far."""
        return tuple(self._lines)


JournalItem = JournalLine | PositionDigest | TurnTallied
"""What a server keeps of a game that runs: events, where each turn led, how the players
did in it, refused messages included."""


def replay(
    game: Game,
    items: Iterable[JournalItem],
    reader: ClientReader,
    journal: Journal,
    tally: TurnTally | None = None,
) -> list[RecordEntry]:
    """Replay *items* to a new game and its journal; return what the game recorded.

    With a *tally* of the game, its entries too; it lacks what the journal leaves out,
    unless *items* say how it was.
    Raises `LanguageError` if *reader* does not accept a message, `ReplayError` if a
    turn leads to another position than its digest says.
    """
    entries: list[RecordEntry] = []
    for item in items:
        if isinstance(item, PositionDigest):
            compare(game.state.position, item)
            continue
        if isinstance(item, TurnTallied):
            _correct(entries, item)
            continue
        journal.keep(item)
        event = _event(item, reader)
        effects = game.handle(event, item.seconds)
        if tally is not None:
            tally.count(event, effects, item.seconds)
        for entry in (each.entry for each in effects if isinstance(each, Record)):
            entries += (entry, *(tally.follow(entry) if tally is not None else ()))
    return entries


def _correct(entries: list[RecordEntry], tallied: TurnTallied) -> None:
    """Put *tallied* in place of the tally of that turn that the replay has made."""
    for place in reversed(range(len(entries))):
        found = entries[place]
        if isinstance(found, TurnTallied) and found.turn == tallied.turn:
            entries[place] = tallied
            return


def _line(event: GameEvent, now: Seconds) -> JournalLine:
    match event:
        case MessageReceived(client=client, as_sent=as_sent):
            return MessageLine(now, client, pack(as_sent))
        case SeatPortChosen(client=client, power=power):
            return SeatPortLine(now, client, power)
        case ClientLeft(client=client):
            return ClientLeftLine(now, client)
        case ClockTicked():
            return TickLine(now)
        case GameSaved(name=name):
            return SavedLine(now, name)
        case GameLoaded(name=name):
            return LoadedLine(now, name)
        case GameRecovered(wait=wait, grace=grace):
            return RecoveredLine(now, wait, grace)
        case GameBrokenOff():
            return BrokenOffLine(now)
        case _:
            assert_never(event)


def _event(line: JournalLine, reader: ClientReader) -> GameEvent:
    match line:
        case MessageLine(client=client, tokens=tokens):
            return MessageReceived(client, reader.read(tokens), tokens)
        case SeatPortLine(client=client, power=power):
            return SeatPortChosen(client, power)
        case ClientLeftLine(client=client):
            return ClientLeft(client)
        case TickLine():
            return ClockTicked()
        case SavedLine(name=name):
            return GameSaved(name)
        case LoadedLine(name=name):
            return GameLoaded(name)
        case RecoveredLine(wait=wait, grace=grace):
            return GameRecovered(wait, grace)
        case BrokenOffLine():
            return GameBrokenOff()
        case _:
            assert_never(line)

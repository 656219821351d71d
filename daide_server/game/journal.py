"""The journal of a game: its events, from which it can be replayed.

A game is a function of its seat assignment, its options and its events, so the events
are what a saved game is. Messages are kept as they were sent; questions and what the
game refuses change nothing and are left out. Where it counts that a client was silent,
or that one who was late is there again, that is a line of its own.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, assert_never

from daide_server.language.client_reader import ClientReader
from daide_server.language.messages import BackInControl, Rejoin
from daide_server.records.entries import RecordEntry, TurnTallied

from .effects import CloseClient, Effect, Record, Send
from .events import (
    ClientLeft,
    ClockTicked,
    EventOfServer,
    GameBrokenOff,
    GameEvent,
    GameLoaded,
    GameRecovered,
    GameSaved,
    MessageReceived,
    SeatPortChosen,
    Seconds,
    SilenceNoted,
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
    SilenceLine,
    TickLine,
    pack,
)
from .position_digest import PositionDigest, compare
from .refused_messages import MAX_REFUSAL_EFFECTS, QUESTIONS, is_refused
from .turn_tally import TurnTally


class Journal:
    """The lines of one game, in order."""

    def __init__(self) -> None:
        self._lines: Final[list[JournalLine]] = []

    def note(
        self, event: GameEvent, effects: Sequence[Effect], now: Seconds
    ) -> tuple[JournalLine, ...]:
        """Add what happened at *now* and had *effects*, and return its lines.

        There are none if it changed nothing.
        """
        if isinstance(event, MessageReceived):
            lines = _lines(event, effects, now)
        else:
            lines = (_line(event, now),)
        self._lines.extend(lines)
        return lines

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

    With a *tally* of the game, its entries too: those that *items* have, and of other
    turns what follows from the journal, which leaves out what was refused.
    Raises `LanguageError` if *reader* does not accept a message, `ReplayError` if a
    turn leads to another position than its digest says.
    """
    entries: list[RecordEntry] = []
    items = tuple(items)
    kept = {item.turn: item for item in items if isinstance(item, TurnTallied)}
    for item in items:
        if isinstance(item, PositionDigest):
            compare(game.state.position, item)
            continue
        if isinstance(item, TurnTallied):
            continue
        journal.keep(item)
        event = _event(item, reader)
        effects = game.handle(event, item.seconds)
        if tally is not None and tally.turn not in kept:
            tally.count(event, effects, item.seconds)
        for entry in (each.entry for each in effects if isinstance(each, Record)):
            entries.append(entry)
            if tally is not None:
                entries += tally.follow(entry, kept.get(tally.turn))
    return entries


def _lines(
    event: MessageReceived, effects: Sequence[Effect], now: Seconds
) -> tuple[JournalLine, ...]:
    # It comes before the answer, and alone; the results of a turn are many messages.
    first = effects[0] if effects else None
    is_back = isinstance(first, Send) and isinstance(first.messages[0], BackInControl)
    rest = effects[1:] if is_back else effects
    if type(event.message) in QUESTIONS or (
        len(rest) <= MAX_REFUSAL_EFFECTS and is_refused(event, rest)
    ):
        return (SilenceLine(now, event.client, is_over=True),) if is_back else ()
    line = MessageLine(now, event.client, pack(event.as_sent))
    if isinstance(event.message, Rejoin):
        return (*_silence(effects, now), line)
    return (line,)


def _silence(effects: Sequence[Effect], now: Seconds) -> Iterator[JournalLine]:
    """Yield that the client was silent whose seat IAM took, with these *effects*."""
    for effect in effects:
        if isinstance(effect, CloseClient):
            yield SilenceLine(now, effect.client, is_over=False)


def _line(event: EventOfServer, now: Seconds) -> JournalLine:
    match event:
        case SeatPortChosen(client=client, power=power):
            return SeatPortLine(now, client, power)
        case ClientLeft(client=client):
            return ClientLeftLine(now, client)
        case SilenceNoted(client=client, is_over=is_over):
            return SilenceLine(now, client, is_over)
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
        case SilenceLine(client=client, is_over=is_over):
            return SilenceNoted(client, is_over)
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

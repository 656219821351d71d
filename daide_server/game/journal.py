"""The journal of a game: its events, from which it can be replayed.

A game is a function of its seat assignment, its options and its events, so the events
are what a saved game is. Messages are kept as they were sent; questions and what the
game refuses change nothing and are left out.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Final, assert_never

from attrs import frozen

from daide_server.board.names import Unit
from daide_server.board.position import Position
from daide_server.board.results import OrderNote
from daide_server.language.client_reader import ClientReader
from daide_server.language.messages import (
    Admin,
    AnswerSave,
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
    InDisorder,
    MissingAdjustments,
    MissingRetreats,
    MissingUnits,
    OrderNoted,
    Out,
    Rejected,
    SendPress,
    ServerMessage,
    SubmitOrders,
    SyntaxRefused,
    VoteDraw,
    WithdrawDraw,
)
from daide_server.records.entries import RecordEntry, TurnResolved

from .effects import Effect, Record, Refuse, Send
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
        Admin,
        AnswerSave,
    }
)
"""Messages that change nothing: questions, and what is only forwarded."""


PLAIN_REFUSALS: Final = frozenset({Rejected, SyntaxRefused})
PRESS_REFUSALS: Final = PLAIN_REFUSALS | {Out, InDisorder}
ORDER_REFUSALS: Final = PLAIN_REFUSALS | {
    MissingUnits,
    MissingRetreats,
    MissingAdjustments,
}
"""Answers to a SUB that accept no order; OrderNoted is another."""


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

    def lines(self) -> tuple[JournalLine, ...]:
        """Return the lines so far."""
        return tuple(self._lines)


def is_refused(event: MessageReceived, effects: Sequence[Effect]) -> bool:
    """Return whether *effects* are only a refusal, so that nothing has changed."""
    # Why somebody may not join is for the log only.
    rest = [effect for effect in effects if not isinstance(effect, Refuse)]
    if len(rest) != 1:
        return False
    (effect,) = rest
    if not isinstance(effect, Send) or effect.clients != (event.client,):
        return False
    match event.message:
        case SubmitOrders():
            return all(map(_is_poor_answer, effect.messages))
        case SendPress():
            return type(effect.messages[0]) in PRESS_REFUSALS
        case VoteDraw() | WithdrawDraw():
            # One that is new, or takes back what was cast, has a `Record` as well.
            return True
        case _:
            return type(effect.messages[0]) in PLAIN_REFUSALS


def _is_poor_answer(answer: ServerMessage) -> bool:
    """Return whether *answer*, to a SUB, accepts no order."""
    if isinstance(answer, OrderNoted):
        return answer.note is not OrderNote.OK
    return type(answer) in ORDER_REFUSALS


@frozen
class PositionDigest:
    """The position after a turn, as a short hash, and the version that reached it."""

    turn: str
    digest: str
    version: str


class ReplayError(Exception):
    """A game cannot be replayed to what it was; the message says where, and why."""


def digest_of(position: Position) -> str:
    """Return a hash of *position*, the same in every version of this program."""
    parts = [str(position.turn)]
    parts += map(_unit_text, position.units)
    parts += map("".join, position.owners.items())
    for unit, places in position.dislodged.items():
        parts.append(f"{_unit_text(unit)} {' '.join(map(str, places))}")
    return blake2b("\n".join(parts).encode(), digest_size=8).hexdigest()


@lru_cache(maxsize=4096)
def _unit_text(unit: Unit) -> str:
    return f"{unit.power} {unit}"


def turn_digest(turn: TurnResolved, version: str) -> PositionDigest:
    """Return the digest of what *turn* led to in this *version*."""
    return PositionDigest(str(turn.position.turn), digest_of(turn.next), version)


def replay(
    game: Game,
    items: Iterable[JournalLine | PositionDigest],
    reader: ClientReader,
    journal: Journal,
    tally: TurnTally | None = None,
) -> list[RecordEntry]:
    """Replay *items* to a new game and its journal; return what the game recorded.

    With a *tally* of the game, its entries too; it lacks what the journal leaves out.
    Raises `LanguageError` if *reader* does not accept a message, `ReplayError` if a
    turn leads to another position than its digest says.
    """
    entries: list[RecordEntry] = []
    for item in items:
        if isinstance(item, PositionDigest):
            _compare(game, item)
            continue
        journal.keep(item)
        event = _event(item, reader)
        effects = game.handle(event, item.seconds)
        if tally is not None:
            tally.count(event, effects, item.seconds)
        for entry in (each.entry for each in effects if isinstance(each, Record)):
            entries += (entry, *(tally.follow(entry) if tally is not None else ()))
    return entries


def _compare(game: Game, expected: PositionDigest) -> None:
    found = digest_of(game.state.position)
    if found != expected.digest:
        message = (
            f"turn {expected.turn}: found position {found}, expected "
            f"{expected.digest} of version {expected.version}"
        )
        raise ReplayError(message)


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

"""The journal of a game: the data from which it can be replayed.

A game is a function of its seat assignment, its options and its events. An event has an
entry, and each turn that it ends a digest and a tally. Queries and refused messages
change nothing and have none; if it matters that a client was silent, or that a late
client is back, that is an entry of its own. Format: `library/journal_file.py`.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b

from msgspec import Struct

from daide_server import __version__
from daide_server.board.map import Position, Variant
from daide_server.board.names import Power, Province, Unit
from daide_server.board.results import OrderNote
from daide_server.daide import messages as said
from daide_server.daide.translation import ClientReader
from daide_server.daide.vocabulary import Vocabulary, from_text, to_text
from daide_server.records import entries

from . import events, playing, results
from .events import ClientId, Effect, EventOfServer, GameEvent, Journaled, Seconds
from .game import ANSWERS, Game
from .turn_tally import TurnTally


class MessageEntry(Journaled, frozen=True, tag="message"):
    """A client sent a message, here as DAIDE text."""

    client: ClientId
    text: str


class TurnDigest(Journaled, frozen=True, tag="digest", omit_defaults=True):
    """The current position: at the start, after each turn, and at the end."""

    turn: str
    """The turn for which orders are due."""
    hash: str
    centres: dict[Power, int]
    owners: dict[Province, Power]
    version: str
    """The version of the program that computed the position."""
    ending: str = ""
    """How the game ended; empty while it is running."""
    units: tuple[str, ...] = ()
    """Such as `FRA A PAR`."""
    dislodged: tuple[str, ...] = ()
    """Units that must retreat."""
    players: Mapping[Power, str] = {}
    """The names of players who took seats since the last digest."""


class TallyEntry(Journaled, frozen=True, tag="tally"):
    """How the players did in a turn, including refused messages."""

    tally: entries.TurnTallied


JournalEntry = EventOfServer | MessageEntry | TurnDigest | TallyEntry
"""The content of a line."""
NewEntry = JournalEntry | events.MessageReceived
"""An entry before it is written, when a message is converted to text."""


class JournalLine(Struct, frozen=True):
    """The content of a line, and the game time at which it happened."""

    seconds: Seconds
    entry: JournalEntry


class ReplayError(Exception):
    """A replay gives another game; the message says where, and why."""


# Entries


def entries_of(event: GameEvent, effects: Sequence[Effect]) -> tuple[NewEntry, ...]:
    """Return the entries for *event*, which had *effects*, if it changed anything."""
    if not isinstance(event, events.MessageReceived):
        return (event, *_digests(effects))
    # It comes before the answer, and alone: the results of a turn are many messages.
    first = effects[0] if effects else None
    is_back = isinstance(first, events.Send) and isinstance(
        first.messages[0], said.BackInControl
    )
    rest = effects[1:] if is_back else effects
    if type(event.message) in QUESTIONS or _is_refused(event, rest):
        return (events.SilenceNoted(event.client, is_over=True),) if is_back else ()
    silent: list[events.SilenceNoted] = []
    if isinstance(event.message, said.Rejoin):
        # The client whose seat IAM took was silent.
        closed = [each for each in effects if isinstance(each, events.CloseClient)]
        silent = [events.SilenceNoted(each.client, is_over=False) for each in closed]
    return (*silent, event, *_digests(effects))


def _digests(effects: Iterable[Effect]) -> list[TurnDigest]:
    """Return the positions at the start, after turns, and at the end of the game."""
    players: dict[Power, str] = {}
    found: list[TurnDigest] = []
    for effect in effects:
        if not isinstance(effect, events.Record):
            continue
        match effect.entry:
            case entries.Seated(power=power, name=name):
                players[power] = name
            case entries.Began(position=position) | entries.TurnResolved(next=position):
                found.append(_digest(position, "", players))
            case entries.Ended(position=position, ending=ending):
                found.append(_digest(position, ending.value, players))
            case _:
                pass
    return found


def written(entry: NewEntry, vocabulary: Vocabulary) -> JournalEntry:
    """Return *entry* as it is written."""
    if isinstance(entry, events.MessageReceived):
        return MessageEntry(entry.client, to_text(entry.as_sent, vocabulary))
    return entry


def _digest(
    position: Position, ending: str, players: Mapping[Power, str]
) -> TurnDigest:
    return TurnDigest(
        str(position.turn),
        digest_of(position),
        Counter(position.owners.values()),
        dict(position.owners),
        __version__,
        ending,
        tuple(map(_unit_text, position.units)),
        tuple(map(_unit_text, position.dislodged)),
        players,
    )


def digest_of(position: Position) -> str:
    """Return a hash of *position*, the same in every version of this program."""
    owners = [province + power for province, power in position.owners.items()]
    parts = [str(position.turn), *map(_unit_text, position.units), *owners]
    for unit, places in position.dislodged.items():
        parts.append(f"{_unit_text(unit)} {' '.join(map(str, places))}")
    return _hash(parts)


@lru_cache(maxsize=16)
def board_digest(variant: Variant) -> str:
    """Return a hash of the map of *variant* and of its start position."""
    neighbours = variant.map.neighbours
    parts = [f"{kind.value} {at}: {neighbours[kind, at]}" for kind, at in neighbours]
    return _hash([*sorted(parts), digest_of(variant.start)])


def _hash(parts: Sequence[str]) -> str:
    return blake2b("\n".join(parts).encode(), digest_size=8).hexdigest()


@lru_cache(maxsize=4096)
def _unit_text(unit: Unit) -> str:
    return f"{unit.power} {unit}"


# Replay


def replay(
    game: Game,
    lines: Sequence[JournalLine],
    reader: ClientReader,
    tally: TurnTally | None = None,
) -> list[entries.RecordEntry]:
    """Replay *lines* in a new game; return what the game recorded.

    With a *tally* of the game, the result includes its entries: those in *lines*, and
    for other turns what follows from the events. Raises `LanguageError` if *reader*
    refuses a message, `TextError` if one is not DAIDE, `ReplayError` if a digest
    differs.
    """
    recorded: list[entries.RecordEntry] = []
    journaled = (each.entry for each in lines)
    tallies = (each.tally for each in journaled if isinstance(each, TallyEntry))
    known = {each.turn: each for each in tallies}
    for line in lines:
        entry = line.entry
        if isinstance(entry, TurnDigest):
            _compare(game.state.position, entry)
        elif not isinstance(entry, TallyEntry):
            event = _event(entry, reader, game.state.vocabulary)
            effects = game.handle(event, line.seconds)
            if tally is not None and tally.turn not in known:
                tally.count(event, effects, line.seconds)
            for effect in effects:
                if isinstance(effect, events.Record):
                    recorded.append(effect.entry)
                    if tally is not None:
                        recorded += tally.follow(effect.entry, known.get(tally.turn))
    return recorded


def _event(
    entry: EventOfServer | MessageEntry, reader: ClientReader, vocabulary: Vocabulary
) -> GameEvent:
    if not isinstance(entry, MessageEntry):
        return entry
    tokens = from_text(entry.text, vocabulary)
    return events.MessageReceived(entry.client, reader.read(tokens), tokens)


def _compare(position: Position, expected: TurnDigest) -> None:
    """Raise `ReplayError` if *position* is not the *expected* one."""
    found = digest_of(position)
    if found != expected.hash and not expected.ending:
        message = (
            f"turn {expected.turn}: found position {found}, expected "
            f"{expected.hash} of version {expected.version}"
        )
        raise ReplayError(message)


def last_client(lines: Iterable[JournalLine]) -> ClientId:
    """Return the highest number of a client; new clients get higher ones."""
    return max(
        (getattr(line.entry, "client", ClientId(0)) for line in lines),
        default=ClientId(0),
    )


# Messages that change nothing

QUESTIONS = frozenset(
    kind
    for kind, row in ANSWERS.items()
    if not {results.answer, playing.forward}.isdisjoint(row)
)
"""Messages that change nothing: queries, and messages that are only forwarded."""

REFUSALS = frozenset(
    {
        said.Rejected,
        said.SyntaxRefused,
        said.Out,
        said.InDisorder,
        said.MissingUnits,
        said.MissingRetreats,
        said.MissingAdjustments,
    }
)
"""Answers that accept nothing if they stand alone; `OrderNoted` may be one."""

VOTES = frozenset({said.VoteDraw, said.WithdrawDraw})


def _is_refused(event: events.MessageReceived, effects: Sequence[Effect]) -> bool:
    """Return whether *effects* are only a refusal, so that nothing has changed."""
    # The reason for a refused join is for the log only.
    answers = [effect for effect in effects if not isinstance(effect, events.Refuse)]
    if len(answers) != 1:
        return False
    (answer,) = answers
    if not isinstance(answer, events.Send) or answer.clients != (event.client,):
        return False
    # A new or withdrawn vote has a `Record` beside its answer.
    is_vote = type(event.message) in VOTES
    return is_vote or all(map(_accepts_nothing, answer.messages))


def _accepts_nothing(answer: said.ServerMessage) -> bool:
    if isinstance(answer, said.OrderNoted):
        return answer.note is not OrderNote.OK
    return type(answer) in REFUSALS

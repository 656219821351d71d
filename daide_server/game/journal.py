"""The journal of a game: what it can be replayed from.

A game is a function of its seat assignment, its options and its events. `note` says
what is kept of an event: the event itself, and a digest of the turns that it ended.
Questions and what the game refuses change nothing and are left out; where it counts
that a client was silent, or that a late one is back, that is kept by itself.
A tally follows each turn too. How lines are written: `storage/journal_file.py`.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Final

from msgspec import Struct

from daide_server import __version__
from daide_server.board.map import Position, Variant
from daide_server.board.names import Power, Province, Unit
from daide_server.board.results import OrderNote
from daide_server.language import messages as said
from daide_server.language.translation import ClientReader
from daide_server.language.vocabulary import Vocabulary, from_text, to_text
from daide_server.records.entries import (
    Began,
    Ended,
    RecordEntry,
    Seated,
    TurnResolved,
    TurnTallied,
)

from . import events, playing, results
from .events import ClientId, Effect, EventOfServer, GameEvent, KeptEvent, Seconds
from .game import ANSWERS, Game
from .turn_tally import TurnTally


class MessageKept(KeptEvent, frozen=True, tag="message"):
    """A client sent a message, here as DAIDE text."""

    client: ClientId
    text: str


class TurnDigest(KeptEvent, frozen=True, tag="digest", omit_defaults=True):
    """The position in force: at the start, after each turn, and at the end."""

    turn: str
    """The turn that orders are due for."""
    hash: str
    centres: dict[Power, int]
    owners: dict[Province, Power]
    version: str
    """The version of the program that reached the position."""
    ending: str = ""
    """How the game ended; empty while it is played."""
    units: tuple[str, ...] = ()
    """Such as `FRA A PAR`."""
    dislodged: tuple[str, ...] = ()
    """Units that must retreat."""
    players: Mapping[Power, str] = {}
    """The names of those who were seated since the last one."""


class TallyKept(KeptEvent, frozen=True, tag="tally"):
    """How the players did in a turn, refused messages included."""

    tally: TurnTallied


Kept = EventOfServer | MessageKept | TurnDigest | TallyKept
"""What a line says."""
Noted = Kept | events.MessageReceived
"""What is kept of a game; messages get their text when a line is made."""


class JournalLine(Struct, frozen=True):
    """Something that is kept, and the game time at which it happened."""

    seconds: Seconds
    kept: Kept


class ReplayError(Exception):
    """A game cannot be replayed to what it was; the message says where, and why."""


# What is kept


def note(event: GameEvent, effects: Sequence[Effect]) -> tuple[Noted, ...]:
    """Return what is kept of *event*, which had *effects*, if it changed anything."""
    if not isinstance(event, events.MessageReceived):
        return (event, *_digests(effects))
    # It comes before the answer, and alone; the results of a turn are many messages.
    first = effects[0] if effects else None
    is_back = isinstance(first, events.Send) and isinstance(
        first.messages[0], said.BackInControl
    )
    rest = effects[1:] if is_back else effects
    if type(event.message) in QUESTIONS or _is_refused(event, rest):
        return (events.SilenceNoted(event.client, is_over=True),) if is_back else ()
    silent: list[events.SilenceNoted] = []
    if isinstance(event.message, said.Rejoin):
        # The client was silent whose seat IAM took.
        closed = [each for each in effects if isinstance(each, events.CloseClient)]
        silent = [events.SilenceNoted(each.client, is_over=False) for each in closed]
    return (*silent, event, *_digests(effects))


def _digests(effects: Iterable[Effect]) -> list[TurnDigest]:
    """Return the positions at the start and the end of the game, and after turns."""
    players: dict[Power, str] = {}
    found: list[TurnDigest] = []
    for effect in effects:
        if not isinstance(effect, events.Record):
            continue
        match effect.entry:
            case Seated(power=power, name=name):
                players[power] = name
            case Began(position=position) | TurnResolved(next=position):
                found.append(_digest(position, "", players))
            case Ended(position=position, ending=ending):
                found.append(_digest(position, ending.value, players))
            case _:
                pass
    return found


def written(noted: Noted, vocabulary: Vocabulary) -> Kept:
    """Return what a line says of *noted*."""
    if isinstance(noted, events.MessageReceived):
        return MessageKept(noted.client, to_text(noted.as_sent, vocabulary))
    return noted


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
    """Return a hash of the map of *variant* and of its first position."""
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
) -> list[RecordEntry]:
    """Replay *lines* to a new game; return what the game recorded.

    With a *tally* of the game, its entries too: those that *lines* have, and of other
    turns what follows from the events. Raises `LanguageError` if *reader* refuses a
    message, `TextError` if one is not DAIDE, `ReplayError` if a digest differs.
    """
    entries: list[RecordEntry] = []
    tallies = (each.kept.tally for each in lines if isinstance(each.kept, TallyKept))
    known = {each.turn: each for each in tallies}
    for line in lines:
        kept = line.kept
        if isinstance(kept, TurnDigest):
            _compare(game.state.position, kept)
        elif not isinstance(kept, TallyKept):
            event = _event(kept, reader, game.state.vocabulary)
            effects = game.handle(event, line.seconds)
            if tally is not None and tally.turn not in known:
                tally.count(event, effects, line.seconds)
            for effect in effects:
                if isinstance(effect, events.Record):
                    entries.append(effect.entry)
                    if tally is not None:
                        entries += tally.follow(effect.entry, known.get(tally.turn))
    return entries


def _event(
    kept: EventOfServer | MessageKept, reader: ClientReader, vocabulary: Vocabulary
) -> GameEvent:
    if not isinstance(kept, MessageKept):
        return kept
    tokens = from_text(kept.text, vocabulary)
    return events.MessageReceived(kept.client, reader.read(tokens), tokens)


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
    """Return the highest number of a client: new clients come after it."""
    return max(
        (getattr(line.kept, "client", ClientId(0)) for line in lines),
        default=ClientId(0),
    )


# Messages that change nothing

QUESTIONS: Final = frozenset(
    kind
    for kind, row in ANSWERS.items()
    if not {results.answer, playing.forward}.isdisjoint(row)
)
"""Messages that change nothing: questions, and what is only forwarded."""

REFUSALS: Final = frozenset(
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
"""Answers that accept nothing, if nothing else is said; `OrderNoted` can be another."""

VOTES: Final = frozenset({said.VoteDraw, said.WithdrawDraw})


def _is_refused(event: events.MessageReceived, effects: Sequence[Effect]) -> bool:
    """Return whether *effects* are only a refusal, so that nothing has changed."""
    # Why somebody may not join is for the log only.
    told = [effect for effect in effects if not isinstance(effect, events.Refuse)]
    if len(told) != 1:
        return False
    (answer,) = told
    if not isinstance(answer, events.Send) or answer.clients != (event.client,):
        return False
    # A vote that is new, or is taken back, has a `Record` beside its answer.
    is_vote = type(event.message) in VOTES
    return is_vote or all(map(_accepts_nothing, answer.messages))


def _accepts_nothing(answer: said.ServerMessage) -> bool:
    if isinstance(answer, said.OrderNoted):
        return answer.note is not OrderNote.OK
    return type(answer) in REFUSALS

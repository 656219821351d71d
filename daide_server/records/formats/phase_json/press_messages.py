"""Press and draw votes as dipcc's messages, and back.

A dipcc message has one recipient and a unique time stamp: press for several powers
becomes several messages with consecutive stamps, unless it is for all survivors. The
actual recipients and times are under the key `daide`, which other readers skip.
"""

from collections.abc import Iterable, Iterator, Mapping

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from daide_server.board.map import Position, Turn
from daide_server.board.names import Power
from daide_server.records.record import DrawVote, GameRecord, Message, PressOrVote

from .map_names import COMPLETED_PHASE, Names
from .shapes import Dialect, MessageExtension, ReadMessage, WrittenMessage

EVERYBODY = {"ALL", "GLOBAL"}
"""The recipients of public press, in all dialects."""
DRAW = "<DRAW>"
NO_DRAW = "<NODRAW>"


def messages_of(
    record: GameRecord, names: Names, dialect: Dialect
) -> Mapping[str, list[WrittenMessage]]:
    """Return the messages of each phase, by the name of the phase, in order of time.

    The stamps of a file grow strictly, as dipcc's reader demands of a phase.
    """
    positions = {position.turn: position for position in record.positions}
    found: dict[str, list[WrittenMessage]] = {}
    stamp = -1
    for number, sent in enumerate(record.press_and_votes):
        position = positions.get(sent.turn or record.last.turn, record.last)
        message = _message(names, sent, number)
        for recipient in _recipients(names, sent, position, dialect.everybody):
            # dipcc demands a stamp, even if none is known.
            known = record.started + (sent.seconds or 0.0)
            stamp = max(stamp + 1, round(known * dialect.stamps))
            found.setdefault(message.phase, []).append(
                replace(message, recipient=recipient, time_sent=stamp)
            )
    return found


def stamp_of(
    seconds: float | None, record: GameRecord, dialect: Dialect
) -> int | UnsetType:
    """Return the stamp in *dialect* of a time of *record*; none if it is unknown."""
    if seconds is None:
        return UNSET
    return round((record.started + seconds) * dialect.stamps)


def _message(names: Names, sent: PressOrVote, number: int) -> WrittenMessage:
    """Return the message that *sent* becomes, without its recipient and stamp."""
    phase = names.phase_text(sent.turn) if sent.turn else COMPLETED_PHASE
    extension = MessageExtension(sent.seconds, number)
    if isinstance(sent, DrawVote):
        if sent.powers is not None:
            extension.powers = [names.powers[power] for power in sent.powers]
        sender, text = sent.power, NO_DRAW if sent.withdrawn else DRAW
    else:
        extension.to = [names.powers[power] for power in sent.recipients]
        sender, text = sent.sender, sent.text
    return WrittenMessage(phase, names.powers[sender], "", 0, text, extension)


def _recipients(
    names: Names, sent: PressOrVote, position: Position, everybody: str
) -> list[str]:
    """Return the names of the recipients; *everybody* if these are all survivors."""
    if isinstance(sent, DrawVote) or not sent.recipients:
        return [everybody]
    alive = {power for power in names.powers if not position.is_eliminated(power)}
    to_all = set(sent.recipients) >= alive - {sent.sender}
    if to_all and len(sent.recipients) > 1:
        return [everybody]
    return [names.powers[power] for power in sent.recipients]


def press_and_votes_in(
    names: Names,
    turns: Mapping[str, Turn | None],
    place: str,
    messages: Iterable[ReadMessage],
    started: float,
) -> Iterator[PressOrVote]:
    """Yield the press and the votes in the phase *place* of a file.

    Each is of the phase that it names, if that is one of *turns*. Messages from or to
    others than powers are not press, but the server's.
    """
    seen: set[int] = set()
    known = set(names.powers.values())
    for message in messages:
        if message.sender not in known or message.recipient not in (known | EVERYBODY):
            continue
        if message.daide and message.daide.seq in seen:
            continue
        if message.daide:
            seen.add(message.daide.seq)
        turn = turns.get(message.phase or place, turns[place])
        yield _press_or_vote(names, turn, message, started)


def _press_or_vote(
    names: Names, turn: Turn | None, message: ReadMessage, started: float
) -> PressOrVote:
    sender = names.power(message.sender)
    extension = message.daide
    seconds = extension.seconds if extension else since(message.time_sent, started)
    if message.message in {DRAW, NO_DRAW}:
        powers = extension.powers if extension else UNSET
        shared = None if powers is UNSET else tuple(map(names.power, powers))
        return DrawVote(turn, sender, shared, message.message == NO_DRAW, seconds)
    return Message(turn, sender, _read_to(names, message), message.message, seconds)


def _read_to(names: Names, message: ReadMessage) -> tuple[Power, ...]:
    if message.daide and message.daide.to is not UNSET:
        return tuple(map(names.power, message.daide.to))
    if message.recipient not in EVERYBODY:
        return (names.power(message.recipient),)
    return tuple(
        power for power, text in names.powers.items() if text != message.sender
    )


# The smallest stamp of each kind and its units per second. dipcc writes centiseconds;
# some of its games have the factor twice, the `diplomacy` package writes microseconds.
STAMPS = ((1e15, 1e6), (1e13, 1e4), (0, 1e2))


def since(stamp: float | None, started: float) -> float | None:
    """Return the seconds from *started* to *stamp*, `None` for no stamp."""
    return None if stamp is None else max(0.0, seconds_of(stamp) - started)


def seconds_of(stamp: float) -> float:
    """Return *stamp* in seconds since 1970; its size shows its unit."""
    per_second = next(units for least, units in STAMPS if max(stamp, 0) >= least)
    return stamp / per_second

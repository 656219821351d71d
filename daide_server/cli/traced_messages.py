"""The messages of a kept conversation, the turns in which they were sent, as text."""

import struct
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final

from attrs import evolve

from daide_server.board.turns import Turn
from daide_server.classes import frozen
from daide_server.language.text import to_text
from daide_server.language.tokens import MBV, ORD, THX, Tokens
from daide_server.language.vocabulary import Vocabulary
from daide_server.wire.captures import CaptureError, frames_of, log_records
from daide_server.wire.frames import (
    FrameType,
    decode_entries,
    decode_tokens,
    error_text,
)

from .traced_turns import TracedTurns

FOLDED: Final = frozenset({ORD, THX})
"""Messages that come in rows: a row is shown as its first one."""
REFUSALS: Final = frozenset({"HUH", "PRN", "REJ"})
ARROWS: Final = {True: "->", False: "<-"}


@frozen
class TracedMessage:
    """A message of a conversation."""

    milliseconds: int
    by_client: bool
    tokens: Tokens
    text: str
    heading: str = ""
    """The turn in which it was sent, and the power that plays."""
    turn: Turn | None = None
    is_late: bool = False
    """It is no message, but says what was not ordered when the turn ended."""

    @property
    def word(self) -> str:
        """Return its first word, such as NOW."""
        return self.text.partition(" ")[0]

    @property
    def is_refusal(self) -> bool:
        """Return whether something was refused, not understood, or not ordered."""
        if self.by_client or self.is_late:
            return self.is_late
        return self.word in REFUSALS or (self.word == "THX" and MBV not in self.tokens)


def traced_messages(data: bytes, turns: TracedTurns) -> Iterator[TracedMessage]:
    """Yield the messages of a kept conversation; raises `CaptureError`."""
    vocabulary = turns.vocabulary
    for record in log_records(data):
        for kind, body in frames_of(record.frames):
            tokens: Tokens = ()
            if kind is FrameType.DIPLOMACY and len(body) % 2 == 0:
                tokens = decode_tokens(body)
            if kind is FrameType.REPRESENTATION and body:
                vocabulary = _named(body, vocabulary)
                turns.rename(vocabulary)
            text = to_text(tokens, vocabulary) if tokens else _frame_text(kind, body)
            message = TracedMessage(record.milliseconds, record.by_client, tokens, text)
            missing = turns.follow(tokens, by_client=record.by_client)
            found = (_late(message, missing, vocabulary), message)
            for each in found if missing else found[1:]:
                yield evolve(each, heading=_heading(turns), turn=turns.turn)


def _late(
    ending: TracedMessage, missing: Tokens, vocabulary: Vocabulary
) -> TracedMessage:
    """Return the remark on a turn that *ending* has ended: *missing* is MIS."""
    text = f"late: not ordered when the turn ended: {to_text(missing, vocabulary)}"
    return evolve(ending, tokens=(), text=text, is_late=True)


def _heading(turns: TracedTurns) -> str:
    if turns.turn is None:
        return "before the first turn"
    return f"{turns.turn} {turns.power}".rstrip()


def lines_of(messages: Iterable[TracedMessage], *, unfold: bool) -> Iterator[str]:
    """Yield a line for each message, or for each row of messages of one kind."""
    for (_, row), group in groupby(messages, key=_row):
        if row is None or unfold:
            # At once: damage later in the file costs nothing that comes before it.
            yield from map(_line, group)
            continue
        first, *others = group
        rest = f" ... {1 + len(others)} {first.word}" if others else ""
        yield _line(first) + rest


def _row(message: TracedMessage) -> tuple[bool, Tokens | None]:
    """Return what the messages of a row have in common; `None`: it is shown alone."""
    head = message.tokens[:1]
    is_folded = bool(head) and head[0] in FOLDED
    return message.by_client, head if is_folded else None


def _line(message: TracedMessage) -> str:
    seconds = message.milliseconds / 1000
    arrow = "  " if message.is_late else ARROWS[message.by_client]
    return f"{seconds:9.3f} {arrow} {message.text}"


def _named(body: bytes, vocabulary: Vocabulary) -> Vocabulary:
    try:
        named = Vocabulary.from_representation(decode_entries(body))
    except struct.error as error:
        message = f"found an RM of {len(body)} bytes, expected entries of six"
        raise CaptureError(message) from error
    return Vocabulary(named.powers, named.provinces, vocabulary.words)


def _frame_text(kind: FrameType, body: bytes) -> str:
    match kind:
        case FrameType.INITIAL:
            return "IM"
        case FrameType.REPRESENTATION:
            return "RM"
        case FrameType.FINAL:
            return "FM"
        case FrameType.ERROR:
            return error_text(int.from_bytes(body, "big"))
        case FrameType.DIPLOMACY:
            return f"a message of {len(body)} bytes"

"""`daide-server trace`: a kept conversation as text, turn by turn."""

import struct
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import BinaryIO, Final

import click

from daide_server.board.turns import Turn
from daide_server.classes import frozen
from daide_server.formats.phase_json.map_names import phase_turn
from daide_server.language.brackets import parts
from daide_server.language.text import to_text
from daide_server.language.tokens import MBV, NOW, ORD, THX, Tokens
from daide_server.language.turn_tokens import is_turn, read_turn
from daide_server.language.vocabulary import Vocabulary
from daide_server.storage.variants import find_variant
from daide_server.wire.captures import CaptureError, frames_of, log_records
from daide_server.wire.errors import ErrorCode
from daide_server.wire.frames import FrameType, decode_entries, decode_tokens

from .options import gather, given_options, setting_options
from .printing import print_line

FOLDED: Final = frozenset({ORD, THX})
"""Messages that come in rows: a row is shown as its first one."""
REFUSALS: Final = frozenset({"HUH", "PRN", "REJ"})
ARROWS: Final = {True: "->", False: "<-"}
CONVERSATION_LIMIT: Final = 256 << 20


@frozen
class TracedMessage:
    """A message of a conversation."""

    milliseconds: int
    by_client: bool
    tokens: Tokens
    text: str

    @property
    def word(self) -> str:
        """Return its first word, such as NOW."""
        return self.text.partition(" ")[0]

    @property
    def is_refusal(self) -> bool:
        """Return whether the server refused something by it, or understood nothing."""
        if self.by_client:
            return False
        return self.word in REFUSALS or (self.word == "THX" and MBV not in self.tokens)

    @property
    def turn(self) -> Turn | None:
        """Return the turn that it begins: that of NOW."""
        if self.by_client or self.tokens[:1] != (NOW,):
            return None
        first = parts(self.tokens)[:1]
        return read_turn(first[0]) if first and is_turn(first[0]) else None


@click.command()
@click.argument("file", type=click.File("rb"))
@click.option(
    "--message",
    "words",
    multiple=True,
    metavar="WORD",
    help="Show only messages that begin with this word, such as SUB; repeatable.",
)
@click.option("--power", metavar="POW", help="Show only messages that name this power.")
@click.option("--from", "phase", metavar="PHASE", help="Begin at a phase, as F1901M.")
@click.option(
    "--refused",
    is_flag=True,
    help="Show only REJ, HUH, PRN, and THX with another note than MBV.",
)
@click.option("--unfold", is_flag=True, help="Show each ORD and THX of a row.")
@setting_options("variant", "dialect")
def command(  # noqa: PLR0913 - each is an option
    file: BinaryIO,
    words: tuple[str, ...],
    power: str | None,
    phase: str | None,
    *,
    refused: bool,
    unfold: bool,
    **given: object,
) -> None:
    """Show a conversation that `serve --trace` or `examine --trace` has kept.

    Each message is a line: the seconds since the client connected, `->` if the client
    sent it and `<-` if the server did, and its text. A turn begins at its NOW; rows of
    ORD and THX are folded. Passcodes are 0: they were not kept.

    \b
    Examples:
      daide-server trace traces/20261122T200500-000003.trace
      daide-server trace a.trace --from F1902M --message SUB --message THX
      daide-server trace a.trace --refused --unfold
    """
    chosen = gather(given_options(given))
    names = Vocabulary.of(find_variant(chosen.board.variant).map)
    data = file.read(CONVERSATION_LIMIT)
    messages = traced_messages(data, names.in_dialect(chosen.log.dialect))
    begin = None if phase is None else phase_turn(phase.upper())
    wanted = frozenset(word.upper() for word in words)
    shown = (
        (turn, each)
        for turn, each in with_turns(messages)
        if (begin is None or (turn is not None and turn >= begin))
        and (not wanted or each.word in wanted)
        and (not refused or each.is_refusal)
        and (power is None or power.upper() in each.text.split())
    )
    for turn, group in groupby(shown, key=lambda pair: pair[0]):
        print_line(f"{turn}" if turn is not None else "before the first turn")
        for line in lines_of([each for _, each in group], unfold=unfold):
            print_line(f"  {line}")


def traced_messages(data: bytes, vocabulary: Vocabulary) -> Iterator[TracedMessage]:
    """Yield the messages of a kept conversation; raises `CaptureError`."""
    for record in log_records(data):
        for kind, body in frames_of(record.frames):
            tokens: Tokens = ()
            if kind is FrameType.DIPLOMACY and len(body) % 2 == 0:
                tokens = decode_tokens(body)
            if kind is FrameType.REPRESENTATION and body:
                vocabulary = _named(body, vocabulary)
            text = to_text(tokens, vocabulary) if tokens else _frame_text(kind, body)
            yield TracedMessage(record.milliseconds, record.by_client, tokens, text)


def with_turns(
    messages: Iterable[TracedMessage],
) -> Iterator[tuple[Turn | None, TracedMessage]]:
    """Yield each message with the turn in which it was sent."""
    turn: Turn | None = None
    for each in messages:
        turn = each.turn or turn
        yield turn, each


def lines_of(messages: Sequence[TracedMessage], *, unfold: bool) -> Iterator[str]:
    """Yield a line for each message, or for each row of messages of one kind."""
    for (_, row), group in groupby(messages, key=_row):
        same = list(group)
        if row is None or unfold or len(same) == 1:
            yield from map(_line, same)
        else:
            yield f"{_line(same[0])} ... {len(same)} {same[0].word}"


def _row(message: TracedMessage) -> tuple[bool, Tokens | None]:
    """Return what the messages of a row have in common; `None`: it is shown alone."""
    head = message.tokens[:1]
    is_folded = bool(head) and head[0] in FOLDED
    return message.by_client, head if is_folded else None


def _line(message: TracedMessage) -> str:
    seconds = message.milliseconds / 1000
    return f"{seconds:9.3f} {ARROWS[message.by_client]} {message.text}"


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
            code = int.from_bytes(body, "big")
            known = code in list(ErrorCode)
            return f"EM {ErrorCode(code).name.lower() if known else code}"
        case FrameType.DIPLOMACY:
            return f"a message of {len(body)} bytes"

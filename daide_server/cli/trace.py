"""`daide-server trace`: a kept conversation as text, turn by turn."""

import struct
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import BinaryIO, Final

import click
from attrs import evolve

from daide_server.board.turns import Turn
from daide_server.classes import frozen
from daide_server.formats.errors import FormatError
from daide_server.formats.phase_json.map_names import Names, names_of, phase_turn
from daide_server.language.text import to_text
from daide_server.language.tokens import MBV, ORD, THX, Tokens
from daide_server.language.vocabulary import Vocabulary
from daide_server.reports.expectations import power_called
from daide_server.storage.variants import find_variant
from daide_server.wire.captures import CaptureError, frames_of, log_records
from daide_server.wire.errors import error_text
from daide_server.wire.frames import FrameType, decode_entries, decode_tokens

from .input_places import failures_of, name_of
from .options import gather, given_options, setting_options
from .printing import print_line
from .traced_turns import TracedTurns

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
    help="Show only REJ, HUH, PRN, THX with another note than MBV, and what was not "
    "ordered in time.",
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
    ORD and THX are folded. `late` shows, as MIS, what was not ordered when the turn
    ended. Passcodes are 0: they were not kept.

    \b
    Examples:
      daide-server trace traces/20261122T200500-000003.trace
      daide-server trace a.trace --from F1902M --message SUB --message THX
      daide-server trace a.trace --refused --unfold
    """
    chosen = gather(given_options(given))
    board_map = find_variant(chosen.board.variant).map
    names = Vocabulary.of(board_map).in_dialect(chosen.log.dialect)
    called = None if power is None else _power_called(power, names_of(board_map))
    data = file.read(CONVERSATION_LIMIT)
    begin = None if phase is None else phase_turn(phase.upper())
    wanted = frozenset(word.upper() for word in words)
    shown = (
        each
        for each in traced_messages(data, names, TracedTurns(names, board_map))
        if (begin is None or (each.turn is not None and each.turn >= begin))
        and (not wanted or each.word in wanted)
        and (not refused or each.is_refusal)
        and (called is None or called in each.text.split())
    )
    with failures_of(name_of(file)):
        has_any = False
        for heading, group in groupby(shown, key=lambda each: each.heading):
            has_any = True
            print_line(heading)
            for line in lines_of(group, unfold=unfold):
                print_line(f"  {line}")
    if not has_any:
        print_line(f"{name_of(file)}: no such message", to_stderr=True)


def traced_messages(
    data: bytes, vocabulary: Vocabulary, turns: TracedTurns
) -> Iterator[TracedMessage]:
    """Yield the messages of a kept conversation; raises `CaptureError`."""
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


def _power_called(text: str, names: Names) -> str:
    """Return the word of a power: the board's, or that of an RM, which may be any."""
    try:
        return power_called(names, text)
    except FormatError:
        return text.upper()


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

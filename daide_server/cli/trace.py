"""`daide-server trace`: kept conversations as text, turn by turn.

No message tells a client that it was late: the orders that are missing when the ORDs of
a turn arrive follow from its NOW and from the orders that the server has accepted
since. The orders of a turn are counted as the server counts them.
"""

import struct
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Final

import click
from attrs import evolve, frozen

from daide_server.board.map import Map, Position, Turn
from daide_server.board.results import OrderNote
from daide_server.bots.view import OBSERVER, Knowledge
from daide_server.daide import captures, frames, messages, translation
from daide_server.daide.commands import FREE_TEXT_LEVEL
from daide_server.daide.frames import FrameType
from daide_server.daide.tokens import BRA, KET, MBV, ORD, SUB, THX, Tokens
from daide_server.daide.vocabulary import Vocabulary, to_text
from daide_server.game.turns import CurrentTurn
from daide_server.judge.rules import DAIDE_RULES
from daide_server.library import archive, variants
from daide_server.records.formats.errors import FormatError
from daide_server.records.formats.phase_json.map_names import (
    Names,
    names_of,
    phase_turn,
)
from daide_server.text.queries import power_called

from .common.failures import FAILED, CommandError, failures_of, writing
from .common.options import gather, given_options, setting_options
from .common.printing import print_line


class TracedTurns:
    """Follows the game of a conversation: its turns, and its missing orders."""

    def __init__(self, vocabulary: Vocabulary, board_map: Map) -> None:
        self.turn: Turn | None = None
        """The turn that the last NOW began; answers to HST begin none."""
        self._known: Final = Knowledge(map=board_map)
        self.vocabulary = vocabulary
        self._asks_for_history = False
        self._orders: CurrentTurn | None = None
        """Orders of the turn; `None` if the conversation does not have all."""
        self._has_returned = False
        self._read_on(board_map)

    def rename(self, vocabulary: Vocabulary) -> None:
        """Read with the names of an RM from now on."""
        self.vocabulary = vocabulary
        assert self._known.map is not None
        self._read_on(self._known.map)

    def follow(self, tokens: Tokens, *, by_client: bool) -> Tokens:
        """Follow a message; return MIS if it ends a turn with orders missing."""
        try:
            if by_client:
                self._ask(self._client.read(tokens))
                return ()
            return self._learn(self._server.read(tokens))
        except translation.LanguageError:
            return ()

    @property
    def heading(self) -> str:
        """Return the turn, and the power that plays; none for an observer."""
        if self.turn is None:
            return "before the first turn"
        power = "" if self._known.power == OBSERVER else self._known.power
        return f"{self.turn} {power}".rstrip()

    def _read_on(self, board_map: Map) -> None:
        self._server = translation.ServerReader(self.vocabulary, board_map)
        self._client = translation.ClientReader(
            self.vocabulary, board_map, FREE_TEXT_LEVEL
        )
        self._writer = translation.Writer(self.vocabulary)

    def _ask(self, message: messages.ClientMessage) -> None:
        match message:
            case messages.AskHistory():
                self._asks_for_history = True
            case messages.Rejoin():
                self._has_returned = True
            case _:
                pass

    def _learn(self, message: messages.ServerMessage) -> Tokens:
        match message:
            case messages.CurrentPosition(position=position):
                turn, last = position.turn, self.turn
                # An earlier one answers HST.
                if not self._asks_for_history or last is None or turn >= last:
                    self._known.learn(message)
                    self._begin(turn)
            case messages.OrderNoted() if message.note is OrderNote.OK:
                self._accept((SUB, BRA, *message.as_sent, KET))
            case messages.Accepted():
                self._accept(message.message)
            case messages.OrderResulted(turn=turn) if turn == self.turn:
                return self._end()
            case messages.MapDefinition(map=board_map) if not _is_whole(board_map):
                pass
            case messages.MapDefinition(map=board_map):
                self._known.learn(message)
                self._read_on(board_map)
            case _:
                self._known.learn(message)
        return ()

    def _begin(self, turn: Turn) -> None:
        if turn == self.turn:
            return
        self.turn = turn
        position, board_map = self._known.position, self._known.map
        assert position is not None
        assert board_map is not None
        self._orders = None
        plays = self._known.power in board_map.powers and not self._has_returned
        if plays and _fits(position, board_map):
            rules = DAIDE_RULES
            self._orders = CurrentTurn(board_map, position, rules, any_orders=True)
        self._has_returned = False

    def _accept(self, tokens: Tokens) -> None:
        """Apply an answer of the server: an order is accepted, or withdrawn."""
        if self._orders is None:
            return
        power = self._known.power
        match self._client.read(tokens):
            case messages.SubmitOrders(orders=orders):
                self._orders.submit(orders, power)
            case messages.CancelOrder(order=order):
                self._orders.cancel(order, power)
            case messages.CancelOrders():
                self._orders.cancel_all(power)
            case _:
                pass

    def _end(self) -> Tokens:
        """Return MIS if orders were missing when the turn ended; ORD come in a row."""
        orders, self._orders = self._orders, None
        if orders is None or orders.is_complete(self._known.power):
            return ()
        return self._writer.write(orders.missing(self._known.power))


def _is_whole(board_map: Map) -> bool:
    """Return whether every neighbour of a province is on the board."""
    return all(
        at.province in board_map.index
        and all(board_map.can_stand(kind, place) for place in reach)
        for (kind, at), reach in board_map.neighbours.items()
    )


def _fits(position: Position, board_map: Map) -> bool:
    """Return whether the units of *position* stand where they can on this board.

    A corrupted conversation, or one on another board, may have other places.
    """
    return all(
        unit.power in board_map.power_index
        and board_map.can_stand(unit.type, unit.location)
        for unit in (*position.units, *position.dislodged)
    )


FOLDED = frozenset({ORD, THX})
"""Messages that repeat: a series is shown as its first one."""
REFUSALS = frozenset({"HUH", "PRN", "REJ"})
ARROWS = {True: "->", False: "<-"}
LATE = "late: not ordered when the turn ended: "


@frozen
class TracedMessage:
    """A message of a conversation."""

    milliseconds: int
    by_client: bool
    tokens: Tokens
    text: str
    heading: str
    """The turn in which it was sent, and the power that plays."""
    turn: Turn | None
    is_late: bool = False
    """Whether this is not a message, but the orders missing when the turn ended."""

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
    for record in captures.log_records(data):
        for kind, body in captures.frames_of(record.frames):
            tokens: Tokens = ()
            if kind is FrameType.DIPLOMACY and len(body) % 2 == 0:
                tokens = frames.decode_tokens(body)
            if kind is FrameType.REPRESENTATION and body:
                turns.rename(_named(body, turns.vocabulary))
            words = turns.vocabulary
            text = to_text(tokens, words) if tokens else _frame_text(kind, body)
            missing = turns.follow(tokens, by_client=record.by_client)
            message = TracedMessage(
                record.milliseconds,
                record.by_client,
                tokens,
                text,
                turns.heading,
                turns.turn,
            )
            if missing:
                late = LATE + to_text(missing, words)
                yield evolve(message, tokens=(), text=late, is_late=True)
            yield message


def lines_of(traced: Iterable[TracedMessage], *, unfold: bool) -> Iterator[str]:
    """Yield a line for each message, or for each series of ORD or THX."""
    for (_, row), group in groupby(traced, key=_row):
        if row is None or unfold:
            # Immediately: later damage in the file does not affect anything before it.
            yield from map(_line, group)
            continue
        first, *others = group
        rest = f" ... {1 + len(others)} {first.word}" if others else ""
        yield _line(first) + rest


def _row(message: TracedMessage) -> tuple[bool, Tokens | None]:
    """Return the key of a message's series; with `None` if the message is in none."""
    head = message.tokens[:1]
    is_folded = bool(head) and head[0] in FOLDED
    return message.by_client, head if is_folded else None


def _line(message: TracedMessage) -> str:
    seconds = message.milliseconds / 1000
    arrow = "  " if message.is_late else ARROWS[message.by_client]
    return f"{seconds:9.3f} {arrow} {message.text}"


def _named(body: bytes, vocabulary: Vocabulary) -> Vocabulary:
    try:
        return vocabulary.renamed(frames.decode_entries(body))
    except struct.error as error:
        message = f"found an RM of {len(body)} bytes, expected entries of six"
        raise captures.CaptureError(message) from error


def _frame_text(kind: FrameType, body: bytes) -> str:
    if kind is FrameType.ERROR:
        return frames.error_text(int.from_bytes(body, "big"))
    if kind is FrameType.DIPLOMACY:
        return f"a message of {len(body)} bytes"
    return f"{kind.name[0]}M"  # IM, RM or FM


# The command

CONVERSATION_LIMIT = 256 << 20
"""Bytes of a file; the default of `trace_bytes` is a sixteenth of it."""


@frozen
class MessageChoice:
    """The messages to show; all of them if nothing is restricted."""

    words: frozenset[str]
    power: str | None
    begin: Turn | None
    refused: bool

    def __contains__(self, message: TracedMessage) -> bool:
        turn = message.turn
        return (
            (self.begin is None or (turn is not None and turn >= self.begin))
            and (not self.words or message.word in self.words)
            and (not self.refused or message.is_refusal)
            and (self.power is None or self.power in message.text.split())
        )


@click.command()
@click.argument(
    "files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path)
)
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
    help="Show only REJ, HUH, PRN, THX with a note other than MBV, and late orders.",
)
@click.option(
    "--unfold",
    is_flag=True,
    help="Show every ORD and THX instead of folding rows of them.",
)
@setting_options("variant", "dialect")
def command(  # noqa: PLR0913 - each is an option
    files: tuple[Path, ...],
    words: tuple[str, ...],
    power: str | None,
    phase: str | None,
    *,
    refused: bool,
    unfold: bool,
    **given: object,
) -> None:
    """Show conversations that `serve --trace` or `examine --trace` has kept.

    Each message is a line: the seconds since the client connected, `->` if the client
    sent it and `<-` if the server did, and its text. A turn begins with its NOW; rows
    of ORD and THX are folded. `late` shows, as MIS, the orders that were missing when
    the turn ended. Passcodes are 0: they were not kept. A file name that ends with -cut
    means that the conversation was longer than the setting trace_bytes.

    The exit code is 1 if a file cannot be read to its end.

    \b
    Examples:
      daide-server trace traces/20261122T200500-000003.trace
      daide-server trace a.trace --from F1902M --message SUB --message THX
      daide-server trace --refused a.trace b.trace
    """
    chosen = gather(given_options(given))
    board_map = variants.find_variant(chosen.board.variant).map
    names = Vocabulary.of(board_map).in_dialect(chosen.log.dialect)
    choice = MessageChoice(
        frozenset(word.upper() for word in words),
        None if power is None else _power_called(power, names_of(board_map)),
        None if phase is None else phase_turn(phase.upper()),
        refused,
    )
    failed = False
    for path in files:
        if len(files) > 1:
            print_line(f"== {path}")
        try:
            turns = TracedTurns(names, board_map)
            # Each refused order is wanted, with its note.
            _show(path, turns, choice, unfold=unfold or refused)
        except CommandError as error:
            print_line(f"daide-server: {error}", to_stderr=True)
            failed = True
    if failed:
        raise SystemExit(FAILED)


def _show(
    path: Path, turns: TracedTurns, choice: MessageChoice, *, unfold: bool
) -> None:
    """Print the chosen messages of a file; raises `CommandError`."""
    with writing(path), path.open("rb") as file:
        data = file.read(CONVERSATION_LIMIT + 1)
    if len(data) > CONVERSATION_LIMIT:
        raise CommandError(f"{path}: more than {CONVERSATION_LIMIT} bytes")
    shown = (each for each in traced_messages(data, turns) if each in choice)
    has_any = False
    with failures_of(str(path)):
        for heading, group in groupby(shown, key=lambda each: each.heading):
            has_any = True
            print_line(heading)
            for line in lines_of(group, unfold=unfold):
                print_line(f"  {line}")
    if not has_any:
        print_line(f"{path}: no such message", to_stderr=True)
    if archive.is_cut(path):
        print_line(f"{path}: cut, what followed was not kept", to_stderr=True)


def _power_called(text: str, names: Names) -> str:
    """Return the token name of a power: the board's, else any that an RM may have."""
    try:
        return power_called(names, text)
    except FormatError:
        return text.upper()

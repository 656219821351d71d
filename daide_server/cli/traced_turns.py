"""The messages and turns of a kept conversation, and orders that were missing.

No message tells a client that it was late: the orders that are missing when the ORDs of
a turn arrive follow from its NOW and from the orders that the server has accepted
since. The orders of a turn are counted as the server counts them.
"""

import struct
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final

from attrs import evolve, frozen

from daide_server.board.map import Map, Position, Turn
from daide_server.board.results import OrderNote
from daide_server.bots.view import OBSERVER, Knowledge
from daide_server.game.turns import CurrentTurn
from daide_server.judge.rules import DAIDE_RULES
from daide_server.language import messages
from daide_server.language.tokens import BRA, KET, MBV, ORD, SUB, THX, Tokens
from daide_server.language.translation import (
    ClientReader,
    LanguageError,
    ServerReader,
    Writer,
)
from daide_server.language.vocabulary import Vocabulary, to_text
from daide_server.wire import frames
from daide_server.wire.captures import CaptureError, frames_of, log_records
from daide_server.wire.frames import FrameType

MAX_LEVEL: Final = 8000


class TracedTurns:
    """The game of a conversation, as far as its messages have been followed."""

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

    @property
    def power(self) -> str:
        """Return the power that plays, of HLO; empty for an observer, and before it."""
        return "" if self._known.power == OBSERVER else self._known.power

    def rename(self, vocabulary: Vocabulary) -> None:
        """Read with the names of an RM from now on."""
        self.vocabulary = vocabulary
        assert self._known.map is not None
        self._read_on(self._known.map)

    def follow(self, tokens: Tokens, *, by_client: bool) -> Tokens:
        """Take in a message; return MIS if it ends a turn with orders missing."""
        try:
            if by_client:
                self._ask(self._client.read(tokens))
                return ()
            return self._learn(self._server.read(tokens))
        except LanguageError:
            return ()

    def _read_on(self, board_map: Map) -> None:
        self._server = ServerReader(self.vocabulary, board_map)
        self._client = ClientReader(self.vocabulary, board_map, MAX_LEVEL)
        self._writer = Writer(self.vocabulary)

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
                if not self._is_history(position.turn):
                    self._known.learn(message)
                    self._begin(position.turn)
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

    def _is_history(self, turn: Turn) -> bool:
        """Return whether a NOW of *turn* answers HST."""
        return self._asks_for_history and self.turn is not None and turn < self.turn

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
    """Return whether all places that units can go to are places of the board."""
    return all(
        at.province in board_map.index
        and all(board_map.can_stand(kind, place) for place in reach)
        for (kind, at), reach in board_map.neighbours.items()
    )


def _fits(position: Position, board_map: Map) -> bool:
    """Return whether the units of *position* stand where they can on this board.

    Bytes that changed, or another board, name others.
    """
    return all(
        unit.power in board_map.power_index
        and board_map.can_stand(unit.type, unit.location)
        for unit in (*position.units, *position.dislodged)
    )


FOLDED: Final = frozenset({ORD, THX})
"""Messages that repeat: a series is shown as its first one."""
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
    """Whether this is no message, but a list of orders missing when the turn ended."""

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
                tokens = frames.decode_tokens(body)
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


def lines_of(traced: Iterable[TracedMessage], *, unfold: bool) -> Iterator[str]:
    """Yield a line for each message, or for each row of messages of one kind."""
    for (_, row), group in groupby(traced, key=_row):
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
        named = Vocabulary.from_representation(frames.decode_entries(body))
    except struct.error as error:
        message = f"found an RM of {len(body)} bytes, expected entries of six"
        raise CaptureError(message) from error
    return evolve(named, words=vocabulary.words)


def _frame_text(kind: FrameType, body: bytes) -> str:
    match kind:
        case FrameType.INITIAL:
            return "IM"
        case FrameType.REPRESENTATION:
            return "RM"
        case FrameType.FINAL:
            return "FM"
        case FrameType.ERROR:
            return frames.error_text(int.from_bytes(body, "big"))
        case FrameType.DIPLOMACY:
            return f"a message of {len(body)} bytes"

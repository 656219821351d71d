"""The bot's orders in the current turn, and its requests that wait for an answer.

DAIDE quotes the message that it answers, and servers answer in order. A SUB is a
request whose orders are noted one by one.
"""

from collections import deque
from collections.abc import Callable, Sequence
from enum import Enum, auto
from typing import Final

from attrs import define, field, frozen
from msgspec import UNSET, UnsetType

from daide_server.board.map import Phase, Position
from daide_server.board.names import Power
from daide_server.board.orders import Disband, Hold, Order, Remove, Waive
from daide_server.board.results import OrderNote
from daide_server.daide.messages import SubmitOrders, SubmittedOrder
from daide_server.daide.tokens import ERR, Tokens
from daide_server.daide.translation import Writer
from daide_server.judge.fleet_chains import routed
from daide_server.judge.resolution import free_homes

from .line_types import LineId, NotedLine, NotedOrder
from .wording import Wording, phase_name


class Question(Enum):
    """A query whose answer is not YES."""

    MISSING = auto()
    TIME = auto()
    HISTORY = auto()
    ADMIN = auto()


@define(eq=False, kw_only=True)
class LineRequest:
    """A message that was sent for a line of the bot, of type *to*.

    Type `""` means that the bridge itself sent it: the answer is not passed on.
    """

    to: str
    tokens: Tokens = ()
    id: LineId | UnsetType = UNSET
    question: Question | None = None
    recipients: tuple[Power, ...] = ()
    undoing: "Undoing | None" = None
    """The `undo` that this request is part of, if any."""


@define(eq=False)
class Undoing:
    """An `undo` line, with a request for each order or for all; answered once."""

    waiting: list[Order | None]
    """The orders, `None` for all, in the order of their requests."""
    refused: int = 0


@define
class Requests:
    """The requests that wait for their answers."""

    waiting: deque[LineRequest] = field(factory=deque)

    def take(self, fits: Callable[[LineRequest], bool]) -> LineRequest | None:
        """Return the oldest request that fits, which waits no longer."""
        found = next(filter(fits, self.waiting), None)
        if found is not None:
            self.waiting.remove(found)
        return found

    def take_quoted(self, tokens: Tokens) -> LineRequest | None:
        """Return the oldest request that was sent as *tokens*."""
        return self.take(lambda request: request.tokens == tokens)

    def take_misread(self, tokens: Tokens) -> LineRequest | None:
        """Return the request that HUH or PRN quotes, with ERR somewhere in it."""
        plain = tuple(token for token in tokens if token != ERR)
        return self.take(lambda request: request.tokens in {plain, tokens})

    def take_question(self, question: Question) -> LineRequest | None:
        """Return the oldest request that asks *question*."""
        return self.take(lambda request: request.question is question)

    def asks(self, question: Question) -> bool:
        """Return whether a request asks *question*."""
        return any(request.question is question for request in self.waiting)


NOT_UNDERSTOOD = "HUH"
LATE = "LATE"
REFUSED = "REJ"
ACCEPTED = NotedOrder(ok=True)
MAX_TOKENS = 16_000
"""Maximum tokens of a message: answers quote it, and clients read at most 32 KiB."""


def refused(code: str, message: str) -> NotedOrder:
    """Return the note on an order that is not accepted."""
    return NotedOrder(ok=False, code=code, message=message)


@frozen
class SentOrder:
    """An order on its way: the bot's text, `None` for one that the bridge gives."""

    text: str | None
    order: Order
    tokens: Tokens


@define(eq=False, kw_only=True)
class LineSubmission(LineRequest):
    """A SUB: the orders whose notes have not come, and the notes on the others."""

    position: Position
    texts: Sequence[str]
    waiting: deque[SentOrder] = field(factory=deque)
    notes: dict[str, NotedOrder] = field(factory=dict)

    def note(self, text: str, noted: NotedOrder) -> None:
        """Note an order; of two with one text, the refused one counts."""
        known = self.notes.get(text)
        if known is None or known.ok:
            self.notes[text] = noted

    def note_all(self, noted: NotedOrder) -> None:
        """Note all orders that wait."""
        for sent in self.waiting:
            if sent.text is not None:
                self.note(sent.text, noted)
        self.waiting.clear()

    def line(self, *, late: bool = False) -> NotedLine:
        """Return the line for the bot."""
        notes = {text: self.notes[text] for text in self.texts if text in self.notes}
        return NotedLine(phase_name(self.position.turn), notes, late, self.id)


class OrderDesk:
    """The orders of one power, and what it owes in the current turn.

    A power may own more centres than its free homes can build in: `spare` are the
    builds for which only a waive is possible. The bridge handles these.
    """

    def __init__(self, wording: Wording, writer: Writer, power: Power) -> None:
        self.wording: Final = wording
        self.power: Final = power
        self.is_player: Final = power in wording.map.powers
        self._writer: Final = writer
        self._accepted: dict[object, Order] = {}
        self.due = 0
        self.spare = 0

    def begin(self, position: Position) -> None:
        """Begin the turn of *position*."""
        self.position = position
        self._accepted.clear()
        self.due, self.spare = self._owed() if self.is_player else (0, 0)

    @property
    def is_complete(self) -> bool:
        """Return whether as many orders were accepted as are due."""
        return len(self._accepted) >= self.due

    # From texts to SUB

    def submission(
        self, texts: Sequence[str], mark: LineId | UnsetType
    ) -> LineSubmission:
        """Return a SUB of the orders *texts*; some are noted, and not sent."""
        at = self.position
        found = LineSubmission(to="orders", id=mark, position=at, texts=texts)
        for text in texts:
            read = self._read(text, len(found.waiting))
            if isinstance(read, NotedOrder):
                found.note(text, read)
            else:
                found.waiting.append(read)
        self._complete_message(found)
        return found

    def completion(self) -> LineSubmission:
        """Return a SUB of an order for everything that has none."""
        orders = self._missing_orders()
        texts = [self.wording.names.order_text(order) for order in orders]
        found = LineSubmission(to="orders", position=self.position, texts=texts)
        for text, order in zip(texts, orders, strict=True):
            tokens = self._writer.order(order)
            found.waiting.append(SentOrder(text, order, tokens))
        self._complete_message(found)
        return found

    def waived_spare(self) -> LineSubmission:
        """Return a SUB with the waives that the bot owes but cannot choose."""
        found = LineSubmission(to="", position=self.position, texts=())
        self._complete_message(found)
        return found

    def _complete_message(self, found: LineSubmission) -> None:
        """Add the spare waives, once in a turn, and write the tokens."""
        waive = Waive(self.power)
        for _ in range(self.spare):
            tokens = self._writer.order(waive)
            found.waiting.append(SentOrder(None, waive, tokens))
        self.spare = 0
        if found.waiting:
            orders = (SubmittedOrder(each.order, each.tokens) for each in found.waiting)
            message = SubmitOrders(self.position.turn, tuple(orders))
            found.tokens = self._writer.write(message)
        if len(found.tokens) > MAX_TOKENS:
            found.tokens = ()
            found.note_all(refused(NOT_UNDERSTOOD, "too many orders for one line"))

    def _read(self, text: str, before: int) -> SentOrder | NotedOrder:
        """Return the order *text*, after *before* others of the same line."""
        if not self.is_player:
            return refused(NOT_UNDERSTOOD, "an observer gives no orders")
        if self.position.turn.phase is Phase.ADJUSTMENTS and before >= self.due:
            return self._surplus_order()
        try:
            sent = self.order_named(text)
            if sent is None:
                code = OrderNote.NO_SUCH_FLEET.value
                return refused(code, "no fleets can convoy it there")
            return SentOrder(text, sent, self._writer.order(sent))
        except ValueError as error:
            return refused(NOT_UNDERSTOOD, str(error))

    def order_named(self, text: str) -> Order | None:
        """Return the order, a convoy with a route, or `None`; raises `ValueError`."""
        order = self.wording.order_named(text, self.power, self.position)
        return routed(order, self.wording.map, self.position)

    def _surplus_order(self) -> NotedOrder:
        builds = self.position.surplus(self.power) > 0
        note = OrderNote.NO_MORE_BUILDS if builds else OrderNote.NO_MORE_REMOVALS
        return refused(note.value, f"{self.due} orders are due; this one is dropped")

    # Notes

    def note(
        self, submission: LineSubmission, sent: SentOrder, note: OrderNote
    ) -> None:
        """Note one order that waited."""
        submission.waiting.remove(sent)
        if note is not OrderNote.OK:
            words = note.name.replace("_", " ").lower()
            noted = refused(note.value, words)
        else:
            noted = ACCEPTED
            self._accept(submission, sent)
        if sent.text is not None:
            submission.note(sent.text, noted)

    def _accept(self, submission: LineSubmission, sent: SentOrder) -> None:
        if sent.text is None or submission.position is not self.position:
            return
        key = object() if isinstance(sent.order, Waive) else sent.order.unit
        self._accepted[key] = sent.order

    def forget(self, order: Order | None) -> None:
        """Forget an accepted order that was withdrawn; `None`: all."""
        if order is None:
            self._accepted.clear()
            self.spare = self._owed()[1]
            return
        keys = (key for key, known in self._accepted.items() if known == order)
        self._accepted.pop(next(keys, None), None)

    # Orders that are due

    def _owed(self) -> tuple[int, int]:
        """Return the number of orders due, and the number of spare waives."""
        position, power = self.position, self.power
        match position.turn.phase:
            case Phase.MOVEMENT:
                return len(position.units_of(power)), 0
            case Phase.RETREATS:
                return len(position.dislodged_of(power)), 0
            case Phase.ADJUSTMENTS:
                surplus = position.surplus(power)
                sites = len(free_homes(self.wording.map, position, power))
                due = -surplus if surplus < 0 else min(surplus, sites)
                return due, max(surplus - due, 0)

    def _missing_orders(self) -> Sequence[Order]:
        position, power = self.position, self.power
        retreating = position.turn.phase is Phase.RETREATS
        of_power = position.dislodged_of if retreating else position.units_of
        units = [each for each in of_power(power) if each not in self._accepted]
        match position.turn.phase:
            case Phase.MOVEMENT:
                return [*map(Hold, units)]
            case Phase.RETREATS:
                return [*map(Disband, units)]
            case Phase.ADJUSTMENTS:
                count = self.due - len(self._accepted)
                if position.surplus(power) > 0:
                    return [Waive(power)] * count
                return [*map(Remove, reversed(units))][:count]

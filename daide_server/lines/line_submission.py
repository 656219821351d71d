"""A SUB on its way: the orders of one line of the bot, and the notes on them."""

from collections import deque
from collections.abc import Sequence
from typing import Final

from attrs import field

from daide_server.board.orders import Order
from daide_server.board.position import Position
from daide_server.classes import define, frozen
from daide_server.language.tokens import Tokens

from .requests import LineRequest
from .to_bot import NotedLine, NotedOrder
from .wording import phase_name

NOT_UNDERSTOOD: Final = "HUH"
LATE: Final = "LATE"
REFUSED: Final = "REJ"
ACCEPTED: Final = NotedOrder(ok=True)
MAX_TOKENS: Final = 16_000
"""Of a message: answers quote it, and stay below the 32 KiB that clients can read."""


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
        """Return what the bot hears."""
        notes = {text: self.notes[text] for text in self.texts if text in self.notes}
        return NotedLine(phase_name(self.position.turn), notes, late, self.id)

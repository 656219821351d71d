"""What the work queue serves, and how much of it at once."""

import math
from typing import Final, Protocol

from msgspec import Struct

from .work_account import Account


class WorkLimit(Struct, frozen=True):
    """What a client may use until others have their turn; one message in any case."""

    until: float
    """By the clock of the queue."""
    put_bytes: int
    """Of all outboxes: how many bytes may have been put into them."""
    price: float


ONE_MESSAGE: Final = WorkLimit(-math.inf, 0, 0.0)


class Worker(Protocol):
    """A client, as far as the queue knows it."""

    @property
    def account(self) -> Account:
        """Return what the client has used."""

    @property
    def has_more(self) -> bool:
        """Return whether more than one of its messages waits."""

    @property
    def is_long(self) -> bool:
        """Return whether its next message may take longer than a pass."""

    def serve(self, limit: WorkLimit) -> float:
        """Handle a message, and more within *limit*; return their price.

        It must not raise.
        """

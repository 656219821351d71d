"""What the outboxes of one server have in common: a bound, and a sender.

While a message of a client is handled, that client is the `sender`: what is put into
outboxes is counted to it (`prices.py`), and what others have not read of it as well
(`sender_account.py`).
"""

from typing import Final, Protocol

from .passes import Passes
from .sender_account import SenderAccount


class Holding(Protocol):
    """An outbox, as far as the pool knows it."""

    @property
    def unsent_bytes(self) -> int:
        """Return how many bytes it holds."""

    def drop(self, reason: str) -> None:
        """Close the connection of its client."""


class OutboxPool:
    """All outboxes of a server."""

    def __init__(self, passes: Passes, limit: int) -> None:
        """Let all outboxes hold *limit* bytes together; the largest is closed first."""
        self.passes: Final = passes
        self.put_bytes = 0
        """How many bytes were ever put into an outbox."""
        self.charged_bytes = 0
        """How many of them at the will of a client; results are the server's own."""
        self.refusals = 0
        """How many messages were ever answered by REJ, HUH or PRN."""
        self.sender: SenderAccount | None = None
        """Whose message is being handled."""
        self.unsent_bytes = 0
        self._limit: Final = limit
        self._holding: Final[set[Holding]] = set()

    def keep(self, outbox: Holding, size: int) -> None:
        """Count *size* bytes more that *outbox* holds; if need be, close the largest.

        Then nobody is sent anything by it, and its bytes are gone.
        """
        self.unsent_bytes += size
        self._holding.add(outbox)
        while self.unsent_bytes > self._limit:
            largest = max(self._holding, key=lambda each: each.unsent_bytes)
            largest.drop(f"all clients left more than {self._limit} bytes unread")

    def release(self, outbox: Holding, size: int) -> None:
        """Count *size* bytes less; to be called before *outbox* holds none."""
        self.unsent_bytes -= size
        if outbox.unsent_bytes == size:
            self._holding.discard(outbox)

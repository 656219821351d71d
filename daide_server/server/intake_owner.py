"""What an intake needs: the session whose messages it reads, and what all share."""

from typing import Protocol

from daide_server.game.events import Seconds
from daide_server.language.tokens import Tokens

from .outbox_pool import OutboxPool
from .poller import Poller
from .sender_account import SenderAccount
from .session_phases import SessionEvent
from .session_progress import SessionProgress
from .work_account import Account
from .work_queue import WorkQueue


class IntakeOwner(Protocol):
    """Whose messages they are: a session."""

    account: Account
    sender: SenderAccount

    @property
    def progress(self) -> SessionProgress:
        """Return how far the session has come."""

    def greet(self, greeting: bytes) -> None:
        """Send RM."""

    def handle(self, tokens: Tokens) -> None:
        """Handle one message."""

    def end_input(self, ending: SessionEvent) -> None:
        """End: there is nothing more to handle."""

    def drop(self, reason: str) -> None:
        """Close the connection because of what the client does."""

    def fail(self, error: Exception) -> None:
        """Close the connection because of an unexpected *error*."""


class IntakeServices(Protocol):
    """What the intakes of all sessions share."""

    @property
    def poller(self) -> Poller:
        """Return who calls when there is something to read."""

    @property
    def queue(self) -> WorkQueue:
        """Return who calls when a message is to be handled."""

    @property
    def outboxes(self) -> OutboxPool:
        """Return what is charged by the byte."""

    @property
    def rm_delay(self) -> Seconds:
        """Return how long a client waits for RM."""

"""What sessions share, and what they are built on."""

from typing import Generic, Protocol, TypeVar

from daide_server.classes import frozen
from daide_server.game.events import Seconds
from daide_server.language.tokens import Tokens
from daide_server.wire.frames import Entries

from .event_sink import EventSink
from .limits import FanOutLimits, SessionLimits
from .outbox_pool import OutboxPool
from .passes import Passes
from .poller import Poller
from .work_queue import WorkQueue

SessionT = TypeVar("SessionT")
SessionT_contra = TypeVar("SessionT_contra", contravariant=True)


class MessageHandler(Protocol[SessionT_contra]):
    """What a session hands its messages to, in a pass."""

    def receive(self, session: SessionT_contra, tokens: Tokens) -> None:
        """Handle one message of the client."""

    def leave(self, session: SessionT_contra) -> None:
        """Forget the client; called at least once."""


@frozen(kw_only=True)
class SessionServices(Generic[SessionT]):
    """What all sessions of a server share."""

    handler: MessageHandler[SessionT]
    poller: Poller
    queue: WorkQueue
    outboxes: OutboxPool
    events: EventSink
    limits: SessionLimits
    fan_out: FanOutLimits
    representation: Entries
    """The contents of RM: empty for the standard variant."""

    @property
    def rm_delay(self) -> Seconds:
        """Return how long a client waits for RM."""
        return self.limits.rm_delay

    @property
    def passes(self) -> Passes:
        """Return the passes of the server."""
        return self.outboxes.passes

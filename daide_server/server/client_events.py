"""What happens to connections and clients."""

from collections.abc import Sequence

from daide_server.game.events import ClientId, Seconds
from daide_server.game.refusals import JoinRefusal
from daide_server.lobby.directory import GameId
from daide_server.lobby.rejoin_throttle import RejoinAttempt

from .client_context import AdmissionRequest, ClientContext


class ClientEvents:
    """Called for what happens to clients."""

    def client_connected(self, client: ClientId, address: str) -> None:
        """Report a new connection."""

    def client_joined(self, context: ClientContext, request: AdmissionRequest) -> None:
        """Report that a game took a client in."""

    def client_refused(
        self, context: ClientContext, request: AdmissionRequest, reason: JoinRefusal
    ) -> None:
        """Report that a client was not let in, and why."""

    def message_unanswered(self, context: ClientContext) -> None:
        """Report that a message was refused because there is no game to answer it."""

    def syntax_refused(self, context: ClientContext, reply: str) -> None:
        """Report the first HUH or PRN to a client, to a player the first in a turn."""

    def client_complained(self, client: ClientId, text: str) -> None:
        """Report a HUH or PRN that a client sent."""

    def client_faulted(self, client: ClientId, fault: str) -> None:
        """Report that a client broke the framing: the error code's name."""

    def client_dropped(self, client: ClientId, reason: str) -> None:
        """Report that the server closes a connection of its own accord, and why.

        Most are too slow: to read, to introduce themselves, to join, to order.
        """

    def client_left(self, context: ClientContext) -> None:
        """Report that a connection has ended."""

    def session_failed(self, client: ClientId, error: Exception) -> None:
        """Report that the server failed at a client, and closes its connection."""

    def passcode_refused(self, attempt: RejoinAttempt, reason: str) -> None:
        """Report an IAM that was refused because of its passcode."""

    def rejoin_delayed(self, attempt: RejoinAttempt, seconds: Seconds) -> None:
        """Report an IAM that waits, at least *seconds*, because of those before it."""

    def message_received(self, client: ClientId, text: str) -> None:
        """Report a message of a client."""

    def message_sent(
        self, clients: Sequence[ClientId], text: str, game: GameId | None
    ) -> None:
        """Report a message to some clients, of a game or of the server."""

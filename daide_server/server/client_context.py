"""What a report about a client says of it."""

from daide_server.board.names import Power
from daide_server.classes import frozen
from daide_server.game.events import ClientId
from daide_server.language.messages import Name, Observe, Rejoin
from daide_server.lobby.directory import GameId

AdmissionRequest = Name | Observe | Rejoin
"""The messages by which a client asks to join a game."""


@frozen
class ClientContext:
    """A client, and what is known of it."""

    client: ClientId
    address: str | None = None
    game: GameId | None = None
    power: Power | None = None
    name: str | None = None
    """That of NME."""

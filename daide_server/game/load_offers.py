"""The clients that are offered a loaded game. Message Syntax: NME, LOD, REJ (LOD)."""

from collections.abc import Set
from typing import Final

from daide_server.board.names import Power
from daide_server.language.messages import Name

from .events import ClientId


class LoadOffers:
    """Who is awaited before a loaded game goes on, and who was asked to load it."""

    def __init__(self, name: str, awaited: Set[Power]) -> None:
        """Load the game saved as *name*; *awaited* had a client then."""
        self.name: Final = name
        self.awaited: Final = awaited
        # Clients that sent NME, and have not answered LOD.
        self._pending: dict[ClientId, Name] = {}
        self._refused = 0

    def __contains__(self, client: ClientId) -> bool:
        return client in self._pending

    def __len__(self) -> int:
        return len(self._pending)

    def add(self, client: ClientId, message: Name) -> None:
        """Offer the game to a client that sent NME."""
        self._pending[client] = message

    def withdraw(self, client: ClientId) -> Name | None:
        """Drop the offer to *client*; return its NME, if there was an offer."""
        return self._pending.pop(client, None)

    def refuse(self, client: ClientId) -> None:
        """Note that *client* cannot load the game: one power fewer is awaited."""
        self._pending.pop(client, None)
        self._refused += 1

    def are_settled(self, present: Set[Power]) -> bool:
        """Return whether every awaited power is *present*, or a client has refused."""
        return len(self.awaited - present) <= self._refused

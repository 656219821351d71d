"""The observers of a game. Message Syntax: OBS, YES (MAP)."""

from collections.abc import Iterator, Sequence

from .events import ClientId


class Observers:
    """The clients that watch, in the order in which they came."""

    def __init__(self) -> None:
        # Whether the client has accepted the map.
        self._ready: dict[ClientId, bool] = {}

    def __contains__(self, client: ClientId) -> bool:
        return client in self._ready

    def __iter__(self) -> Iterator[ClientId]:
        return iter(self._ready)

    def ready(self) -> Sequence[ClientId]:
        """Return the observers that have accepted the map."""
        return [client for client, ready in self._ready.items() if ready]

    def join(self, client: ClientId) -> None:
        """Let *client* watch; it has yet to accept the map."""
        self._ready[client] = False

    def accept_map(self, client: ClientId) -> None:
        """Note that *client* has the map, if it watches."""
        if client in self._ready:
            self._ready[client] = True

    def leave(self, client: ClientId) -> None:
        """Drop *client*, if it watches."""
        self._ready.pop(client, None)

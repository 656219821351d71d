"""What is known of each client, for the fields of every line of the log about it."""

from collections import Counter
from typing import Any, Final

from msgspec.structs import asdict

from daide_server.board.names import Power
from daide_server.game.absence import Awaited
from daide_server.game.directory import GameId
from daide_server.game.events import ClientId
from daide_server.game.joining import MAX_NAME
from daide_server.language.messages import Name, Observe, Rejoin

from .events import AdmissionRequest, ClientContext

MAX_REMARKS: Final = 50
"""How many complaints and refusals of one client are logged one by one.

Otherwise a client could fill a disk.
"""

Fields = dict[str, Any]
_Seat = tuple[GameId, Power]


class KnownClients:
    """The address, game, power and name of each client that is connected."""

    def __init__(self) -> None:
        self._known: Final[dict[ClientId, Fields]] = {}
        self._joined: Final[set[ClientId]] = set()
        self._seats: Final[dict[_Seat, ClientId]] = {}
        self._seat_of: Final[dict[ClientId, _Seat]] = {}
        self._remarks: Final[Counter[ClientId]] = Counter()

    def learn(self, context: ClientContext) -> Fields:
        """Remember what *context* says of a client that is connected.

        Return all that is known of it: game, client, power, name and address, as far
        as they are known.
        """
        fields = self.fields(context.client)
        fields |= {
            key: value for key, value in asdict(context).items() if value is not None
        }
        if context.client in self._known:
            self._known[context.client] = fields
            if context.game is not None and context.power is not None:
                seat = context.game, context.power
                self._seats[seat] = context.client
                self._seat_of[context.client] = seat
        return _sorted(fields)

    def connect(self, client: ClientId, address: str) -> Fields:
        """Remember a new connection; return what is known of it."""
        self._known[client] = {}
        return self.learn(ClientContext(client, address))

    def join(self, client: ClientId) -> None:
        """Remember that a client has joined a game."""
        self._joined.add(client)

    def has_joined(self, client: ClientId) -> bool:
        """Return whether a client has joined a game, to play or to observe."""
        return client in self._joined

    def may_remark(self, client: ClientId) -> bool:
        """Count a remark on a client, and return whether it is to be logged."""
        self._remarks[client] += 1
        return self._remarks[client] <= MAX_REMARKS

    def forget(self, client: ClientId) -> None:
        """Forget a connection that has ended."""
        self._remarks.pop(client, None)
        self._joined.discard(client)
        if self._known.pop(client, None) is None:
            return
        seat = self._seat_of.pop(client, None)
        if seat is not None and self._seats.get(seat) == client:
            del self._seats[seat]

    def fields(self, client: ClientId) -> Fields:
        """Return what is known of a client."""
        return _sorted({"client": client} | self._known.get(client, {}))

    def fields_of_seat(self, game: GameId, power: Power) -> Fields:
        """Return what is known of the client that plays a power."""
        client = self._seats.get((game, power))
        if client is None:
            return {"game": game, "power": power}
        return self.fields(client)

    def awaited_fields(self, game: GameId, awaited: Awaited) -> Fields:
        """Return the fields that say whom a game waits for, names with those there."""
        names = (
            (power, self.fields_of_seat(game, power).get("name"))
            for power in awaited.unready
        )
        fields = {
            "turn": str(awaited.turn),
            "stage": awaited.stage.name.lower(),
            "vacant": " ".join(awaited.vacant),
            "unready": " ".join(f"{power}:{name}" for power, name in names),
        }
        return {key: value for key, value in fields.items() if value}


def _sorted(fields: Fields) -> Fields:
    order = ("game", "client", "power", "name", "address")
    return {key: fields[key] for key in order if key in fields}


def _cut(name: str) -> str:
    """Return the first characters of a name, if it is too long for a client."""
    return name if len(name) <= MAX_NAME else f"{name[:MAX_NAME]}..."


def request_fields(request: AdmissionRequest) -> Fields:
    """Return what the log says of how a client asked to join."""
    match request:
        case Name(name=name, version=version):
            return {"said": "NME", "name": _cut(name), "version": _cut(version)}
        case Observe():
            return {"said": "OBS"}
        case Rejoin(power=power):
            return {"said": "IAM", "claimed": power}

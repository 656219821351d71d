"""The clients of a game: roles, seats, and who is waited for after a restart.

A client has its seat as soon as it joins, or when the game begins: with seats by name,
clients that ask for none wait until all are there, and get what the others left.
Client-Server Protocol and Message Syntax: NME, IAM, HLO, CCD, LOD.
"""

from collections.abc import Iterable, Iterator, Set
from typing import Final

from attrs import Factory
from msgspec import Struct

from daide_server.board.names import Power
from daide_server.classes import define
from daide_server.language.messages import Name, Rejoin

from .events import ClientId, Seconds
from .options import SeatAssignment


@define
class Seat:
    """The seat of a power.

    Name and version are those of the client that holds the seat, or held it last.
    """

    power: Power
    passcode: int
    client: ClientId | None = None
    name: str = ""
    version: str = ""
    in_disorder: bool = False
    """CCD was announced, and not yet NOT (CCD)."""


class Seating:
    """The seats of one game, in the order in which they are offered."""

    def __init__(self, assignment: SeatAssignment) -> None:
        self._seats: Final = {
            power: Seat(power, assignment.passcodes[power])
            for power in assignment.seats
        }
        self.by_client: Final[dict[ClientId, Seat]] = {}
        """The seats that clients hold; only this class changes it."""
        self.occupied: Final[set[Power]] = set()
        """The powers that have a client; only this class changes it."""
        self.waiting: Final[dict[ClientId, Name]] = {}
        """Clients that get their seats when the game begins, with their NME."""
        self.ready: Final[set[ClientId]] = set()
        """Clients that have joined, and need no map or have accepted it."""
        self.chosen: Final[dict[ClientId, Power]] = {}
        """The powers by whose ports clients came: they may have no other seat."""

    def __iter__(self) -> Iterator[Seat]:
        return iter(self._seats.values())

    def __getitem__(self, power: Power) -> Seat:
        return self._seats[power]

    def seats(self, powers: Iterable[Power]) -> list[Seat]:
        """Return the seats of *powers*, in their order."""
        return [self._seats[power] for power in powers]

    def has(self, client: ClientId) -> bool:
        """Return whether *client* holds a seat, or waits for one."""
        return client in self.by_client or client in self.waiting

    def clients(self) -> tuple[ClientId, ...]:
        """Return all clients that hold a seat, or wait for one."""
        return (*self.by_client, *self.waiting)

    def is_full(self) -> bool:
        """Return whether there is a client for every seat, and all have the map."""
        return not self.has_room() and self.ready.issuperset(self.clients())

    def has_room(self) -> bool:
        """Return whether there are more seats than clients."""
        return len(self.clients()) < len(self._seats)

    def open_seat(self) -> Seat | None:
        """Return the seat to offer next, or `None` if there is no room."""
        if not self.has_room():
            return None
        return next(seat for seat in self if seat.client is None)

    def claimed(self, claim: Rejoin) -> Seat | None:
        """Return the seat that an IAM names, if the passcode fits."""
        seat = self._seats.get(claim.power)
        return seat if seat is not None and seat.passcode == claim.passcode else None

    def take(self, seat: Seat, client: ClientId, said: Name) -> None:
        """Give *seat* to a client that sent NME."""
        seat.name, seat.version = said.name, said.version
        self._hold(seat, client)

    def retake(self, seat: Seat, client: ClientId) -> None:
        """Give *seat* to a client that sent IAM, and needs no map."""
        self.ready.add(client)
        self._hold(seat, client)

    def _hold(self, seat: Seat, client: ClientId) -> None:
        seat.client = client
        self.by_client[client] = seat
        self.occupied.add(seat.power)

    def deal(self) -> None:
        """Give the free seats, in their order, to those who wait, as they came."""
        free = [seat for seat in self if seat.client is None]
        # There may be fewer clients than seats.
        for (client, said), seat in zip(self.waiting.items(), free, strict=False):
            self.take(seat, client, said)
        self.waiting.clear()

    def leave(self, client: ClientId) -> None:
        """Empty the seat of *client*, if it has one; the seat keeps its name."""
        self.waiting.pop(client, None)
        self.ready.discard(client)
        seat = self.by_client.pop(client, None)
        if seat is not None:
            seat.client = None
            self.occupied.discard(seat.power)


@define
class LoadOffers:
    """The clients that a loaded game waits for. Message Syntax: NME, LOD, REJ (LOD)."""

    name: str
    """The name under which the game was saved."""
    awaited: Set[Power]
    """The powers that had a client when the game was loaded."""
    pending: dict[ClientId, Name] = Factory(dict)
    """The NME of each client that has not answered LOD."""
    refused: int = 0
    """How many clients cannot load the game: for each, one power fewer is awaited."""


class RecoveryWait(Struct, frozen=True):
    """What a recovered game was when its server was killed."""

    awaited: frozenset[Power]
    """The surviving powers that had a client."""
    missed: frozenset[Power]
    """The powers that the game was already PAUSED for (DSD)."""
    grace: Seconds
    """The least time that the turn has left when the game resumes."""

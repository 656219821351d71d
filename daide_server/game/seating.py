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
    ready: bool = False
    """The client has accepted the map."""
    in_disorder: bool = False
    """CCD was announced, and not yet NOT (CCD)."""

    def rename(self, said: Name) -> None:
        """Note the name and version of the client."""
        self.name, self.version = said.name, said.version

    def lose_control(self) -> bool:
        """Note civil disorder; return whether that is new."""
        is_new = not self.in_disorder
        self.in_disorder = True
        return is_new

    def regain_control(self) -> bool:
        """Note the end of civil disorder; return whether there was any."""
        was_in_disorder = self.in_disorder
        self.in_disorder = False
        return was_in_disorder


@define
class WaitingClient:
    """A client that has joined, and gets its seat when the game begins."""

    said: Name
    ready: bool = False
    """The client has accepted the map."""


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
        self._waiting: Final[dict[ClientId, WaitingClient]] = {}
        self._chosen: Final[dict[ClientId, Power]] = {}

    def __iter__(self) -> Iterator[Seat]:
        return iter(self._seats.values())

    def __getitem__(self, power: Power) -> Seat:
        return self._seats[power]

    def seats(self, powers: Iterable[Power]) -> list[Seat]:
        """Return the seats of *powers*, in their order."""
        return [self._seats[power] for power in powers]

    def has(self, client: ClientId) -> bool:
        """Return whether *client* holds a seat, or waits for one."""
        return client in self.by_client or client in self._waiting

    def is_waiting(self, client: ClientId) -> bool:
        """Return whether *client* gets its seat when the game begins."""
        return client in self._waiting

    def clients(self) -> tuple[ClientId, ...]:
        """Return all clients that hold a seat, or wait for one."""
        return (*self.by_client, *self._waiting)

    def is_full(self) -> bool:
        """Return whether there is a client for every seat, and all have the map."""
        if self.has_room():
            return False
        waiting, held = self._waiting.values(), self.by_client.values()
        return all(seat.ready for seat in held) and all(each.ready for each in waiting)

    def has_room(self) -> bool:
        """Return whether there are more seats than clients."""
        return len(self.clients()) < len(self._seats)

    def open_seat(self) -> Seat | None:
        """Return the seat to offer next, or `None` if there is no room."""
        if not self.has_room():
            return None
        return next(seat for seat in self if seat.client is None)

    def choose(self, client: ClientId, power: Power) -> None:
        """Note that *client* came by the port of a seat: it may have no other."""
        self._chosen[client] = power

    def forget(self, client: ClientId) -> None:
        """Forget by which port *client* came: its connection is closed."""
        self._chosen.pop(client, None)

    def chosen_by(self, client: ClientId) -> Power | None:
        """Return the power at whose port *client* came, if it came by one."""
        return self._chosen.get(client)

    def claimed(self, claim: Rejoin) -> Seat | None:
        """Return the seat that an IAM names, if the passcode fits."""
        seat = self._seats.get(claim.power)
        return seat if seat is not None and seat.passcode == claim.passcode else None

    def take(self, seat: Seat, client: ClientId, said: Name) -> None:
        """Give *seat* to a client that sent NME, and has yet to accept the map."""
        seat.client, seat.ready = client, False
        seat.rename(said)
        self._hold(seat, client)

    def retake(self, seat: Seat, client: ClientId) -> None:
        """Give *seat* to a client that sent IAM, and needs no map."""
        seat.client, seat.ready = client, True
        self._hold(seat, client)

    def _hold(self, seat: Seat, client: ClientId) -> None:
        self.by_client[client] = seat
        self.occupied.add(seat.power)

    def wait(self, client: ClientId, said: Name) -> None:
        """Let a client that sent NME wait for a seat until the game begins."""
        self._waiting[client] = WaitingClient(said)

    def accept_map(self, client: ClientId) -> None:
        """Note that *client*, which has joined, has accepted the map."""
        if client in self._waiting:
            self._waiting[client].ready = True
        else:
            self.by_client[client].ready = True

    def deal(self) -> None:
        """Give the free seats, in their order, to those who wait, as they came."""
        free = [seat for seat in self if seat.client is None]
        # There may be fewer clients than seats.
        for (client, waiting), seat in zip(self._waiting.items(), free, strict=False):
            self.take(seat, client, waiting.said)
            seat.ready = waiting.ready
        self._waiting.clear()

    def leave(self, client: ClientId) -> None:
        """Empty the seat of *client*, if it has one; the seat keeps its name."""
        self._waiting.pop(client, None)
        seat = self.by_client.pop(client, None)
        if seat is not None:
            seat.client, seat.ready = None, False
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

    def are_settled(self, present: Set[Power]) -> bool:
        """Return whether every awaited power is *present*, or a client has refused."""
        return len(self.awaited - present) <= self.refused


class RecoveryWait(Struct, frozen=True):
    """What a recovered game was when its server was killed."""

    awaited: frozenset[Power]
    """The surviving powers that had a client."""
    missed: frozenset[Power]
    """The powers that the game was already PAUSED for (DSD)."""
    grace: Seconds
    """The least time that the turn has left when the game resumes."""

    def is_complete(self, present: Set[Power]) -> bool:
        """Return whether all are back, or somebody if there was nobody."""
        return bool(present) and self.awaited <= present

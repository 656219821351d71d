"""The seats: clients, passcodes, readiness, return, civil disorder.

A client has its seat as soon as it joins, or when the game begins: with seats by name,
clients that ask for none wait until all are there, and get what the others left.
Client-Server Protocol and Message Syntax: NME, IAM, HLO, CCD.
"""

from collections.abc import Iterable, Iterator, Mapping, Set
from typing import Final

from daide_server.board.names import Power
from daide_server.classes import define
from daide_server.language.messages import Name, Rejoin

from .events import ClientId
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

    def take(self, client: ClientId, said: Name) -> None:
        """Give the seat to a client that sent NME, and has yet to accept the map."""
        self.client, self.ready = client, False
        self.rename(said)

    def retake(self, client: ClientId) -> None:
        """Give the seat back to its player, who needs no map."""
        self.client, self.ready = client, True

    def rename(self, said: Name) -> None:
        """Note the name and version of the client."""
        self.name, self.version = said.name, said.version

    def accept_map(self) -> None:
        """Note that the client has accepted the map."""
        self.ready = True

    def vacate(self) -> None:
        """Leave the seat empty; it keeps the name of its client."""
        self.client, self.ready = None, False

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

    def accept_map(self) -> None:
        """Note that the client has accepted the map."""
        self.ready = True


class Seating:
    """The seats of one game, in the order in which they are offered."""

    def __init__(self, assignment: SeatAssignment) -> None:
        self._seats = {
            power: Seat(power, assignment.passcodes[power])
            for power in assignment.seats
        }
        self._by_client: dict[ClientId, Seat] = {}
        self.by_client: Final[Mapping[ClientId, Seat]] = self._by_client
        """The seats that clients hold; to be read for each message."""
        self._occupied: Final[set[Power]] = set()
        self.occupied: Final[Set[Power]] = self._occupied
        """The powers that have a client."""
        self._waiting: dict[ClientId, WaitingClient] = {}
        self._chosen: dict[ClientId, Power] = {}

    def __iter__(self) -> Iterator[Seat]:
        return iter(self._seats.values())

    def __getitem__(self, power: Power) -> Seat:
        return self._seats[power]

    def seats(self, powers: Iterable[Power]) -> list[Seat]:
        """Return the seats of *powers*, in their order."""
        return list(map(self._seats.__getitem__, powers))

    def of(self, client: ClientId) -> Seat | None:
        """Return the seat that *client* holds."""
        return self._by_client.get(client)

    def has(self, client: ClientId) -> bool:
        """Return whether *client* holds a seat, or waits for one."""
        return client in self._by_client or client in self._waiting

    def power_of(self, client: ClientId) -> Power:
        """Return the power that *client* plays; raises `KeyError` if it has no seat."""
        return self._by_client[client].power

    def is_waiting(self, client: ClientId) -> bool:
        """Return whether *client* gets its seat when the game begins."""
        return client in self._waiting

    def clients(self) -> tuple[ClientId, ...]:
        """Return all clients that hold a seat, or wait for one."""
        return (*self._by_client, *self._waiting)

    def is_full(self) -> bool:
        """Return whether there is a client for every seat, and all have the map."""
        if self.has_room():
            return False
        waiting = self._waiting.values()
        held = self._by_client.values()
        return all(seat.ready for seat in held) and all(each.ready for each in waiting)

    def has_room(self) -> bool:
        """Return whether there are more seats than clients."""
        return len(self._by_client) + len(self._waiting) < len(self._seats)

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
        """Give *seat* to a client that sent NME."""
        seat.take(client, said)
        self._connect(seat, client)

    def wait(self, client: ClientId, said: Name) -> None:
        """Let a client that sent NME wait for a seat until the game begins."""
        self._waiting[client] = WaitingClient(said)

    def accept_map(self, client: ClientId) -> None:
        """Note that *client*, which has joined, has accepted the map."""
        joined = self._waiting.get(client) or self._by_client[client]
        joined.accept_map()

    def deal(self) -> None:
        """Give the free seats, in their order, to those who wait, as they came."""
        free = [seat for seat in self if seat.client is None]
        # There may be fewer clients than seats.
        for (client, waiting), seat in zip(self._waiting.items(), free, strict=False):
            self.take(seat, client, waiting.said)
            if waiting.ready:
                seat.accept_map()
        self._waiting.clear()

    def retake(self, seat: Seat, client: ClientId) -> None:
        """Give *seat* to a client that sent IAM."""
        seat.retake(client)
        self._connect(seat, client)

    def _connect(self, seat: Seat, client: ClientId) -> None:
        self._by_client[client] = seat
        self._occupied.add(seat.power)

    def leave(self, client: ClientId) -> Seat | None:
        """Empty the seat of *client* and return it, if it held one."""
        self._waiting.pop(client, None)
        seat = self._by_client.pop(client, None)
        if seat is not None:
            seat.vacate()
            self._occupied.discard(seat.power)
        return seat

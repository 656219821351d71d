"""Who sits where: seats, passcodes, readiness, return.

Client-Server Protocol and Message Syntax: NME, IAM, HLO, CCD.
"""

from collections.abc import Iterator

from attrs import define

from daide_server.board.names import Power

from .events import ClientId
from .options import SeatAssignment


@define
class Seat:
    """The place of a power at the table.

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

    def give(self, client: ClientId, name: str, version: str) -> None:
        """Seat a new client, which has yet to accept the map."""
        self.client, self.name, self.version = client, name, version
        self.ready = False

    def vacate(self) -> None:
        """Leave the seat empty; it remembers who sat there."""
        self.client = None
        self.ready = False


class Seating:
    """The seats of one game, in the order in which they are offered."""

    def __init__(self, assignment: SeatAssignment) -> None:
        self._seats = {
            power: Seat(power, assignment.passcodes[power])
            for power in assignment.seats
        }
        self._by_client: dict[ClientId, Seat] = {}
        self.occupied: set[Power] = set()
        """The powers that have a client; kept here, read elsewhere."""

    def __iter__(self) -> Iterator[Seat]:
        return iter(self._seats.values())

    def __getitem__(self, power: Power) -> Seat:
        return self._seats[power]

    def of(self, client: ClientId) -> Seat | None:
        """Return the seat that *client* holds."""
        return self._by_client.get(client)

    def clients(self) -> tuple[ClientId, ...]:
        """Return all clients that hold a seat."""
        return tuple(self._by_client)

    def is_full(self) -> bool:
        """Return whether every seat is held by a client that has the map."""
        return all(seat.ready for seat in self)

    def open_seat(self, wanted: str | None = None) -> Seat | None:
        """Return the seat to offer next, or `None` if all are taken.

        The seat of the power *wanted* is preferred, if it is free.
        """
        free = {seat.power: seat for seat in self if seat.client is None}
        if wanted is not None and Power(wanted) in free:
            return free[Power(wanted)]
        return next(iter(free.values()), None)

    def seat(self, client: ClientId, seat: Seat, name: str, version: str) -> None:
        """Give *seat* to a client that said NME."""
        seat.give(client, name, version)
        self._by_client[client] = seat
        self.occupied.add(seat.power)

    def named(self, power: Power, passcode: int) -> Seat | None:
        """Return the seat that IAM names, if the passcode fits."""
        seat = self._seats.get(power)
        return seat if seat is not None and seat.passcode == passcode else None

    def reseat(self, client: ClientId, seat: Seat) -> None:
        """Give *seat* back to its player, who needs no map."""
        seat.client, seat.ready = client, True
        self._by_client[client] = seat
        self.occupied.add(seat.power)

    def leave(self, client: ClientId) -> Seat | None:
        """Empty the seat of *client* and return it, if it held one."""
        seat = self._by_client.pop(client, None)
        if seat is not None:
            seat.vacate()
            self.occupied.discard(seat.power)
        return seat

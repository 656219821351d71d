"""The state of one game: its seats and other components, and requests to it.

A client has its seat as soon as it joins, or when the game begins: with seats by name,
clients that ask for none get the remaining seats. Client-Server Protocol and Message
Syntax: NME, IAM, HLO, CCD, LOD.
"""

from collections.abc import Iterable, Iterator, Mapping, Set
from typing import Final, Generic, TypeVar

from attrs import Factory, define
from msgspec import Struct
from msgspec.structs import replace

from daide_server.board.map import Position, Variant
from daide_server.board.names import Power
from daide_server.daide import messages as said
from daide_server.daide.tokens import Tokens
from daide_server.daide.vocabulary import Vocabulary
from daide_server.records.entries import Ended
from daide_server.records.record import Ending

from . import events
from .budgets import Budgets
from .clock import Clock
from .events import RUNNING, Cause, ClientRole, Stage, next_stage
from .options import GameOptions, SeatAssignment, ServerPolicy, rules_of
from .turns import CurrentTurn, History

_OVER = (Stage.ENDED, Stage.CLOSED)

ENDINGS: Mapping[Cause, Ending] = {
    Cause.SOLO: Ending.SOLO,
    Cause.DRAW: Ending.DRAW,
    Cause.YEAR_LIMIT: Ending.YEAR_LIMIT,
    Cause.STALEMATE: Ending.STALEMATE,
}
"""How the record says that a game ended; any other cause aborts the game."""

Message_co = TypeVar("Message_co", bound=said.ClientMessage, covariant=True)


@define
class Seat:
    """The seat of a power, with name and version of its present or last client."""

    power: Power
    passcode: int
    client: events.ClientId | None = None
    name: str = ""
    version: str = ""
    in_disorder: bool = False
    """Whether CCD was announced, and NOT (CCD) not yet."""


class Seating:
    """The seats of one game, in the order in which they are offered."""

    def __init__(self, assignment: SeatAssignment) -> None:
        self._seats: Final = {
            power: Seat(power, assignment.passcodes[power])
            for power in assignment.seats
        }
        self.by_client: Final[dict[events.ClientId, Seat]] = {}
        self.occupied: Final[set[Power]] = set()
        """The powers that have a client."""
        self.waiting: Final[dict[events.ClientId, said.Name]] = {}
        """Clients that get their seats when the game begins, with their NME."""
        self.ready: Final[set[events.ClientId]] = set()
        """Clients that have joined, and need no map or have accepted it."""
        self.chosen: Final[dict[events.ClientId, Power]] = {}
        """The powers whose seat port clients used; they can get no other seat."""

    def __iter__(self) -> Iterator[Seat]:
        return iter(self._seats.values())

    def __getitem__(self, power: Power) -> Seat:
        return self._seats[power]

    def seats(self, powers: Iterable[Power]) -> list[Seat]:
        """Return the seats of *powers*, in their order."""
        return [self._seats[power] for power in powers]

    def clients(self) -> tuple[events.ClientId, ...]:
        """Return all clients that hold a seat, or wait for one."""
        return (*self.by_client, *self.waiting)

    def is_full(self) -> bool:
        """Return whether there is a client for every seat, and all have the map."""
        return not self.has_room() and self.ready.issuperset(self.clients())

    def has_room(self) -> bool:
        """Return whether there are fewer clients than seats."""
        return len(self.clients()) < len(self._seats)

    def open_seat(self) -> Seat | None:
        """Return the seat to offer next, or `None` if there is no room."""
        if not self.has_room():
            return None
        return next(seat for seat in self if seat.client is None)

    def take(self, seat: Seat, client: events.ClientId, named: said.Name) -> None:
        """Give *seat* to a client that sent NME."""
        seat.name, seat.version = named.name, named.version
        self._hold(seat, client)

    def retake(self, seat: Seat, client: events.ClientId) -> None:
        """Give *seat* to a client that sent IAM, and needs no map."""
        self.ready.add(client)
        self._hold(seat, client)

    def _hold(self, seat: Seat, client: events.ClientId) -> None:
        seat.client = client
        self.by_client[client] = seat
        self.occupied.add(seat.power)

    def deal(self) -> None:
        """Give the free seats, in order, to the waiting clients, as they arrived."""
        free = [seat for seat in self if seat.client is None]
        # There may be fewer clients than seats.
        for (client, name), seat in zip(self.waiting.items(), free, strict=False):
            self.take(seat, client, name)
        self.waiting.clear()

    def leave(self, client: events.ClientId) -> None:
        """Empty the seat of *client*, if it has one; the seat keeps its name."""
        self.waiting.pop(client, None)
        self.ready.discard(client)
        seat = self.by_client.pop(client, None)
        if seat is not None:
            seat.client = None
            self.occupied.discard(seat.power)


@define
class PendingLoad:
    """The clients that a loaded game waits for. Message Syntax: NME, LOD, REJ (LOD)."""

    name: str
    """The name under which the game was saved."""
    awaited: Set[Power]
    pending: dict[events.ClientId, said.Name] = Factory(dict)
    """The NME of each client that has not answered LOD."""
    refused: int = 0
    """The number of clients that cannot load: that many powers may lack one."""


class RecoveryWait(Struct, frozen=True):
    """The state of a recovered game when its server was killed."""

    awaited: frozenset[Power]
    missed: frozenset[Power]
    """The powers that the game was already PAUSED for (DSD)."""
    grace: events.Seconds
    """The minimum time left of the turn when the game resumes."""


class GameState:
    """The whole state of a game, and what it was created from."""

    def __init__(
        self,
        variant: Variant,
        options: GameOptions,
        policy: ServerPolicy,
        assignment: SeatAssignment,
    ) -> None:
        self.variant: Final = variant
        self.options: Final = options
        self.policy: Final = policy
        self.assignment: Final = assignment
        self.rules: Final = rules_of(policy, options)
        self.vocabulary: Final = Vocabulary.of(variant.map)
        self.seating: Final = Seating(assignment)
        self.observers: Final[dict[events.ClientId, bool]] = {}
        """The observers in order of arrival, and whether each has accepted the map."""
        self.clock: Final = Clock(options, policy)
        self.history: Final = History(variant.map.powers, variant.start)
        self.budgets: Final = Budgets()
        self.turn = self._turn_from(variant.start)
        self.stage = Stage.FORMING
        # The awaited powers, while the game is LOADING or RECOVERING.
        self.loading: PendingLoad | None = None
        self.recovery: RecoveryWait | None = None
        self.cause: Cause | None = None
        """Why the stage changed last."""
        self.ending: Ended | None = None
        self.missed: frozenset[Power] = frozenset()
        """The powers that a PAUSED game waits for (DSD)."""

    # The stage, and what belongs to it

    def enter(self, cause: Cause, now: events.Seconds) -> None:
        """Change stage and clock by `TRANSITIONS`; raises `StageError`."""
        self.stage = next_stage(self.stage, cause)
        self.cause = cause
        self.missed = frozenset()
        self.loading = self.recovery = None
        match self.stage:
            case Stage.PLAYING:
                self.clock.resume(now)
            case Stage.PAUSED | Stage.LOADING | Stage.RECOVERING:
                self.clock.stop(now)
            case Stage.ENDED:
                self.clock.end(now)
            case Stage.CLOSED:
                self.clock.close()
            case Stage.FORMING:
                pass  # no cause leads back to it

    def end(
        self, cause: Cause, winners: tuple[Power, ...], now: events.Seconds
    ) -> list[events.Effect]:
        """End the game because of *cause*, and return the entry for its record."""
        self.enter(cause, now)
        ending = ENDINGS.get(cause, Ending.ABORTED)
        self.ending = Ended(ending, winners, self.position, now)
        return [events.Record(self.ending)]

    @property
    def is_running(self) -> bool:
        """Return whether the game has begun and is not over."""
        return self.stage in RUNNING

    @property
    def has_started(self) -> bool:
        """Return whether the game has begun; it may be over."""
        return self.stage is not Stage.FORMING

    # The turn

    def begin_turn(self, position: Position) -> None:
        """Continue from *position*."""
        self.budgets.begin_turn()
        self.turn = self._turn_from(position)

    def _turn_from(self, position: Position) -> CurrentTurn:
        any_orders = self.options.any_orders
        return CurrentTurn(
            self.variant.map, position, self.rules, any_orders=any_orders
        )

    @property
    def position(self) -> Position:
        """Return the current position, for which orders are due."""
        return self.turn.position

    def turn_is_over(self, now: events.Seconds) -> bool:
        """Return whether the turn must be processed: at the deadline, or earlier.

        Orders of a power without a client are awaited only if there is a deadline.
        """
        if self.stage is not Stage.PLAYING:
            return False
        awaited = self.turn.awaited
        if self.clock.has_deadline:
            return not awaited or self.clock.passed(now)
        return awaited.isdisjoint(self.seating.occupied)

    # Clients

    def role_of(self, client: events.ClientId) -> ClientRole:
        """Return the present role of *client*."""
        seat = self.seating.by_client.get(client)
        if seat is not None and self.is_running:
            is_alive = seat.power in self.turn.survivors
            return ClientRole.PLAYER if is_alive else ClientRole.ELIMINATED
        takes_part = seat is not None or client in self.observers
        if takes_part and self.stage in _OVER:
            return ClientRole.POST_GAME
        if takes_part:
            return ClientRole.OBSERVER if seat is None else ClientRole.JOINED
        if client in self.seating.waiting:
            return ClientRole.JOINED
        is_pending = self.loading is not None and client in self.loading.pending
        return ClientRole.LOAD_PENDING if is_pending else ClientRole.CONNECTED

    def has_joined(self, client: events.ClientId) -> bool:
        """Return whether *client* has a seat, waits for one, or observes."""
        has_seat = client in self.seating.by_client or client in self.seating.waiting
        return has_seat or client in self.observers

    def joined(self) -> tuple[events.ClientId, ...]:
        """Return all clients that have a seat, wait for one, or observe."""
        return (*self.seating.clients(), *self.observers)

    def drop(self, client: events.ClientId) -> None:
        """Remove *client* from its seat, the observers and a pending load."""
        self.seating.leave(client)
        self.observers.pop(client, None)
        if self.loading is not None:
            self.loading.pending.pop(client, None)

    def audience(self) -> tuple[events.ClientId, ...]:
        """Return the clients for messages to all: observers only with the map."""
        if not self.has_started:
            return ()
        ready = [client for client, ready in self.observers.items() if ready]
        return (*self.seating.clients(), *ready)

    def to_all(self, *messages: said.ServerMessage) -> events.Send:
        """Return the effect of sending *messages* to all that have joined."""
        return events.Send(self.audience(), messages)

    def present(self) -> frozenset[Power]:
        """Return the surviving powers that have a client."""
        return self.turn.survivors & self.seating.occupied

    def owing(self) -> tuple[Power, ...]:
        """Return the surviving powers that owe orders, or have said NOT (GOF)."""
        return self.in_order(self.turn.awaited & self.turn.survivors)

    def in_order(self, powers: Set[Power]) -> tuple[Power, ...]:
        """Return *powers* in the order of the map."""
        return tuple(power for power in self.variant.map.powers if power in powers)

    @property
    def takes_players(self) -> bool:
        """Return whether NME is accepted: a seat is free, or the game is loaded."""
        if self.loading is not None:
            return len(self.loading.pending) < len(self.turn.survivors - self.present())
        return not self.has_started and self.seating.has_room()

    def takes(self, named: said.Name) -> bool:
        """Return whether the NME *named* is accepted, if it came by no seat's port."""
        wanted, _ = self.wish_of(named)
        is_free = wanted is None or self.seating[wanted].client is None
        return self.takes_players and (is_free or self.loading is not None)

    def wish_of(self, named: said.Name) -> tuple[Power | None, said.Name]:
        """Return the power whose seat an NME asks for, and the NME without it.

        With seats by name NME ('FRA:MyBot') asks for France.
        """
        prefix, colon, bare = named.name.partition(":")
        is_power = colon and Power(prefix) in self.variant.map.power_index
        if not (self.policy.seats == "name" and is_power):
            return None, named
        return Power(prefix), replace(named, name=bare)

    def claimed_seat(self, claim: said.Rejoin) -> Seat | None:
        """Return the seat that an IAM names, if the game runs and the passcode fits."""
        is_played = self.is_running and claim.power in self.variant.map.power_index
        seat = self.seating[claim.power] if is_played else None
        return seat if seat is not None and seat.passcode == claim.passcode else None


class Request(Struct, Generic[Message_co], frozen=True):
    """A message with its sender and time, and the tokens that YES and REJ quote."""

    client: events.ClientId
    message: Message_co
    as_sent: Tokens
    now: events.Seconds

    def answer(self, *messages: said.ServerMessage) -> list[events.Effect]:
        """Return the effect of answering with *messages*; none if there are none."""
        return [events.Send((self.client,), messages)] if messages else []

    def accept(self, *more: said.ServerMessage) -> list[events.Effect]:
        """Return the effect of answering YES, and then *more*."""
        return [events.Send((self.client,), (said.Accepted(self.as_sent), *more))]

    def reject(self) -> list[events.Effect]:
        """Return the effect of answering REJ."""
        return [events.Send((self.client,), (said.Rejected(self.as_sent),))]

    def refuse(self, reason: events.JoinRefusal) -> list[events.Effect]:
        """Return the effects of answering NME, OBS or IAM with REJ, for *reason*."""
        return [*self.reject(), events.Refuse(self.client, reason)]


def admit(
    state: GameState,
    request: Request[said.Name | said.Observe | said.Rejoin],
    *more: said.ServerMessage,
) -> list[events.Effect]:
    """Return the effects of admitting a client to a seat, to observe, or to load."""
    seat = state.seating.by_client.get(request.client)
    power = None if seat is None else seat.power
    role = state.role_of(request.client)
    return [events.Admit(request.client, role, power), *request.accept(*more)]

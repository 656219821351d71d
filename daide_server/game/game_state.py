"""The state of one game: its components, and questions that need several of them.

Components change by their own methods, the stage and what belongs to it by `enter`.
"""

from collections.abc import Iterator, Sequence, Set
from typing import Final

from msgspec.structs import replace

from daide_server.board.names import Power
from daide_server.board.position import Position
from daide_server.board.turns import Phase, Turn
from daide_server.board.variant import Variant
from daide_server.language.messages import Name, Rejoin, ServerMessage
from daide_server.language.vocabulary import Vocabulary
from daide_server.records.entries import Ended, TurnResolved

from .budgets import Budgets
from .clock import Clock
from .current_turn import CurrentTurn
from .effects import Send
from .events import ClientId, Seconds
from .options import GameOptions, SeatAssignment, ServerPolicy, rules_of
from .seating import ClientRole, LoadOffers, RecoveryWait, Seat, Seating
from .stages import RUNNING, Cause, Stage, enter

_OVER: Final = (Stage.ENDED, Stage.CLOSED)


class History:
    """The turns that have been processed, oldest first."""

    def __init__(self, powers: Sequence[Power], start: Position) -> None:
        self._powers = powers
        self._turns: dict[Turn, TurnResolved] = {}
        # In which year a power first had no centre, while that lasts.
        self._eliminated: dict[Power, int] = _eliminated_before(powers, start)

    @property
    def turns(self) -> Sequence[TurnResolved]:
        """Return the turns, oldest first."""
        return tuple(self._turns.values())

    def add(self, turn: TurnResolved) -> None:
        """Add the turn that was processed last."""
        self._turns[turn.position.turn] = turn

    def end_year(self, turn: TurnResolved) -> None:
        """Note which powers own no centre after *turn*, the last of its year."""
        owners = set(turn.next.owners.values())
        for power in self._powers:
            if power in owners:
                self._eliminated.pop(power, None)
            else:
                self._eliminated.setdefault(power, turn.position.turn.year)

    def year_of_elimination(self, power: Power) -> int | None:
        """Return in which year *power* lost its last centre; `None` if it has one."""
        return self._eliminated.get(power)

    def find(self, turn: Turn) -> TurnResolved | None:
        """Return the turn *turn* as it was played."""
        return self._turns.get(turn)

    def latest(self) -> Sequence[TurnResolved]:
        """Return the latest movement turn and what followed it, oldest first."""
        return tuple(self._since_movement())[::-1]

    def _since_movement(self) -> Iterator[TurnResolved]:
        for turn in reversed(self._turns.values()):
            yield turn
            if turn.position.turn.phase is Phase.MOVEMENT:
                return


def _eliminated_before(powers: Sequence[Power], start: Position) -> dict[Power, int]:
    """Return the powers that are not in the game at its *start*.

    A game may begin anywhere: their year is the last one that it can have been.
    """
    counted = start.turn.phase is Phase.ADJUSTMENTS
    year = start.turn.year if counted else start.turn.year - 1
    return {power: year for power in powers if start.is_eliminated(power)}


class GameState:
    """All that changes in a game, and what it was made of."""

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
        self.observers: Final[dict[ClientId, bool]] = {}
        """The observers, as they came, and whether each has accepted the map."""
        self.clock: Final = Clock(options, policy)
        self.history: Final = History(variant.map.powers, variant.start)
        self.budgets: Final = Budgets(policy.record)
        self.turn = self._turn_from(variant.start)
        self.stage = Stage.FORMING
        self.loading: LoadOffers | None = None
        """Who is awaited, while the game is LOADING."""
        self.recovery: RecoveryWait | None = None
        """Who is awaited, while the game is RECOVERING."""
        self.cause: Cause | None = None
        """Why the stage changed last."""
        self.ending: Ended | None = None
        """How the game ended, once it has."""
        self.missed: frozenset[Power] = frozenset()
        """The powers that a PAUSED game waits for (DSD)."""

    # The stage, and what belongs to it

    def enter(self, cause: Cause, now: Seconds) -> None:
        """Change the stage as `stages.TRANSITIONS` says, and the clock with it.

        Raises `StageError` if *cause* cannot change the present stage.
        """
        self.stage = enter(self.stage, cause)
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

    @property
    def is_running(self) -> bool:
        """Return whether the game has begun, and is not over."""
        return self.stage in RUNNING

    @property
    def has_started(self) -> bool:
        """Return whether the game has begun; it may be over."""
        return self.stage is not Stage.FORMING

    # The turn

    def begin_turn(self, position: Position) -> None:
        """Continue from *position*, without orders and votes."""
        self.budgets.begin_turn()
        self.turn = self._turn_from(position)

    def _turn_from(self, position: Position) -> CurrentTurn:
        return CurrentTurn(
            self.variant.map,
            position,
            self.rules,
            any_orders=self.options.any_orders,
        )

    @property
    def position(self) -> Position:
        """Return the position that orders are due in."""
        return self.turn.position

    def turn_is_over(self, now: Seconds) -> bool:
        """Return whether the turn is to be processed.

        It is at the deadline; before, as soon as no orders are awaited: those of a
        power without a client are awaited only if the turn has a deadline.
        """
        if self.stage is not Stage.PLAYING:
            return False
        timer = self.clock.timer
        powers = self.turn.survivors if timer.has_deadline else self.present()
        return self.turn.orders.are_ready(powers) or timer.passed(now)

    # Clients

    def role_of(self, client: ClientId) -> ClientRole:
        """Return what *client* is to the game now."""
        is_over = self.stage in _OVER
        seat = self.seating.of(client)
        if seat is not None:
            return ClientRole.POST_GAME if is_over else self._role_of_seat(seat)
        if client in self.observers:
            return ClientRole.POST_GAME if is_over else ClientRole.OBSERVER
        if self.seating.is_waiting(client):
            return ClientRole.JOINED
        is_pending = self.loading is not None and client in self.loading.pending
        return ClientRole.LOAD_PENDING if is_pending else ClientRole.CONNECTED

    def _role_of_seat(self, seat: Seat) -> ClientRole:
        if self.stage is Stage.FORMING:
            return ClientRole.JOINED
        is_alive = seat.power in self.turn.survivors
        return ClientRole.PLAYER if is_alive else ClientRole.ELIMINATED

    def has_joined(self, client: ClientId) -> bool:
        """Return whether *client* has a seat, waits for one, or observes."""
        return self.seating.has(client) or client in self.observers

    def joined(self) -> tuple[ClientId, ...]:
        """Return all clients that have a seat or observe."""
        return (*self.seating.clients(), *self.observers)

    def drop(self, client: ClientId) -> None:
        """Take the seat of *client* away; also if it observes, or was offered one."""
        self.seating.leave(client)
        self.observers.pop(client, None)
        if self.loading is not None:
            self.loading.pending.pop(client, None)

    def audience(self) -> tuple[ClientId, ...]:
        """Return the clients of messages to all: none before the game has begun.

        An observer is among them once it has accepted the map.
        """
        if not self.has_started:
            return ()
        ready = [client for client, ready in self.observers.items() if ready]
        return (*self.seating.clients(), *ready)

    def to_all(self, *messages: ServerMessage) -> Send:
        """Return the effect of sending *messages* to all that have joined."""
        return Send(self.audience(), messages)

    def present(self) -> frozenset[Power]:
        """Return the surviving powers that have a client."""
        return self.turn.survivors & self.seating.occupied

    def in_order(self, powers: Set[Power]) -> tuple[Power, ...]:
        """Return *powers* in the order of the map."""
        return tuple(power for power in self.variant.map.powers if power in powers)

    @property
    def takes_players(self) -> bool:
        """Return whether NME is accepted: by a free seat, or by a loaded game."""
        if self.loading is not None:
            return len(self.loading.pending) < len(self.turn.survivors - self.present())
        return not self.has_started and self.seating.has_room()

    def takes(self, said: Name) -> bool:
        """Return whether the NME *said* is accepted, if it came by no seat's port."""
        wanted, _ = self.wish_of(said)
        is_free = wanted is None or self.seating[wanted].client is None
        return self.takes_players and (is_free or self.loading is not None)

    def wish_of(self, said: Name) -> tuple[Power | None, Name]:
        """Return the power whose seat an NME asks for, and the NME without it.

        With seats by name NME ('FRA:MyBot') asks for France; else that is a name like
        any other, and any seat will do.
        """
        prefix, colon, bare = said.name.partition(":")
        is_power = colon and Power(prefix) in self.variant.map.power_index
        if not (self.policy.seats_by_name and is_power):
            return None, said
        return Power(prefix), replace(said, name=bare)

    def claimed_seat(self, claim: Rejoin) -> Seat | None:
        """Return the seat that an IAM names, if the game is on and the passcode fits.

        Whether the seat may be taken is another question.
        """
        return self.seating.claimed(claim) if self.is_running else None

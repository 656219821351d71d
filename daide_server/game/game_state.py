"""The state of one game: its components, and questions that need several of them.

Every component changes itself: nothing outside assigns the attributes of a component
or of `GameState`, and what they hand out is read only (tests/game/test_game_state.py).
"""

from collections.abc import Set
from typing import Final

from daide_server.board.names import Power
from daide_server.board.position import Position
from daide_server.board.variant import Variant
from daide_server.language.messages import Name, Rejoin, ServerMessage
from daide_server.language.vocabulary import Vocabulary
from daide_server.records.entries import Ended

from .clock import Clock
from .current_turn import CurrentTurn
from .effects import Send
from .events import ClientId, Seconds
from .history import History
from .hourly_bytes import HourlyBytes
from .load_offers import LoadOffers
from .observers import Observers
from .options import GameOptions, SeatAssignment, ServerPolicy, rules_of
from .order_budget import OrderBudget
from .permissions import ClientRole
from .record_growth import RecordGrowth
from .recovery_wait import RecoveryWait
from .seat_wishes import SeatWish, named_wish
from .seating import Seat, Seating
from .stages import RUNNING, Cause, Stage, enter

_OVER: Final = (Stage.ENDED, Stage.CLOSED)
# Looking up a member of an enum takes longer than a name of the module.
_FORMING: Final = Stage.FORMING
_PLAYING: Final = Stage.PLAYING
_PLAYER: Final = ClientRole.PLAYER


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
        self.observers: Final = Observers()
        self.clock: Final = Clock(options, policy)
        self.history: Final = History(variant.map.powers, variant.start)
        self.growth: Final = RecordGrowth(policy.record)
        self.order_budget: Final = OrderBudget(policy.record)
        self.guest_bytes: Final = HourlyBytes[None](policy.record.guest_bytes_per_hour)
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
        self._missed: Final[set[Power]] = set()

    # The stage, and what belongs to it

    def enter(self, cause: Cause, now: Seconds) -> None:
        """Change the stage as `stages.TRANSITIONS` says, and the clock with it.

        Raises `StageError` if *cause* cannot change the present stage.
        """
        self.stage = enter(self.stage, cause)
        self.cause = cause
        self._missed.clear()
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

    def enter_loading(self, offers: LoadOffers, now: Seconds) -> None:
        """Wait for the players of a loaded game. Raises `StageError`."""
        self.enter(Cause.LOADED, now)
        self.loading = offers

    def enter_recovery(self, now: Seconds, *, grace: Seconds) -> None:
        """Wait for the clients of before. Raises `StageError`."""
        recovery = self._recovery_wait(grace)
        self.enter(Cause.RECOVERED, now)
        self.recovery = recovery

    def _recovery_wait(self, grace: Seconds) -> RecoveryWait:
        """Return whom the game is to wait for, from how it stands now."""
        if self.recovery is not None:
            return self.recovery.again(self.present(), grace)
        awaited = self.present()
        if self.loading is not None:
            awaited |= self.loading.awaited
        return RecoveryWait(awaited, frozenset(self._missed), grace)

    def enter_ending(self, cause: Cause, ended: Ended) -> None:
        """End the game for *cause*. Raises `StageError`."""
        self.enter(cause, ended.seconds)
        self.ending = ended

    @property
    def is_missing_players(self) -> bool:
        """Return whether the game is PAUSED for players who owe orders (DSD)."""
        return bool(self._missed)

    @property
    def missed(self) -> frozenset[Power]:
        """Return the powers for which a PAUSED game waits (DSD)."""
        return frozenset(self._missed)

    def miss(self, power: Power) -> None:
        """Let the pause last until *power* is back (DSD)."""
        self._missed.add(power)

    def stop_missing(self, power: Power) -> bool:
        """Note that *power* is back; return whether it was missed."""
        was_missed = power in self._missed
        self._missed.discard(power)
        return was_missed

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
        """Go on from *position*, without orders and votes."""
        self.order_budget.begin_turn()
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
        if self.stage is not _PLAYING:
            return False
        timer, turn = self.clock.timer, self.turn
        if timer.has_deadline:
            return turn.orders.are_ready(turn.survivors) or timer.passed(now)
        return turn.orders.awaited(turn.survivors).isdisjoint(self.seating.occupied)

    # Clients

    def role_of(self, client: ClientId) -> ClientRole:
        """Return what *client* is to the game now."""
        seat = self.seating.of(client)
        if seat is not None:
            return self.role_of_seat(seat)
        if client in self.observers:
            over = self.stage in _OVER
            return ClientRole.POST_GAME if over else ClientRole.OBSERVER
        if self.seating.is_waiting(client):
            return ClientRole.JOINED
        is_pending = self.loading is not None and client in self.loading
        return ClientRole.LOAD_PENDING if is_pending else ClientRole.CONNECTED

    def role_of_seat(self, seat: Seat) -> ClientRole:
        """Return what the client of *seat* is to the game now."""
        if self.stage in _OVER:
            return ClientRole.POST_GAME
        if self.stage is _FORMING:
            return ClientRole.JOINED
        alive = seat.power in self.turn.survivors
        return _PLAYER if alive else ClientRole.ELIMINATED

    def has_joined(self, client: ClientId) -> bool:
        """Return whether *client* has a seat, waits for one, or observes."""
        return self.seating.has(client) or client in self.observers

    def joined(self) -> tuple[ClientId, ...]:
        """Return all clients that have a seat or observe."""
        return (*self.seating.clients(), *self.observers)

    def audience(self) -> tuple[ClientId, ...]:
        """Return the clients of messages to all: none before the game has begun.

        An observer is among them once it has accepted the map.
        """
        if not self.has_started:
            return ()
        return (*self.seating.clients(), *self.observers.ready())

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
            return len(self.loading) < len(self.turn.survivors - self.present())
        return not self.has_started and self.seating.has_room()

    def takes(self, said: Name) -> bool:
        """Return whether the NME *said* is accepted, if it came by no seat's port."""
        wish = self.wish_of(said).power
        is_free = wish is None or self.seating[wish].client is None
        return self.takes_players and (is_free or self.loading is not None)

    def wish_of(self, said: Name) -> SeatWish:
        """Return the seat that an NME asks for."""
        if not self.policy.seats_by_name:
            return SeatWish(None, said)
        return named_wish(said, self.variant.map.power_index)

    def claimed_seat(self, claim: Rejoin) -> Seat | None:
        """Return the seat that an IAM names, if the game is on and the passcode fits.

        Whether the seat may be taken is another question.
        """
        return self.seating.claimed(claim) if self.is_running else None

"""The state of one game: its parts, and what can be asked of them together."""

from attrs import Factory, define, field

from daide_server.board.names import Power
from daide_server.board.position import Position
from daide_server.board.variant import Variant
from daide_server.judge.rules import Rules
from daide_server.language.messages import Name
from daide_server.language.vocabulary import Vocabulary
from daide_server.records.entries import Ended, TurnResolved

from .deadlines import Deadlines
from .desk import OrderDesk
from .draws import DrawVotes
from .events import ClientId, Seconds
from .options import GameOptions, SeatAssignment, ServerPolicy, rules_of
from .seating import Seating
from .stages import TRANSITIONS, ClientRole, Stage


@define
class Loading:
    """The offers of a loaded game that is not yet going on."""

    name: str
    awaited: frozenset[Power]
    """The powers that had a client when the game was saved."""
    offers: dict[ClientId, Name] = Factory(dict)
    """Who came by NME, and has not answered LOD."""
    refused: int = 0


@define(eq=False)
class GameState:
    """All that changes in a game; only `Game` changes it."""

    variant: Variant
    options: GameOptions
    policy: ServerPolicy
    assignment: SeatAssignment
    stage: Stage = Stage.FORMING
    observers: dict[ClientId, bool] = Factory(dict)
    """Who watches, and whether the client has accepted the map."""
    history: list[TurnResolved] = Factory(list)
    eliminated: dict[Power, int] = Factory(dict)
    """In which year a power first had no centre, while that lasts."""
    last_heard: dict[ClientId, Seconds] = Factory(dict)
    """When each client last spoke, if seats of silent ones may be taken over."""
    missed: set[Power] = Factory(set)
    """Powers whose disconnection stopped the clock (DSD)."""
    loading: Loading | None = None
    """What is left to do before a loaded game goes on."""
    ending: Ended | None = None
    wakes_at: Seconds | None = None
    """When an abandoned game ends, or an ended one closes."""
    rules: Rules = field(init=False)
    vocabulary: Vocabulary = field(init=False)
    position: Position = field(init=False)
    survivors: frozenset[Power] = field(init=False)
    seating: Seating = field(init=False)
    desk: OrderDesk = field(init=False)
    deadlines: Deadlines = field(init=False)
    votes: DrawVotes = Factory(DrawVotes)

    def __attrs_post_init__(self) -> None:
        self.rules = rules_of(self.policy, self.options)
        self.vocabulary = Vocabulary.of(self.variant.map)
        self.seating = Seating(self.assignment)
        self.deadlines = Deadlines(self.options.limits)
        self.begin_turn(self.variant.start)

    def begin_turn(self, position: Position) -> None:
        """Go on from *position*, with an empty order desk and no votes."""
        self.position = position
        alive = {unit.power for unit in position.units}
        alive.update(unit.power for unit in position.dislodged)
        self.survivors = frozenset(alive.union(position.owners.values()))
        self.desk = OrderDesk(
            self.variant.map,
            position,
            self.rules,
            any_orders=self.options.any_orders,
        )
        self.votes.clear()

    def enter(self, stage: Stage) -> None:
        """Go on to *stage*, which must be one that may follow."""
        assert stage in TRANSITIONS[self.stage], (self.stage, stage)
        self.stage = stage

    @property
    def is_running(self) -> bool:
        """Return whether turns are being played."""
        return self.stage in {Stage.PLAYING, Stage.PAUSED}

    @property
    def has_started(self) -> bool:
        """Return whether the game has begun, whatever became of it."""
        return self.stage is not Stage.FORMING

    def standing(self, client: ClientId) -> ClientRole:
        """Return what *client* is to the game now."""
        seat = self.seating.of(client)
        if seat is None and client not in self.observers:
            is_offered = self.loading is not None and client in self.loading.offers
            return ClientRole.OFFERED if is_offered else ClientRole.FRESH
        if self.stage in {Stage.ENDED, Stage.CLOSED}:
            return ClientRole.AFTERWARDS
        if seat is None:
            return ClientRole.OBSERVER
        if not self.has_started:
            return ClientRole.SEATED
        alive = seat.power in self.survivors
        return ClientRole.PLAYER if alive else ClientRole.ELIMINATED

    def joined(self) -> tuple[ClientId, ...]:
        """Return all clients that have a seat or watch."""
        return (*self.seating.clients(), *self.observers)

    def audience(self) -> tuple[ClientId, ...]:
        """Return the clients whose joining is complete: they are told everything."""
        if not self.has_started:
            return ()
        watching = (client for client, ready in self.observers.items() if ready)
        return (*self.seating.clients(), *watching)

    @property
    def has_offer(self) -> bool:
        """Return whether this is a loaded game that lacks clients for its powers."""
        if self.loading is None:
            return False
        return len(self.loading.offers) < len(self.survivors - self.present())

    def is_silent(self, client: ClientId, now: Seconds) -> bool:
        """Return whether *client* has been silent for so long as to lose its seat."""
        limit = self.policy.takeover_after
        return limit is not None and now - self.last_heard.get(client, now) >= limit

    def present(self) -> frozenset[Power]:
        """Return the surviving powers that have a client."""
        return self.survivors & self.seating.occupied

    def turn_is_over(self, now: Seconds) -> bool:
        """Return whether the turn is to be processed.

        At the deadline; before it, as soon as nobody is waited for: without a
        deadline a power that has no client is not, with one it is.
        """
        if self.stage is not Stage.PLAYING:
            return False
        if self.deadlines.passed(now):
            return True
        awaited = self.survivors if self.deadlines.has_deadline else self.present()
        return self.desk.are_ready(awaited)

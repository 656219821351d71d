"""A game of the real state machine, played by one bot and by six clients of ours.

Our clients take their seats first. They say NOT (GOF), and order nothing before
`end_turn`: a turn does not end while the bot is looked at. Pure: `now` is an argument.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from attrs import evolve

from daide_server.board.names import Power
from daide_server.board.orders import Order, owner
from daide_server.board.position import Position
from daide_server.board.variant import Variant
from daide_server.bots import hold
from daide_server.bots.view import View
from daide_server.game.events import (
    ClientId,
    ClientLeft,
    ClockTicked,
    Effect,
    GameEvent,
    MessageReceived,
    SeatPortChosen,
    Seconds,
    Send,
)
from daide_server.game.game import Game
from daide_server.game.game_state import GameState
from daide_server.game.options import GameOptions, SeatAssignment, ServerPolicy
from daide_server.game.results import results
from daide_server.judge.adjudication import adjudicate
from daide_server.language.messages import (
    AcceptMap,
    ClientMessage,
    CurrentPosition,
    Go,
    Hello,
    MissingAdjustments,
    MissingRetreats,
    MissingUnits,
    Name,
    Ownership,
    SendPress,
    ServerMessage,
    SubmitOrders,
    SubmittedOrder,
    TimeLeft,
    Wait,
)
from daide_server.language.tokens import Tokens
from daide_server.language.translation import Writer
from daide_server.language.vocabulary import Vocabulary
from daide_server.records.entries import TurnResolved

SCENE_POLICY: Final = ServerPolicy(
    seats="arrival", post_game_seconds=1e9, abandoned_after=1e9
)
SCENE_PASSCODE: Final = 4711
FIRST_BOT_CLIENT: Final = 1000
"""The numbers of the bot's connections begin here; smaller ones are ours."""
OTHERS: Final = Name("examine", "1")
NO_TOKENS: Final[Tokens] = ()
OPENING: Final = (Ownership, CurrentPosition, TimeLeft)

BotAnswer = tuple[ClientId, ServerMessage]
"""A message for a connection of the bot."""


class ScriptedGame:
    """One game: what the bot says goes in, what it hears comes out."""

    def __init__(self, variant: Variant, options: GameOptions, power: Power) -> None:
        """Open a game in which the bot has the seat of *power*."""
        others = [each for each in variant.map.powers if each != power]
        assignment = SeatAssignment(
            (power, *others), dict.fromkeys(variant.map.powers, SCENE_PASSCODE)
        )
        self.power: Final = power
        self._variant: Final = variant
        self._options: Final = options
        self._writer: Final = Writer(Vocabulary.of(variant.map))
        self._game: Final = Game(variant, options, SCENE_POLICY, assignment)
        self._clients: Final = {
            each: ClientId(number) for number, each in enumerate(others)
        }
        for each, client in self._clients.items():
            self._game.handle(SeatPortChosen(client, each), 0.0)
            self._own(client, OTHERS, 0.0)

    @property
    def state(self) -> GameState:
        """Return the state of the game, to be read only."""
        return self._game.state

    @property
    def alarm(self) -> Seconds | None:
        """Return when the game wants `tick` to be called."""
        return self._game.alarm

    @property
    def is_over(self) -> bool:
        """Return whether the game has come to its end."""
        return self.state.ending is not None

    @property
    def is_complete(self) -> bool:
        """Return whether the bot has ordered all that it must in this turn."""
        return self.state.turn.orders.is_complete(self.power)

    @property
    def is_awaited(self) -> bool:
        """Return whether the turn waits for the bot: orders are due, or NOT (GOF)."""
        return self.power in self.state.turn.orders.awaited

    @property
    def missing(self) -> int:
        """Return how many orders of the bot are missing: units, builds or removals."""
        match self.state.turn.orders.missing(self.power):
            case MissingUnits(units=units):
                return len(units)
            case MissingRetreats(retreats=retreats):
                return len(retreats)
            case MissingAdjustments(number=number):
                return abs(number)
            case _:
                return 0

    def accepted(self) -> tuple[Order, ...]:
        """Return the orders of the bot that count in this turn."""
        return tuple(
            order
            for order in self.state.turn.orders.accepted()
            if owner(order) == self.power
        )

    # The bot

    def receive(
        self, client: ClientId, message: ClientMessage, tokens: Tokens, now: Seconds
    ) -> list[BotAnswer]:
        """Return what the bot hears after it sent *message*."""
        return self._handle(MessageReceived(client, message, tokens), now)

    def lose(self, client: ClientId, now: Seconds) -> list[BotAnswer]:
        """Note that a connection of the bot was closed."""
        return self._handle(ClientLeft(client), now)

    def tick(self, now: Seconds) -> list[BotAnswer]:
        """Return what the bot hears when the alarm rings."""
        return self._handle(ClockTicked(), now)

    # Our clients

    def begin(self, now: Seconds) -> list[BotAnswer]:
        """Let our clients accept the map: the game begins when the bot has too."""
        accept = AcceptMap(self._variant.name)
        return [*self._all_say(accept, now), *self._all_say(Wait(), now)]

    def end_turn(self, now: Seconds) -> list[BotAnswer]:
        """Let our clients order: all units hold. The turn ends if the bot is ready."""
        answers: list[BotAnswer] = []
        for power, client in self._clients.items():
            orders = self._holds(power)
            if orders:
                answers += self._own(client, self._submission(orders), now)
        answers += self._all_say(Go(), now)
        # Also in a turn in which they have nothing to order.
        return [*answers, *self._all_say(Wait(), now)]

    def press(
        self, sender: Power, content: Tokens, now: Seconds, *, copies: int = 1
    ) -> list[BotAnswer]:
        """Let one of our clients send press to the bot, so many times."""
        message = SendPress(None, (self.power,), content)
        answers: list[BotAnswer] = []
        for _ in range(copies):
            answers += self._own(self._clients[sender], message, now)
        return answers

    def turn_results(self) -> list[ServerMessage]:
        """Return each ORD of the present turn, as if it ended now: the others hold."""
        state, position = self.state, self.state.position
        orders = [
            *self.accepted(),
            *(o for each in self._clients for o in self._holds(each)),
        ]
        found = adjudicate(state.variant, position, orders, state.rules)
        turn = TurnResolved(position, tuple(orders), found.reports, found.next, 0.0)
        return list(results(turn))

    def _holds(self, power: Power) -> Sequence[Order]:
        return hold.orders(View(self._variant.map, power, self.state.position))

    # Another position

    def at(
        self, position: Position, client: ClientId, now: Seconds
    ) -> "tuple[ScriptedGame, list[BotAnswer]]":
        """Return a game that is in *position*, and what the bot gets of it.

        The bot has the same seat in it, and is not greeted again.
        """
        variant = evolve(self._variant, start=position)
        game = ScriptedGame(variant, self._options, self.power)
        game.receive(client, OTHERS, NO_TOKENS, now)
        game.begin(now)
        accept = AcceptMap(self._variant.name)
        answers = game.receive(client, accept, NO_TOKENS, now)
        game._all_say(Wait(), now)
        return game, [each for each in answers if isinstance(each[1], OPENING)]

    def greeting(self) -> Hello:
        """Return the HLO of the bot."""
        return Hello(self.power, SCENE_PASSCODE, self._options.as_hello())

    def _all_say(self, message: ClientMessage, now: Seconds) -> list[BotAnswer]:
        return [
            answer
            for client in self._clients.values()
            for answer in self._own(client, message, now)
        ]

    def _own(
        self, client: ClientId, message: ClientMessage, now: Seconds
    ) -> list[BotAnswer]:
        return self._handle(MessageReceived(client, message, NO_TOKENS), now)

    def _submission(self, orders: Sequence[Order]) -> SubmitOrders:
        submitted = (SubmittedOrder(each, self._writer.order(each)) for each in orders)
        return SubmitOrders(None, tuple(submitted))

    def _handle(self, event: GameEvent, now: Seconds) -> list[BotAnswer]:
        return list(_for_bot(self._game.handle(event, now)))


def _for_bot(effects: Iterable[Effect]) -> Iterable[BotAnswer]:
    for effect in effects:
        if isinstance(effect, Send):
            for client in effect.clients:
                if client >= FIRST_BOT_CLIENT:
                    yield from ((client, message) for message in effect.messages)

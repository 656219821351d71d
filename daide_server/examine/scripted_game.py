"""The game of a scene: how it is set up, and the state machine of a real server. Pure.

The bot plays against six scripted clients, which take their seats first, say NOT (GOF)
and order nothing before `end_turn`, so that no turn ends while the bot is observed.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from attrs import evolve, frozen
from msgspec.structs import replace

from daide_server.board.map import Phase, Position, Variant
from daide_server.board.names import Power
from daide_server.board.orders import Order, owner
from daide_server.bots import hold
from daide_server.bots.view import View
from daide_server.daide import messages, tokens, translation
from daide_server.daide.vocabulary import Vocabulary
from daide_server.game import events, game_state
from daide_server.game.events import ClientId, Seconds
from daide_server.game.game import Game
from daide_server.game.options import GameOptions, SeatAssignment, ServerPolicy
from daide_server.game.results import results
from daide_server.judge.adjudication import adjudicate
from daide_server.library.variants import find_variant
from daide_server.records.entries import TurnResolved

# How the bytes of messages are cut on their way to the bot

Pace = Callable[[bytes], Iterable[bytes]]
"""Cuts bytes into the pieces that are sent one by one."""

SLOW_PIECES = 400
"""The bytes at the start that are sent one by one; the rest comes in odd pieces."""
ODD_PIECE = 97


def whole(data: bytes) -> Iterable[bytes]:
    """Return one piece, with all frames in it."""
    return (data,)


def bytewise(data: bytes) -> Iterator[bytes]:
    """Yield single bytes at first, then pieces that end in the middle of frames."""
    for byte in data[:SLOW_PIECES]:
        yield bytes((byte,))
    for place in range(SLOW_PIECES, len(data), ODD_PIECE):
        yield data[place : place + ODD_PIECE]


def split_headers(data: bytes) -> Iterator[bytes]:
    """Yield three bytes, and then the rest: the first header is cut."""
    yield data[:3]
    if data[3:]:
        yield data[3:]


FRANCE = Power("FRA")
NO_LIMITS = GameOptions()


@frozen
class SceneSetup:
    """The setup of a scene's game; scenes with equal setups may share a bot's start."""

    power: Power = FRANCE
    board: str = "standard"
    options: GameOptions = NO_LIMITS
    """Limits that are `None` are the usual ones of the examination."""
    has_limits: bool = True
    first_year: int | None = None
    """The year of the first turn, if it is not that of the board."""
    start: Position | None = None
    """The start position, if it is not that of the board."""
    pace: Pace = whole
    padding: bool = False
    """The second byte of each frame is garbage."""
    full_rm: bool = False
    """RM has all names, also those of the standard board."""
    rm_delay: float | None = None
    """Seconds before RM is sent, if not the usual time of the examination."""
    mdf_delay: float = 0.0
    """Seconds before MDF is sent."""
    map_name: str | None = None
    """The name in MAP, if it is not that of the board."""
    environment: tuple[tuple[str, str], ...] = ()

    def representation(self, words: Vocabulary) -> tuple[tuple[tokens.Token, str], ...]:
        """Return the entries of RM."""
        if self.full_rm:
            return (*words.powers.items(), *words.provinces.items())
        return words.representation


USUAL_SETUP = SceneSetup()


# How long the examination waits: what was announced, times the machine's slowness

SECONDS_PER_TURN = 5
MARGIN_SECONDS = 0.3
"""Tolerance for the bot's clock, added to a limit, in seconds."""
START_SECONDS = 60.0
"""The limit for loading, NME and the answer to MAP."""
UNANNOUNCED_FACTOR = 2
"""The factor by which a turn without a limit may take longer than usual."""


@frozen
class Measures:
    """Measurements made before the scenes, and the length of turns."""

    slowness: float = 1.0
    """How much slower this machine is than an idle one, measured with `hold`."""
    seconds_per_turn: int = SECONDS_PER_TURN
    rm_delay: float = 0.0
    """Seconds before RM in all scenes: the first delay after which the bot joins."""
    level: int = 0
    """The level of games in scenes that need no higher one."""
    start_seconds: float = START_SECONDS
    margin: float = MARGIN_SECONDS

    def options(self, setup: SceneSetup) -> GameOptions:
        """Return the options of a setup with the usual limits, if it has limits."""
        level = max(setup.options.level, self.level)
        options = evolve(setup.options, level=level)
        if not setup.has_limits:
            return options
        return evolve(
            options,
            movement_limit=options.movement_limit or self.seconds_per_turn,
            retreat_limit=options.retreat_limit or self.seconds_per_turn,
            build_limit=options.build_limit or self.seconds_per_turn,
        )

    def limit(self, options: GameOptions, phase: Phase) -> float:
        """Return the time limit for the bot in a phase."""
        announced = options.limits[phase]
        usual = self.seconds_per_turn * UNANNOUNCED_FACTOR
        return usual if announced is None else announced


def variant_of(setup: SceneSetup) -> Variant:
    """Return the board of a setup, with its first year."""
    variant = find_variant(setup.board)
    if setup.start is not None:
        return evolve(variant, start=setup.start)
    if setup.first_year is None:
        return variant
    turn = replace(variant.start.turn, year=setup.first_year)
    return evolve(variant, start=replace(variant.start, turn=turn))


SCENE_POLICY = ServerPolicy(seats="arrival", post_game_seconds=1e9, abandoned_after=1e9)
SCENE_PASSCODE = 4711
FIRST_BOT_CLIENT = 1000
"""The number of the bot's first connection; those of scripted clients are smaller."""
OTHERS = messages.Name("examine", "1")
"""The NME of the scripted clients."""
OPENING = (messages.Ownership, messages.CurrentPosition, messages.TimeLeft)

BotAnswer = tuple[ClientId, messages.ServerMessage]
"""A message for a connection of the bot."""


class ScriptedGame:
    """One game: messages of the bot in, messages to the bot out."""

    def __init__(self, variant: Variant, options: GameOptions, power: Power) -> None:
        """Open a game in which the bot has the seat of *power*."""
        others = [each for each in variant.map.powers if each != power]
        assignment = SeatAssignment(
            (power, *others), dict.fromkeys(variant.map.powers, SCENE_PASSCODE)
        )
        self.power: Final = power
        self._variant: Final = variant
        self._options: Final = options
        self._writer: Final = translation.Writer(Vocabulary.of(variant.map))
        self._game: Final = Game(variant, options, SCENE_POLICY, assignment)
        self._clients: Final = {
            each: ClientId(number) for number, each in enumerate(others)
        }
        for each, client in self._clients.items():
            self._game.handle(events.SeatPortChosen(client, each), 0.0)
            self._say(client, OTHERS, 0.0)

    @property
    def state(self) -> game_state.GameState:
        """Return the state of the game, to be read only."""
        return self._game.state

    @property
    def alarm(self) -> Seconds | None:
        """Return when the clock of the game is to tick."""
        return self._game.state.clock.alarm

    @property
    def is_complete(self) -> bool:
        """Return whether the bot has ordered all that it must in this turn."""
        return self.state.turn.is_complete(self.power)

    @property
    def is_awaited(self) -> bool:
        """Return whether the turn waits for the bot: orders are due, or NOT (GOF)."""
        return self.power in self.state.turn.awaited

    @property
    def missing(self) -> int:
        """Return the number of the bot's missing orders: units, builds or removals."""
        match self.state.turn.missing(self.power):
            case messages.MissingUnits(units=units):
                return len(units)
            case messages.MissingRetreats(retreats=retreats):
                return len(retreats)
            case messages.MissingAdjustments(number=number):
                return abs(number)
            case _:
                return 0

    def accepted(self) -> tuple[Order, ...]:
        """Return the orders of the bot that count in this turn."""
        return tuple(
            order for order in self.state.turn.accepted() if owner(order) == self.power
        )

    def handle(self, event: events.GameEvent, now: Seconds) -> list[BotAnswer]:
        """Handle *event*, and return the messages that the bot is sent."""
        return [
            (client, message)
            for effect in self._game.handle(event, now)
            if isinstance(effect, events.Send)
            for client in effect.clients
            if client >= FIRST_BOT_CLIENT
            for message in effect.messages
        ]

    # The scripted clients

    def begin(self, now: Seconds) -> list[BotAnswer]:
        """Let the scripted clients accept the map: the game begins once the bot has."""
        accept = messages.AcceptMap(self._variant.name)
        return [*self._all_say(accept, now), *self._all_say(messages.Wait(), now)]

    def end_turn(self, now: Seconds) -> list[BotAnswer]:
        """Let the scripted clients hold: the turn ends if the bot is ready."""
        answers: list[BotAnswer] = []
        for power, client in self._clients.items():
            orders = [
                messages.SubmittedOrder(each, self._writer.order(each))
                for each in self._holds(power)
            ]
            if orders:
                submission = messages.SubmitOrders(None, tuple(orders))
                answers += self._say(client, submission, now)
        answers += self._all_say(messages.Go(), now)
        # Also in a turn in which they have nothing to order.
        return [*answers, *self._all_say(messages.Wait(), now)]

    def press(
        self, sender: Power, content: tokens.Tokens, now: Seconds, *, copies: int = 1
    ) -> list[BotAnswer]:
        """Let a scripted client send press to the bot, *copies* times."""
        message = messages.SendPress(None, (self.power,), content)
        answers: list[BotAnswer] = []
        for _ in range(copies):
            answers += self._say(self._clients[sender], message, now)
        return answers

    def turn_results(self) -> list[messages.ServerMessage]:
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
        """Return a game in *position*, and the messages about it to the bot.

        The bot has the same seat in it, and is not greeted again.
        """
        variant = evolve(self._variant, start=position)
        game = ScriptedGame(variant, self._options, self.power)
        game._say(client, OTHERS, now)
        game.begin(now)
        answers = game._say(client, messages.AcceptMap(self._variant.name), now)
        game._all_say(messages.Wait(), now)
        return game, [each for each in answers if isinstance(each[1], OPENING)]

    def greeting(self) -> messages.Hello:
        """Return the HLO of the bot."""
        return messages.Hello(self.power, SCENE_PASSCODE, self._options.as_hello())

    def _all_say(self, said: messages.ClientMessage, now: Seconds) -> list[BotAnswer]:
        return [
            answer
            for client in self._clients.values()
            for answer in self._say(client, said, now)
        ]

    def _say(
        self, client: ClientId, message: messages.ClientMessage, now: Seconds
    ) -> list[BotAnswer]:
        return self.handle(events.MessageReceived(client, message, ()), now)

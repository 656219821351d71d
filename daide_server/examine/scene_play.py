"""What a scene can do with a bot: talk, play turns, go to other positions."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from msgspec.structs import replace

from daide_server.board.names import Power
from daide_server.board.position import Position
from daide_server.board.turns import Phase
from daide_server.classes import define
from daide_server.game.events import ClientId, GameEvent
from daide_server.language.messages import (
    AcceptMap,
    AskMapDefinition,
    ClientMessage,
    MapName,
    Name,
    RefuseMap,
    ServerMessage,
    SubmitOrders,
)
from daide_server.language.text import from_text, to_text
from daide_server.language.tokens import Tokens
from daide_server.language.translation import ClientReader, LanguageError, Writer

from .contact import BotConnection, Contact, has_swapped_bytes
from .scene_log import Heard, SceneLog, Told, TurnSeen, is_refusal
from .scene_setup import Measures, SceneSetup
from .scripted_game import BotAnswer, ScriptedGame

# The clock of a scripted game, which stands still while no scene waits for orders


@define
class StoppableClock:
    """Game time: seconds in which the clock was running. Pure: *at* is an argument."""

    _elapsed: float = 0.0
    _since: float | None = None

    def read(self, at: float) -> float:
        """Return the game time."""
        running = 0.0 if self._since is None else at - self._since
        return self._elapsed + running

    def run(self, at: float) -> None:
        """Let the clock run."""
        if self._since is None:
            self._since = at

    def stop(self, at: float) -> None:
        """Let the clock stand still."""
        self._elapsed = self.read(at)
        self._since = None


# What is said to a bot, and what its game answers: words and tokens, and the time

BEFORE_ALARM: Final = 0.01
"""The game's time stops so short of an alarm: a scene decides when a turn ends."""

Override = Callable[[ClientMessage], Iterable[ServerMessage] | None]
"""Returns what to answer instead of the game, or `None`."""


class GameTalk(Contact):
    """One start of the bot, in which a game answers what it says."""

    def __init__(self, setup: SceneSetup, measures: Measures) -> None:
        super().__init__(setup, measures)
        self.options = measures.options(setup)
        self.game = ScriptedGame(self.variant, self.options, setup.power)
        self.override: Override = as_the_game
        self.mdf_delay = 0.0
        self._clock = StoppableClock()
        self._reader = ClientReader(
            self.vocabulary,
            self.variant.map,
            self.options.level,
            partial_draws=self.options.partial_draws,
        )
        self._writer = Writer(self.vocabulary)

    # Messages

    def say(self, *messages: ServerMessage) -> None:
        """Send messages to the bot, in one piece."""
        self._say(messages, 0.0)

    def name_tokens(self, message: ClientMessage) -> Tokens:
        """Return the tokens of a message, for REJ to quote."""
        return self._writer.write(message)

    def say_text(self, *texts: str) -> None:
        """Send messages that are given as text, such as `TME (5)`."""
        self.say_tokens(*(from_text(each, self.vocabulary) for each in texts))

    def say_tokens(self, *messages: Tokens) -> None:
        """Send any tokens to the bot, in one piece."""
        if self.connection is not None:
            self.connection.say(*messages)

    def take(self, connection: BotConnection, tokens: Tokens) -> None:
        """Answer a message of the bot, as the game does if the scene has no answer."""
        text = to_text(tokens, self.vocabulary)
        try:
            message = self._reader.read(tokens)
        except LanguageError as error:
            if has_swapped_bytes(tokens):
                text = f"(least significant byte first) {text}"
            self.note(Heard(self.seconds, connection.number, text, tokens, None))
            self.say(error.reply)
            return
        self.note(Heard(self.seconds, connection.number, text, tokens, message))
        self._heard(message, tokens)

    def lose(self, client: ClientId) -> None:
        """Tell the game that a connection has ended."""
        self._deliver(self.game.lose(client, self._now))

    def _heard(self, message: ClientMessage, tokens: Tokens) -> None:
        if isinstance(message, AcceptMap) and message.name == self.setup.map_name:
            message = replace(message, name=self.variant.name)
        if isinstance(message, Name):
            self.log.words.setdefault("name", f"{message.name} {message.version}")
        instead = self.override(message)
        if instead is None:
            answers = self.game.receive(self.client, message, tokens, self._now)
        else:
            answers = [(self.client, each) for each in instead]
        asks = isinstance(message, AskMapDefinition)
        self._deliver(answers, self.mdf_delay if asks else 0.0)

    def _deliver(self, answers: Sequence[BotAnswer], delay: float = 0.0) -> None:
        own = [self._renamed(each) for client, each in answers if client == self.client]
        self._say(own, delay)

    def _say(self, messages: Sequence[ServerMessage], delay: float) -> None:
        if self.connection is None or not messages:
            return
        written = [(each, self._writer.write(each)) for each in messages]
        for each, tokens in written:
            refusal = to_text(tokens, self.vocabulary) if is_refusal(each) else ""
            self.note(Told(self.seconds, self.connection.number, each, refusal))
        self.connection.say(
            *(tokens for _, tokens in written), delay=delay * self.measures.slowness
        )

    def _renamed(self, message: ServerMessage) -> ServerMessage:
        if isinstance(message, MapName) and self.setup.map_name is not None:
            return MapName(self.setup.map_name)
        return message

    # Time

    @property
    def _elapsed(self) -> float:
        return self._clock.read(self.seconds)

    @property
    def _now(self) -> float:
        """The time for the game, which never reaches the deadline of a turn."""
        alarm = self.game.alarm
        now = self._elapsed if alarm is None else min(self._elapsed, alarm)
        return now - BEFORE_ALARM


def as_the_game(_: ClientMessage) -> None:
    """Answer as the game does."""


class ScenePlay(GameTalk):
    """One start of the bot, over which scenes are played one after the other."""

    def __init__(self, setup: SceneSetup, measures: Measures) -> None:
        super().__init__(setup, measures)
        self._turn_began = 0.0
        self._says_go = True

    # Joining

    async def join(self) -> bool:
        """Wait until the bot has answered MAP; return whether it said YES."""
        await self.until(self._has_answered_map, self.measures.start_seconds)
        name = self.setup.map_name or self.variant.name
        accepted = [each.name.casefold() for each in self.log.said(AcceptMap)]
        self.log.is_joined = name.casefold() in accepted
        return self.log.is_joined

    def _has_answered_map(self) -> bool:
        return any(self.log.said(AcceptMap)) or any(self.log.said(RefuseMap))

    def begin(self) -> None:
        """Begin the game: HLO, SCO, NOW and TME."""
        answers = self.game.begin(self._now)
        self._run_clock()
        self._deliver(answers)

    # Turns

    @property
    def next_year(self) -> int:
        """Return the year of the next position that is staged."""
        return self.game.state.position.turn.year + 1

    def fresh(self) -> None:
        """Go on from the first position of the board, in another year."""
        start = self.variant.start
        turn = replace(start.turn, year=self.next_year)
        self.stage(replace(start, turn=turn))

    def renew(self, log: SceneLog) -> None:
        """Begin another scene: nothing is left of what the one before has changed."""
        self.log, self.override, self.mdf_delay = log, as_the_game, 0.0
        self.may_close = self.refuses_connections = False
        if self.connection is not None:
            self.connection.pace = self.setup.pace

    def stage(self, position: Position) -> None:
        """Go on from another position: the ORD of the turn before, SCO, NOW and TME.

        A bot may wait for each ORD before it believes in a new turn.
        """
        self.say(*self.game.turn_results())
        self.game, answers = self.game.at(position, self.client, self._now)
        self._run_clock()
        self._deliver(answers)

    def end_turn(self) -> None:
        """Let the other powers order, so that the turn is processed: ORD to NOW."""
        answers = self.game.end_turn(self._now)
        self._run_clock()
        self._deliver(answers)

    def press(self, sender: str, content: Tokens, copies: int = 1) -> None:
        """Let another power send press to the bot."""
        power, now = Power(sender), self._now
        self._deliver(self.game.press(power, content, now, copies=copies))

    def happen(self, event: GameEvent) -> None:
        """Let something happen to the game."""
        self._deliver(self.game.handle(event, self._now))

    def leave(self, power: str) -> None:
        """Let another power lose its connection (CCD)."""
        self._deliver(self.game.leave(Power(power), self._now))

    @property
    def turn_seconds(self) -> float:
        """Return how long the bot is waited for in a movement turn."""
        return self.measures.limit(self.options, Phase.MOVEMENT)

    async def orders(self, *, awaited: bool = False) -> TurnSeen:
        """Wait until the bot has ordered all that is due, and stop the clock.

        With *awaited* it must not have asked to wait either.
        """
        game, began = self.game, self._turn_began
        turn, due = game.state.position.turn, game.missing
        limit = self.measures.limit(self.options, turn.phase)

        def is_done() -> bool:
            return not game.is_awaited if awaited else game.is_complete

        await self._tick_until(is_done, began + limit)
        taken = self._elapsed - began
        await self._second_thoughts(began + limit)
        self._clock.stop(self.seconds)
        missing = 0 if game.is_complete else game.missing
        seen = TurnSeen(
            turn,
            due,
            missing,
            taken,
            limit,
            is_awaited=game.is_awaited,
            unfinished="" if self.connection is None else self.connection.unfinished,
        )
        self.note(seen)
        return seen

    async def submitted(self, known: int = 0) -> bool:
        """Wait for a SUB after the first *known* ones; return whether it came."""

        def has_more() -> bool:
            return len(self.log.said(SubmitOrders)) > known

        await self._tick_until(has_more, self._turn_began + self.turn_seconds)
        return has_more()

    async def _second_thoughts(self, end: float) -> None:
        """Wait for GOF if the bot has ordered all and said NOT (GOF)."""
        if self.game.is_complete and self.game.is_awaited and self._says_go:
            await self._tick_until(lambda: not self.game.is_awaited, end)
            # A bot that never says it is not waited for again.
            self._says_go = not self.game.is_awaited

    async def _tick_until(self, is_done: Callable[[], bool], end: float) -> None:
        """Wait, and send the TME that the bot has requested, also meanwhile."""
        while not (is_done() or self.is_gone):
            alarm, now = self.game.alarm, self._elapsed
            rings = alarm is not None and now < alarm < end - 2 * BEFORE_ALARM
            until = alarm if rings and alarm is not None else end

            def is_changed(alarm: float | None = alarm) -> bool:
                return is_done() or self.game.alarm != alarm

            margin = 0.0 if rings else self.measures.margin
            if await self.until(is_changed, max(until - now, 0.0) + margin):
                continue
            if not rings:
                return
            self._deliver(self.game.tick(until))

    def resume_clock(self) -> None:
        """Let the time of the turn run on after `orders`."""
        self._clock.run(self.seconds)

    def _run_clock(self) -> None:
        self._clock.run(self.seconds)
        self._turn_began = self._elapsed

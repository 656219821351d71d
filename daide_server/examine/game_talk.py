"""What is said to a bot, and what its game answers: words and tokens, and the time."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from msgspec.structs import replace

from daide_server.game.events import ClientId
from daide_server.language.messages import (
    AcceptMap,
    AskMapDefinition,
    ClientMessage,
    MapName,
    Name,
    ServerMessage,
)
from daide_server.language.text import from_text, to_text
from daide_server.language.tokens import Tokens
from daide_server.language.translation import ClientReader, LanguageError, Writer

from .bot_connection import BotConnection, has_swapped_bytes
from .contact import Contact
from .game_clock import StoppableClock
from .measures import Measures
from .scene_log import Heard, Told, is_refusal
from .scene_setup import SceneSetup
from .scripted_game import BotAnswer, ScriptedGame

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

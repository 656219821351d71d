"""A conversation with one start of a bot: messages, turns, other positions.

A scene is played over it. The game answers the bot where the scene does not.
"""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

import trio
from attrs import evolve
from msgspec.structs import replace

from daide_server.board.map import Phase, Position
from daide_server.board.names import Power
from daide_server.daide import messages, translation
from daide_server.daide.tokens import Tokens
from daide_server.daide.vocabulary import Vocabulary, from_text, to_text
from daide_server.game import events
from daide_server.game.events import ClientId
from daide_server.library.archive import TraceFile

from . import programs, scene_log, scripted_game

BEFORE_ALARM = 0.01
"""Seconds before an alarm at which the game's time stops: only a scene ends a turn."""

Override = Callable[[messages.ClientMessage], Iterable[messages.ServerMessage] | None]
"""Returns what to answer instead of the game, or `None`."""

TRACED_BYTES = 16 << 20
"""Maximum bytes of the conversation in one start that are stored."""


def as_the_game(_: messages.ClientMessage) -> None:
    """Answer as the game does."""


class BotConversation:
    """A bot that was started, its connections one after the other, and its game.

    Seconds in arguments are those of an idle machine: they are stretched by the
    slowness that was measured.
    """

    def __init__(
        self,
        setup: scripted_game.SceneSetup,
        measures: scripted_game.Measures,
        trace: Path | None = None,
    ) -> None:
        """Keep the conversation, over all connections, in the file *trace*."""
        self.log = scene_log.SceneLog()
        self.setup: Final = setup
        self.measures: Final = measures
        self.variant: Final = scripted_game.variant_of(setup)
        self.vocabulary: Final = Vocabulary.of(self.variant.map)
        self.bot: programs.BotRun | None = None
        self.connection: programs.BotConnection | None = None
        """The newest connection."""
        self.trace: TraceFile | None = None
        if trace is not None:
            self.trace = TraceFile(
                trace, TRACED_BYTES, lambda: int(self.seconds * 1000)
            )
        self.may_close = False
        """Whether to keep waiting when the connection is closed."""
        self.refuses_connections = False
        """Whether new connections are noted, and closed immediately."""
        self._opened: Final = trio.current_time()
        self._changed = trio.Event()
        self._count = 0
        self.options = measures.options(setup)
        self.game = scripted_game.ScriptedGame(self.variant, self.options, setup.power)
        self.override: Override = as_the_game
        self._elapsed_before = 0.0
        self._running_since: float | None = None
        """The start on the game's clock, which is stopped while no scene waits for
        orders."""
        self._reader = translation.ClientReader(
            self.vocabulary,
            self.variant.map,
            self.options.level,
            partial_draws=self.options.partial_draws,
        )
        self._writer = translation.Writer(self.vocabulary)
        self._turn_began = 0.0
        self._says_go = True

    # Time

    @property
    def seconds(self) -> float:
        """Return the seconds since the bot was started, as on an idle machine."""
        return (trio.current_time() - self._opened) / self.measures.slowness

    async def sleep(self, seconds: float) -> None:
        """Let time pass, while the bot runs."""
        await trio.sleep(seconds * self.measures.slowness)

    async def until(self, condition: Callable[[], bool], seconds: float) -> bool:
        """Wait until *condition* holds, or *seconds*; return whether it does."""
        with trio.move_on_after(seconds * self.measures.slowness):
            while not (condition() or self.is_gone):
                await self._changed.wait()
        return condition()

    async def until_said(
        self, seconds: float, *kinds: type[messages.ClientMessage]
    ) -> bool:
        """Wait at most *seconds* for a message of these *kinds*; return if it came."""
        return await self.until(lambda: any(map(self.log.said, kinds)), seconds)

    async def until_exit(self, seconds: float) -> None:
        """Wait at most *seconds* for the end of a bot that closed its connection.

        When a process ends, its connection is closed a moment earlier.
        """
        lost = self.log.lost
        if lost is None or lost.fault or self.is_there:
            return
        with trio.move_on_after(seconds * self.measures.slowness):
            while self.log.exit is None:
                await self._changed.wait()

    @property
    def is_gone(self) -> bool:
        """Return whether nothing more can come from the bot."""
        if self.log.exit is not None:
            return True
        return self.connection is not None and not self.is_there and not self.may_close

    @property
    def is_there(self) -> bool:
        """Return whether the bot is connected."""
        return self.connection is not None and self.connection.is_open

    # Observations

    def note(self, entry: scene_log.LogEntry) -> None:
        """Add *entry* to the log, and wake the tasks that wait for it."""
        self.log.add(entry)
        self._changed.set()
        self._changed = trio.Event()

    async def watch(self, run: programs.BotRun) -> None:
        """Note when the bot's process ends."""
        self.bot = run
        self.note(scene_log.Exited(self.seconds, await run.wait()))

    # Connections

    @property
    def client(self) -> ClientId:
        """Return the number of the newest connection in the game."""
        return ClientId(scripted_game.FIRST_BOT_CLIENT + self._count)

    async def serve(self, nursery: trio.Nursery, stream: trio.abc.Stream) -> None:
        """Talk with the bot over one connection, until it is closed."""
        if self.refuses_connections:
            self.note(scene_log.Opened(self.seconds, self._count + 1))
            await trio.aclose_forcefully(stream)
            return
        self._count += 1
        connection = programs.BotConnection(
            self._count, stream, self.setup.representation(self.vocabulary)
        )
        setup, client = self.setup, self.client
        own = setup.rm_delay
        connection.rm_delay = self.measures.rm_delay if own is None else own
        connection.pace, connection.has_garbage = setup.pace, setup.padding
        connection.trace = self.trace
        self.connection = connection
        self.note(scene_log.Opened(self.seconds, connection.number))
        async with stream:
            nursery.start_soon(connection.write)
            await connection.read(self._take)
            # Before any other task runs, which would find it closed without a reason.
            by_bot, fault = connection.closed_by_bot, connection.fault
            self._deliver(self.game.handle(events.ClientLeft(client), self._now))
            self.note(scene_log.Closed(self.seconds, connection.number, by_bot, fault))
            await connection.close()

    async def cut(self) -> None:
        """Close the connection, without a word; the bot may connect again."""
        self.may_close = True
        if self.connection is not None:
            await self.connection.close()

    # Messages

    def say(self, *sent: messages.ServerMessage, delay: float = 0.0) -> None:
        """Send messages to the bot, in one piece, *delay* seconds later."""
        if self.connection is None or not sent:
            return
        written = [self._writer.write(each) for each in sent]
        for each, tokens in zip(sent, written, strict=True):
            is_refusal = scene_log.is_refusal(each)
            refusal = to_text(tokens, self.vocabulary) if is_refusal else ""
            self.note(
                scene_log.Told(self.seconds, self.connection.number, each, refusal)
            )
        self.connection.say(*written, delay=delay * self.measures.slowness)

    def tokens_of(self, message: messages.ClientMessage) -> Tokens:
        """Return the tokens of a message, for answers to quote."""
        return self._writer.write(message)

    def rejected(self, message: messages.ClientMessage) -> messages.Rejected:
        """Return the REJ that refuses *message*."""
        return messages.Rejected(self.tokens_of(message))

    def say_text(self, *texts: str) -> None:
        """Send messages that are given as text, such as `TME (5)`."""
        self.say_tokens(*(from_text(each, self.vocabulary) for each in texts))

    def say_tokens(self, *sent: Tokens) -> None:
        """Send any tokens to the bot, in one piece."""
        if self.connection is not None:
            self.connection.say(*sent)

    def _take(self, connection: programs.BotConnection, tokens: Tokens) -> None:
        """Answer a message of the bot, as the game does if the scene has no answer."""
        heard = scene_log.Heard(
            self.seconds, connection.number, to_text(tokens, self.vocabulary), tokens
        )
        try:
            message = self._reader.read(tokens)
        except translation.LanguageError as error:
            if programs.has_swapped_bytes(tokens):
                heard = evolve(
                    heard, text=f"(least significant byte first) {heard.text}"
                )
            self.note(heard)
            self.say(error.reply)
        else:
            self.note(evolve(heard, message=message))
            self._heard(message, tokens)

    def _heard(self, message: messages.ClientMessage, tokens: Tokens) -> None:
        if (
            isinstance(message, messages.AcceptMap)
            and message.name == self.setup.map_name
        ):
            message = replace(message, name=self.variant.name)
        if isinstance(message, messages.Name):
            self.log.words.setdefault("name", f"{message.name} {message.version}")
        instead = self.override(message)
        if instead is None:
            received = events.MessageReceived(self.client, message, tokens)
            answers = self.game.handle(received, self._now)
        else:
            answers = [(self.client, each) for each in instead]
        asks = isinstance(message, messages.AskMapDefinition)
        self._deliver(answers, self.setup.mdf_delay if asks else 0.0)

    def _deliver(
        self, answers: Sequence[scripted_game.BotAnswer], delay: float = 0.0
    ) -> None:
        own = [self._renamed(each) for client, each in answers if client == self.client]
        self.say(*own, delay=delay)

    def _renamed(self, message: messages.ServerMessage) -> messages.ServerMessage:
        if isinstance(message, messages.MapName) and self.setup.map_name is not None:
            return messages.MapName(self.setup.map_name)
        return message

    # Time of the game

    @property
    def _elapsed(self) -> float:
        since = self._running_since
        running = 0.0 if since is None else self.seconds - since
        return self._elapsed_before + running

    @property
    def _now(self) -> float:
        """The time for the game, which never reaches the deadline of a turn."""
        alarm = self.game.alarm
        now = self._elapsed if alarm is None else min(self._elapsed, alarm)
        return now - BEFORE_ALARM

    # Joining

    async def join(self) -> bool:
        """Wait until the bot has answered MAP; return whether it said YES."""
        answers = messages.AcceptMap, messages.RefuseMap
        await self.until_said(self.measures.start_seconds, *answers)
        name = self.setup.map_name or self.variant.name
        accepted = [each.name.casefold() for each in self.log.said(messages.AcceptMap)]
        self.log.is_joined = name.casefold() in accepted
        return self.log.is_joined

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
        """Continue from the first position of the board, in another year."""
        start = self.variant.start
        turn = replace(start.turn, year=self.next_year)
        self.stage(replace(start, turn=turn))

    def renew(self, log: scene_log.SceneLog) -> None:
        """Begin another scene, without anything left of the previous one."""
        self.log, self.override = log, as_the_game
        self.may_close = self.refuses_connections = False
        if self.connection is not None:
            self.connection.pace = self.setup.pace

    def stage(self, position: Position) -> None:
        """Continue from another position: the ORD of the turn before, SCO, NOW and TME.

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

    async def orders(self, *, until_go: bool = False) -> scene_log.TurnSeen:
        """Wait until the bot has sent all orders that are due, then stop the clock.

        With *until_go* it must also not keep the turn open by NOT (GOF).
        """
        game, began, used = self.game, self._turn_began, self._processor_seconds()
        turn, due = game.state.position.turn, game.missing
        limit = self.measures.limit(self.options, turn.phase)

        def is_done() -> bool:
            return not game.is_awaited if until_go else game.is_complete

        await self._tick_until(is_done, began + limit)
        taken = self._elapsed - began
        await self._second_thoughts(began + limit)
        self._elapsed_before, self._running_since = self._elapsed, None
        seen = scene_log.TurnSeen(
            turn,
            due,
            0 if game.is_complete else game.missing,
            taken,
            limit,
            is_awaited=game.is_awaited,
            unfinished="" if self.connection is None else self.connection.unfinished,
            busy=(self._processor_seconds() - used) / max(taken, BEFORE_ALARM),
        )
        self.note(seen)
        return seen

    def _processor_seconds(self) -> float:
        return 0.0 if self.bot is None else self.bot.usage().wanted_seconds

    async def fresh_orders(self) -> scene_log.TurnSeen:
        """Play one turn from the first position of the board."""
        self.fresh()
        return await self.orders()

    async def submitted(self, known: int = 0) -> bool:
        """Wait for a SUB after the first *known* ones; return whether it came."""

        def has_more() -> bool:
            return len(self.log.said(messages.SubmitOrders)) > known

        limit = self.measures.limit(self.options, Phase.MOVEMENT)
        await self._tick_until(has_more, self._turn_began + limit)
        return has_more()

    async def _second_thoughts(self, end: float) -> None:
        """Wait for GOF if the bot has ordered everything and sent NOT (GOF)."""
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
            self._deliver(self.game.handle(events.ClockTicked(), until))

    def resume_clock(self) -> None:
        """Let the time of the turn continue after `orders`."""
        if self._running_since is None:
            self._running_since = self.seconds

    def _run_clock(self) -> None:
        self.resume_clock()
        self._turn_began = self._elapsed

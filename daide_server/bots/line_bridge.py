"""The bridge between a DAIDE server and a bot that speaks JSON lines on two pipes.

`lines.line_session` decides; this module does I/O and timing. One task reads the bot,
one reads the server, and one writes to each, so that neither side waits for the other.
After a lost connection it returns by IAM, as `entering` does for all built-in bots.
"""

from collections.abc import Iterable
from contextlib import suppress
from math import inf
from typing import Final, Generic, TypeVar

import trio
from attrs import evolve

from daide_server.bots.lines import line_game
from daide_server.bots.lines.line_session import BotStage, LineSession
from daide_server.bots.lines.line_types import OverLine, write_line
from daide_server.daide.messages import BackInControl, InDisorder, LoadGame, Rejoin
from daide_server.daide.tokens import Tokens
from daide_server.usage import TurnUsage

from . import bot_pipes
from .bot_pipes import BotPipes, BridgeSettings
from .conversation import Conversation, JoinRequest
from .entering import Entrance, return_after
from .errors import ClientError, EndlessLineError, LoadRequestedError
from .view import OBSERVER, BotEvent, Returned, Unreadable, View

# Data to be written: put in at any time, taken by the writer task

WaitingT = TypeVar("WaitingT")

MAX_WAITING = 16 << 20
"""The limit for unsent output, in bytes of lines or in tokens."""


class Outflow(Generic[WaitingT]):
    """Items in their order, for one task that writes."""

    def __init__(self) -> None:
        self._items: list[WaitingT] = []
        self._size = 0
        self._closed = False
        self._changed = trio.Event()

    def put(self, item: WaitingT, size: int) -> bool:
        """Add *item*, if not closed; return false if there is no room for *size*."""
        if self._closed:
            return True
        has_room = self._size + size <= MAX_WAITING
        if has_room:
            self._items.append(item)
            self._size += size
            self._changed.set()
        return has_room

    def clear(self) -> None:
        """Drop what waits."""
        self._items, self._size = [], 0

    def close(self) -> None:
        """Let `take` return the waiting data, and then the end."""
        self._closed = True
        self._changed.set()

    async def take(self) -> list[WaitingT]:
        """Wait for items and return all of them; none once it is closed and empty."""
        while not self._items and not self._closed:
            self._changed = trio.Event()
            await self._changed.wait()
        found = self._items
        self.clear()
        return found


TOLD_AT_THE_START = (View, InDisorder, BackInControl)
"""Events before the start of a game that its first lines contain."""


class Bridge:
    """One bot, from its first line to its last game."""

    def __init__(
        self, pipes: BotPipes, session: LineSession, settings: BridgeSettings
    ) -> None:
        self.reason: str | None = None
        """Why the last game was cut off; `None`: it ended, or the bot left it."""
        self._pipes: Final = pipes
        self._session: Final = session
        self._settings: Final = settings
        self._ready: Final = trio.Event()
        self._serving: Final = trio.CancelScope()
        self._to_bot: Final = Outflow[bytes]()
        self._to_server: Final = Outflow[Tokens]()
        self._sending: Final = trio.Lock()
        self._conversation: Conversation | None = None
        self._alarm: float | None = None
        self._alarm_changed = trio.Event()

    async def run(self) -> None:
        """Play until the bot closes its output; its input is closed after the end."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._write_to_bot)
            nursery.start_soon(self._write_to_server)
            nursery.start_soon(self._ring)
            nursery.start_soon(self._serve_and_end, nursery.cancel_scope)
            self._do([self._session.hello()])
            try:
                await self._read_bot()
            finally:
                # Also if this is cancelled: a child of the bot may hold its output.
                self._note_end_of_bot()
            nursery.cancel_scope.cancel()

    def _note_end_of_bot(self) -> None:
        if self._session.stage is not BotStage.OVER and not self._session.is_over:
            is_loading = self._session.stage is BotStage.LOADING
            what = "it was ready" if is_loading else "the game was over"
            self.reason = self.reason or f"the bot ended before {what}"

    # The bot

    async def _read_bot(self) -> None:
        """Take the bot's lines until it closes its output."""
        try:
            async for line in self._pipes.lines():
                self._do(self._session.from_bot(line, trio.current_time()))
        except EndlessLineError as error:
            self._break_off(str(error))

    async def _write_to_bot(self) -> None:
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            while lines := await self._to_bot.take():
                await self._pipes.to_bot.send_all(b"".join(lines))
        await self._pipes.to_bot.aclose()

    # What the session wants

    def _do(self, effects: Iterable[line_game.LineEffect]) -> None:
        for effect in effects:
            match effect:
                case line_game.Transmit(messages=messages):
                    self._transmit(messages)
                case line_game.Remark(text=text):
                    self._settings.retries.report(text)
                case line_game.Join():
                    self._ready.set()
                case line_game.LeaveGame():
                    self._serving.cancel()
                case TurnUsage():
                    self._settings.used(effect)
                case line_game.BreakOff(reason=reason):
                    self._break_off(reason)
                case OverLine():
                    stopped = effect.result == "stopped"
                    self.reason = "the game was broken off" if stopped else None
                    self._tell(write_line(effect))
                case _:
                    self._tell(write_line(effect))
        if self._alarm != self._session.alarm:
            self._alarm_changed.set()

    def _tell(self, line: bytes) -> None:
        if not self._to_bot.put(line, len(line)):
            self._break_off("the bot does not read its standard input")

    def _transmit(self, messages: Iterable[Tokens]) -> None:
        if not all(self._to_server.put(each, len(each)) for each in messages):
            self._break_off("the bot sends more than the server takes")

    def _break_off(self, reason: str) -> None:
        self.reason = reason
        self._serving.cancel()

    async def _ring(self) -> None:
        while True:
            self._alarm, self._alarm_changed = self._session.alarm, trio.Event()
            with trio.move_on_at(inf if self._alarm is None else self._alarm):
                await self._alarm_changed.wait()
            self._do(self._session.tick(trio.current_time()))

    # The server

    async def _serve_and_end(self, running: trio.CancelScope) -> None:
        """Play the games; then the bot has some seconds to close its output."""
        await self._serve()
        is_broken = self.reason is not None
        await trio.sleep(
            bot_pipes.BROKEN_SECONDS if is_broken else bot_pipes.END_SECONDS
        )
        running.cancel()

    async def _serve(self) -> None:
        """Play the games, then end the bot's input."""
        try:
            with self._serving:
                await self._await_ready()
                await self._play_games()
        except ClientError as error:
            self._do(self._session.broken_off())
            self.reason = str(error)
        finally:
            if self._conversation is not None:
                await self._conversation.link.aclose()
            self._to_bot.close()

    async def _await_ready(self) -> None:
        seconds = self._settings.ready_seconds
        with trio.move_on_after(seconds):
            await self._ready.wait()
            return
        self._break_off(
            f"the bot has not said ready within {seconds:g} s; "
            "does it flush its output after each line?"
        )
        await trio.lowlevel.checkpoint()

    async def _play_games(self) -> None:
        settings, ready = self._settings, self._session.ready
        assert ready is not None
        entrance = settings.entrance(ready)
        entry = settings.seat or settings.new_entry(ready)
        await self._play(await entrance.enter(entry), entrance, entry)
        seconds = min(bot_pipes.NEXT_GAME_SECONDS, settings.retries.return_seconds)
        brief = evolve(settings.retries, return_seconds=seconds)
        entrance = evolve(entrance, retries=brief)
        while self._session.stage is BotStage.JOINING:
            entry = settings.new_entry(ready)
            try:
                conversation = await entrance.enter(entry)
            except ClientError as error:
                settings.retries.report(f"no other game: {error}")
                break
            await self._play(conversation, entrance, entry)

    async def _play(
        self, conversation: Conversation, entrance: Entrance, entry: JoinRequest
    ) -> None:
        """Play one game to its end; raises `ClientError`."""
        known, resumed = conversation.knowledge, isinstance(entry, Rejoin)
        resumed = resumed or conversation.is_return
        if known.power != OBSERVER:
            self._settings.seated(Rejoin(known.power, known.passcode))
        words, now = conversation.link.vocabulary, trio.current_time()
        self._enter(conversation)
        self._do(self._session.joined(known, words, now, resumed=resumed))
        self._hear_all(conversation)
        while self._session.stage is BotStage.PLAYING:
            try:
                await self._listen(self._playing)
            except ClientError as error:
                await self._recover(error, entrance)
        await self._playing.link.aclose()

    @property
    def _playing(self) -> Conversation:
        assert self._conversation is not None
        return self._conversation

    def _enter(self, conversation: Conversation) -> None:
        """Use a new connection; unsent messages of the previous one are dropped."""
        self._conversation = conversation
        self._to_server.clear()

    def _hear_all(self, conversation: Conversation) -> None:
        """Handle the messages that arrived while the game was being entered."""
        for event in conversation.events:
            if not isinstance(event, TOLD_AT_THE_START):
                self._hear(event)

    def _hear(self, event: BotEvent) -> None:
        if isinstance(event, Unreadable):
            self._do(self._session.unreadable(event.tokens))
        elif not isinstance(event, View | Returned):
            self._do(self._session.from_server(event, trio.current_time()))

    async def _listen(self, conversation: Conversation) -> None:
        received = await conversation.link.receive()
        if isinstance(received, LoadGame):
            raise LoadRequestedError(received.name)
        self._hear(received)

    async def _recover(self, error: ClientError, entrance: Entrance) -> None:
        """Return to the seat, unless the game is over; raises `ClientError`."""
        conversation = self._playing
        known = conversation.knowledge
        if known.over:
            self._do(self._session.broken_off())
            return
        if known.power == OBSERVER:
            raise error
        if not isinstance(error, LoadRequestedError):
            # This wakes tasks that are sending on it.
            await conversation.link.aclose()
        async with self._sending:
            returned = await return_after(
                error, conversation.link, known, entrance.return_to_seat
            )
        if returned is None:
            return
        self._enter(returned)
        words, now = returned.link.vocabulary, trio.current_time()
        self._do(self._session.returned(returned.knowledge, words, now))
        self._hear_all(returned)

    async def _write_to_server(self) -> None:
        while messages := await self._to_server.take():
            link = self._playing.link
            async with self._sending:
                # A lost connection loses them; the reader reports it.
                with suppress(trio.ClosedResourceError):
                    await link.send_tokens(*messages)

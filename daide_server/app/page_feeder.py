"""From the games of a server to the feed of the page: views, made by the worker.

A game that has changed is sent to the worker with its new entries, and comes back as
views. While one is made, changes of others wait, and several of one game are one: the
page may be a little late, the games never are.
"""

import time
from collections.abc import Callable, Iterable
from functools import partial
from typing import Final

import msgspec
import trio
from attrs import frozen, mutable

from daide_server.game.awaited import awaited
from daide_server.lobby.directory import GameId
from daide_server.records.entries import Began, TurnResolved
from daide_server.records.secrecy import PressPolicy
from daide_server.reports.turn_views import turn_id
from daide_server.reports.views import StatusView
from daide_server.server.game_runner import GameRunner
from daide_server.storage.record_index import RecordIndex
from daide_server.web.feed import Feed, PublicGame
from daide_server.web.view_jobs import (
    EntriesMissing,
    JobFailed,
    RunningGameJob,
    RunningGameViews,
)
from daide_server.web.view_maker import ViewMaker

from .page_sink import PageSink

STATUS_SECONDS: Final = 1.0
"""How often it is asked whom the games wait for."""
LOBBY_SECONDS: Final = 0.5
"""How often the first page gets what has changed."""
INDEXED_SECONDS: Final = 600.0
"""How long a finished game is kept for the index to find its record."""


@mutable(eq=False)
class FedGame:
    """A game, and how much of it the feed has."""

    runner: GameRunner
    public: PublicGame | None = None
    known: int = 0
    """How many entries the worker has."""
    turn_began: float = 0.0
    """On the game's clock."""
    opened: float = 0.0
    """When that clock stood at zero, in seconds since 1970."""


@frozen
class FeederParts:
    """What a feeder works with."""

    feed: Feed
    maker: ViewMaker
    index: RecordIndex
    policy: PressPolicy
    board: str
    runners: Callable[[], Iterable[GameRunner]]
    """Returns the games that are open."""
    records_changed: Callable[[], None]
    """Called when there is a new record."""


class PageFeeder:
    """Keeps the feed up to date with the games."""

    def __init__(self, parts: FeederParts, sink: PageSink) -> None:
        self._parts: Final = parts
        self._sink: Final = sink
        self._games: Final[dict[GameId, FedGame]] = {}
        self._cards: Final[dict[str, bytes]] = {}
        """What the first page has yet to get."""

    async def run(self) -> None:
        """Feed the page until cancelled."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._show_statuses)
            nursery.start_soon(self._publish_cards)
            while True:
                number = await self._sink.next_game()
                game = self._find(number)
                if game is not None:
                    await self._update(game)
                if self._sink.stored.pop(number, None) is not None:
                    self._parts.records_changed()
                    nursery.start_soon(self._close_when_indexed, number)

    def _find(self, number: GameId) -> FedGame | None:
        """Return a game that has begun."""
        if number not in self._games:
            runners = (each for each in self._parts.runners() if each.number == number)
            runner = next(runners, None)
            if runner is None or not _has_begun(runner):
                return None
            opened = time.time() - runner.seconds
            self._games[number] = FedGame(runner, opened=opened)
        return self._games[number]

    async def _update(self, game: FedGame) -> None:
        """Publish what is new in *game*."""
        answer = await self._parts.maker.ask(self._job(game))
        if isinstance(answer, EntriesMissing):
            game.known = 0
            answer = await self._parts.maker.ask(self._job(game))
        if isinstance(answer, RunningGameViews):
            self._publish(game, answer)
        elif isinstance(answer, JobFailed):
            # The next turn tries again; the worker may have been started anew.
            game.known = 0

    def _job(self, game: FedGame) -> RunningGameJob:
        runner, parts = game.runner, self._parts
        entries = tuple(runner.entries)
        job = RunningGameJob(
            game=runner.identity.record,
            board=parts.board,
            offset=game.known,
            entries=entries[game.known :],
            started=runner.identity.opened,
            metadata=runner.identity.metadata,
            policy=parts.policy,
            now=runner.seconds,
        )
        turns = (
            entry.seconds
            for entry in reversed(job.entries)
            if isinstance(entry, Began | TurnResolved)
        )
        game.turn_began = next(turns, game.turn_began)
        game.known = len(entries)
        return job

    def _publish(self, game: FedGame, views: RunningGameViews) -> None:
        feed, name = self._parts.feed, game.runner.identity.record
        if game.public is None:
            game.public = feed.open_game(name, after=views.events)
            views = RunningGameViews(
                views.page, views.summary, (), views.open, (), views.events
            )
        public = game.public
        public.page, public.card = views.page, views.summary
        for turn in views.turns:
            public.channel.publish("turn", turn)
        for said in views.press:
            public.channel.publish("press", said)
        if views.open:
            public.channel.show("open", views.open)
            self._show_status(game)
        else:
            public.is_running = False
            public.channel.publish("end", views.page)
        self._cards[name] = views.summary

    async def _publish_cards(self) -> None:
        """Publish for the first page what has changed, twice a second at most."""
        while True:
            await trio.sleep(LOBBY_SECONDS)
            if self._cards:
                cards = b"[%s]" % b",".join(self._cards.values())
                self._cards.clear()
                self._parts.feed.lobby.publish("games", cards)

    async def _show_statuses(self) -> None:
        """Show what games wait for; find those from a journal, a save, a renewal."""
        while True:
            await trio.sleep(STATUS_SECONDS)
            for runner in self._parts.runners():
                if runner.number not in self._games and runner.game.state.is_running:
                    self._sink.note(runner.number)
            for game in tuple(self._games.values()):
                self._show_status(game)

    def _show_status(self, game: FedGame) -> None:
        if game.public is not None and game.runner.game.state.ending is None:
            status = msgspec.json.encode(status_of(game))
            game.public.status = status
            game.public.channel.show("status", status)

    async def _close_when_indexed(self, number: GameId) -> None:
        """Leave a finished game to the index, as soon as that has it."""
        game = self._games.pop(number, None)
        if game is None:
            return
        name = game.runner.identity.record
        with trio.move_on_after(INDEXED_SECONDS):
            find = partial(self._parts.index.game, name)
            while await trio.to_thread.run_sync(find) is None:  # noqa: ASYNC110
                # Another process indexes it.
                await trio.sleep(STATUS_SECONDS)
        self._parts.feed.close_game(name)


def _has_begun(runner: GameRunner) -> bool:
    return any(isinstance(entry, Began) for entry in runner.entries)


def status_of(game: FedGame) -> StatusView:
    """Return what a running game waits for: who owes orders, but never which."""
    now, state = game.runner.seconds, game.runner.game.state
    found = awaited(state)
    orders = state.turn.orders
    owing = (
        power
        for power in state.variant.map.powers
        if power in state.turn.survivors and not orders.are_ready({power})
    )
    timer = state.clock.timer
    left = timer.left(now) if timer.kept is None else None
    return StatusView(
        turn=turn_id(state.position.turn),
        stage=state.stage.name.lower(),
        owing=tuple(owing),
        vacant=() if found is None else found.vacant,
        since=round(game.opened + game.turn_began, 1),
        until=None if left is None else round(game.opened + now + left, 1),
    )

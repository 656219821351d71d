"""From running games to the feed of the page: views, made by the worker.

A game that has changed is sent to the worker with its new entries, and comes back as
views. While one is made, changes of others wait, and several of one game are one: the
page may be a little late, the games never are.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import inf
from typing import Final

import msgspec
import trio
from attrs import evolve
from msgspec import structs

from daide_server.classes import define
from daide_server.records.entries import (
    Began,
    DrawVoted,
    PressSent,
    RecordEntry,
    TurnResolved,
)
from daide_server.records.secrecy import PressPolicy, PressShown
from daide_server.storage.record_index import GAME_SUMMARIES, RecordIndex

from .feed import Feed, PublicGame
from .view_jobs import EntriesMissing, JobFailed, RunningGameJob, RunningGameViews
from .view_maker import ViewMaker

LOBBY_SECONDS: Final = 0.5
"""How often the first page gets what has changed."""
INDEXED_SECONDS: Final = 600.0
"""How long a finished game is kept for the index to find its record."""
INDEX_LOOK_SECONDS: Final = 1.0
"""How often it is looked for that record."""


@define(eq=False, kw_only=True)
class FedGame:
    """A running game, and how much of it the feed has."""

    name: str
    """The id of its record."""
    board: str
    """What its board is found by."""
    started: float
    """When it was opened, in seconds since 1970."""
    metadata: Mapping[str, str]
    """Of its record."""
    entries: Callable[[], Sequence[RecordEntry]]
    """Returns all entries so far."""
    seconds: Callable[[], float]
    """Returns what the clock of the entries says now."""
    public: PublicGame | None = None
    known: int = 0
    """How many entries the worker has."""
    turn_began: float = 0.0
    """On that clock."""
    due: float = inf
    """When, on that clock, press may be shown that is not shown yet."""

    @property
    def is_due(self) -> bool:
        """Whether that time has come."""
        return self.seconds() >= self.due


class GameFeeder:
    """Publishes running games, as *policy* allows."""

    def __init__(
        self, feed: Feed, maker: ViewMaker, index: RecordIndex, policy: PressPolicy
    ) -> None:
        self._feed: Final = feed
        self._maker: Final = maker
        self._index: Final = index
        self._policy: Final = policy
        self._cards: Final[dict[str, bytes]] = {}
        """What the first page has yet to get."""

    async def run(self) -> None:
        """Publish for the first page what has changed, twice a second at most."""
        while True:
            await trio.sleep(LOBBY_SECONDS)
            if self._cards:
                cards = b"[%s]" % b",".join(self._cards.values())
                self._cards.clear()
                self._feed.lobby.publish("games", cards)

    async def update(self, game: FedGame) -> bool:
        """Publish what is new in *game*; return whether that was possible."""
        answer = await self._maker.ask(self._job(game))
        if isinstance(answer, EntriesMissing):
            game.known = 0
            answer = await self._maker.ask(self._job(game))
        if isinstance(answer, RunningGameViews):
            self._publish(game, answer)
            return True
        if isinstance(answer, JobFailed):
            # The next turn tries again; the worker may have been started anew.
            game.known = 0
        return False

    def _job(self, game: FedGame) -> RunningGameJob:
        entries = tuple(game.entries())
        job = RunningGameJob(
            game=game.name,
            board=game.board,
            offset=game.known,
            entries=entries[game.known :],
            started=game.started,
            metadata=game.metadata,
            policy=self._policy,
            now=game.seconds(),
        )
        turns = (
            entry.seconds
            for entry in reversed(job.entries)
            if isinstance(entry, Began | TurnResolved)
        )
        game.turn_began = next(turns, game.turn_began)
        game.known = len(entries)
        game.due = self._due(entries, job.now)
        return job

    def _due(self, entries: Sequence[RecordEntry], now: float) -> float:
        """Return when press of *entries* that waits may be shown, after *now*."""
        due = inf
        if self._policy.shown is PressShown.DELAYED:
            for entry in reversed(entries):
                shown = entry.seconds + self._policy.delay
                if shown <= now:
                    break
                if isinstance(entry, PressSent | DrawVoted):
                    due = shown
        return due

    def _publish(self, game: FedGame, views: RunningGameViews) -> None:
        if game.public is None:
            game.public = self._feed.open_game(game.name, after=views.events)
            # What there is so far is in the page.
            views = evolve(views, turns=(), press=())
        public = game.public
        public.page, public.card = views.page, views.summary
        for turn in views.turns:
            public.channel.publish("turn", turn)
        for said in views.press:
            public.channel.publish("press", said)
        if views.promises:
            public.channel.show("promises", views.promises)
        if views.open:
            public.channel.show("open", views.open)
        else:
            public.is_running = False
            public.channel.publish("end", views.page)
        self._cards[game.name] = views.summary

    def show_status(self, game: FedGame, status: bytes) -> None:
        """Show what *game* waits for, a `StatusView` as JSON."""
        if game.public is not None and game.public.is_running:
            game.public.status = status
            game.public.channel.show("status", status)

    def withdraw(self, game: FedGame) -> None:
        """Show *game* no longer: it was broken off, and has no record."""
        if game.public is not None:
            self.end(game)
            self._feed.close_game(game.name)

    def end(self, game: FedGame) -> None:
        """Say on the first page that *game* does not run any more."""
        public = game.public
        if public is None or not public.is_running:
            return
        card = structs.replace(GAME_SUMMARIES.decode(public.card), running=False)
        public.is_running, public.card = False, msgspec.json.encode(card)
        self._cards[game.name] = public.card

    async def close_when_indexed(self, name: str) -> None:
        """Leave a finished game to the index, as soon as that has it."""
        with trio.move_on_after(INDEXED_SECONDS):
            find = partial(self._index.game, name)
            while await trio.to_thread.run_sync(find) is None:  # noqa: ASYNC110
                # Another process indexes it.
                await trio.sleep(INDEX_LOOK_SECONDS)
        self._feed.close_game(name)

"""The games that a run plays, as its page follows them.

Workers send news (`live_views`) through the pipes that feed them; whoever reads a pipe
hands them over from a thread, and never waits.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import trio
from attrs import field

from daide_server.classes import define
from daide_server.records.entries import RecordEntry
from daide_server.tournament.game_outcomes import PlayedGame
from daide_server.web.game_feeder import FedGame, GameFeeder

from .live_views import GameNews, decode_news
from .run_events import GameOver, RunEvent
from .tournament_views import game_name

PRESS_SECONDS: Final = 1.0
"""How often it is looked for delayed press."""


@define(eq=False)
class LiveGame:
    """What is known of a game that is being played."""

    latest: GameNews
    entries: list[RecordEntry] = field(factory=list)
    is_over: bool = False
    is_played: bool = False
    """Whether it has a record."""
    _heard: float = 0.0

    def take(self, news: GameNews) -> None:
        """Add *news*."""
        self.entries[news.offset :] = news.entries
        self.latest, self._heard = news, time.monotonic()

    def seconds(self) -> float:
        """Return what the clock of its entries says about now."""
        return self.latest.seconds + time.monotonic() - self._heard

    def fed(self, name: str) -> FedGame:
        """Return it as a game for the feed, called *name*."""
        news = self.latest
        return FedGame(
            name=name,
            board=news.board,
            started=news.started,
            metadata=news.metadata,
            entries=lambda: self.entries,
            seconds=self.seconds,
        )


class LiveGames:
    """Publishes the games of the run of tournament *number*."""

    def __init__(
        self, number: str, feeder: GameFeeder, records_changed: Callable[[], None]
    ) -> None:
        """To be made in the run's trio; *records_changed* is called for new records."""
        self._number: Final = number
        self._feeder: Final = feeder
        self._records_changed: Final = records_changed
        self._token: Final = trio.lowlevel.current_trio_token()
        self._games: Final[dict[int, tuple[LiveGame, FedGame]]] = {}
        self._changed: Final[dict[int, None]] = {}
        self._work = trio.Event()

    def receive(self, content: bytes) -> None:
        """Take news from a worker, in any thread."""
        news = decode_news(content)
        # The run may have ended meanwhile.
        with suppress(trio.RunFinishedError):
            self._token.run_sync_soon(self.take, news)

    def take(self, news: GameNews) -> None:
        """Note *news* of a game."""
        number = news.attempt.game
        known = self._games.get(number)
        if known is None or known[0].latest.attempt != news.attempt:
            live = LiveGame(news)
            name = game_name(self._number, number)
            known = self._games[number] = live, live.fed(name)
        live, _ = known
        if news.offset <= len(live.entries):
            live.take(news)
            self._note(number)

    def note(self, event: RunEvent) -> None:
        """Note that a game is over."""
        if not isinstance(event, GameOver):
            return
        number = event.outcome.game
        is_played = isinstance(event.outcome, PlayedGame)
        if is_played:
            self._records_changed()
        if number in self._games:
            live, _ = self._games[number]
            live.is_over, live.is_played = True, is_played
            self._note(number)

    def _note(self, number: int) -> None:
        self._changed[number] = None
        self._work.set()

    async def run(self) -> None:
        """Publish until cancelled."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._feeder.run)
            nursery.start_soon(self._look_for_press)
            while True:
                await self._work.wait()
                self._work = trio.Event()
                while self._changed:
                    number = next(iter(self._changed))
                    del self._changed[number]
                    await self._publish(number, nursery)

    async def _look_for_press(self) -> None:
        """Note games whose delayed press may be shown now."""
        while True:
            await trio.sleep(PRESS_SECONDS)
            for number, (_, fed) in self._games.items():
                if fed.is_due:
                    self._note(number)

    async def _publish(self, number: int, nursery: trio.Nursery) -> None:
        found = self._games.get(number)
        if found is None:
            # Its press fell due while its end was published.
            return
        live, fed = found
        # It may be over after what is published now; then it is its turn again.
        is_over = live.is_over
        if not is_over or (live.is_played and is_followed(fed)):
            await self._feeder.update(fed)
            if live.latest.status:
                self._feeder.show_status(fed, live.latest.status)
        if not is_over:
            return
        if self._games[number][0] is live:
            del self._games[number]
        if live.is_played and fed.public is not None:
            self._feeder.end(fed)
            nursery.start_soon(self._feeder.close_when_indexed, fed.name)
        else:
            self._feeder.withdraw(fed)


def is_followed(game: FedGame) -> bool:
    """Tell whether anybody follows *game*: others find its end in the record."""
    return game.public is not None and bool(game.public.channel.followers)

"""What a worker tells the page of a game that it plays; light to import.

The worker sends the new entries of the game, a few times a second at most, and nothing
while the last ones are still on their way: who does not take them delays no game, and
gets what it lacks at once later. Views are made of them beside the page.
"""

import pickle
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

import msgspec
import trio

from daide_server.classes import frozen
from daide_server.records.entries import Began, RecordEntry, TurnResolved
from daide_server.server.game_runner import GameRunner
from daide_server.server.waiting import status_of
from daide_server.tournament.game_outcomes import Attempt

LIVE_SECONDS: Final = 0.25
"""How often it is looked for what is new."""
LAST_SECONDS: Final = 1.0
"""That the end of a game may take on its way."""

ShowLive = Callable[[bytes], None]
"""Called with what `encode_news` returned; may wait."""


@frozen(kw_only=True)
class GameNews:
    """The entries of a game from number *offset* on, and what it waits for."""

    attempt: Attempt
    board: str
    started: float
    metadata: Mapping[str, str]
    offset: int
    entries: tuple[RecordEntry, ...]
    seconds: float
    """On the clock of the entries."""
    status: bytes
    """A `StatusView` as JSON; empty after the end."""


def encode_news(news: GameNews) -> bytes:
    """Return *news* for the pipe."""
    return pickle.dumps(news)


def decode_news(content: bytes) -> GameNews:
    """Return what `encode_news` wrote."""
    found = pickle.loads(content)  # noqa: S301 (from a worker that this process started)
    assert isinstance(found, GameNews)
    return found


class LiveSender:
    """Sends what is new in the game of *runner*."""

    def __init__(
        self, attempt: Attempt, board: str, runner: GameRunner, show: ShowLive
    ) -> None:
        self._attempt: Final = attempt
        self._board: Final = board
        self._runner: Final = runner
        self._show: Final = show
        self._sending: Final = trio.Lock()
        self._sent = 0
        self._status = b""
        self._opened: Final = time.time() - runner.seconds

    async def run(self) -> None:
        """Send until cancelled."""
        while True:
            await trio.sleep(LIVE_SECONDS)
            await self.send()

    async def finish(self) -> None:
        """Send the end of the game, if that is taken soon."""
        with trio.move_on_after(LAST_SECONDS):
            await self.send()

    async def send(self) -> None:
        """Send what is new, if there is anything; cancelled, it is sent or not."""
        async with self._sending:
            news = self._news()
            if news is None:
                return
            show = partial(self._show, encode_news(news))
            await trio.to_thread.run_sync(show, abandon_on_cancel=True)
            self._sent += len(news.entries)
            self._status = news.status

    def _news(self) -> GameNews | None:
        entries = self._runner.entries
        if not any(isinstance(entry, Began) for entry in entries):
            return None
        status = self._status_now(entries)
        if self._sent == len(entries) and self._status == status:
            return None
        header = self._runner.header
        return GameNews(
            attempt=self._attempt,
            board=self._board,
            started=header.opened,
            metadata=header.metadata,
            offset=self._sent,
            entries=tuple(entries[self._sent :]),
            seconds=self._runner.seconds,
            status=status,
        )

    def _status_now(self, entries: Sequence[RecordEntry]) -> bytes:
        if self._runner.game.state.ending is not None:
            return b""
        turns = (
            entry.seconds
            for entry in reversed(entries)
            if isinstance(entry, Began | TurnResolved)
        )
        began = next(turns, 0.0)
        return msgspec.json.encode(status_of(self._runner, began, self._opened))

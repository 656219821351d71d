"""All games that the page shows: from the feed if they run, else from records.

A finished game is found in the index, and its view made once by the worker. Whatever is
made passes the filter of what may be shown (`records/secrecy.py`), in the worker.
"""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

import trio
from sqlalchemy.exc import DatabaseError

from daide_server.classes import frozen
from daide_server.records.secrecy import PressPolicy
from daide_server.storage.bot_summaries import BotSummary
from daide_server.storage.record_index import (
    BotRow,
    GameList,
    GameSearch,
    IndexedGame,
    IndexProgress,
    RecordIndex,
)

from .feed import Feed
from .view_jobs import (
    BoardJob,
    BoardPart,
    FinishedViewJob,
    GamePlace,
    Job,
    JobFailed,
    RecordPlace,
    RunningPlace,
)
from .view_maker import ViewMaker

AnswerT = TypeVar("AnswerT")
VIEW_FORMAT: Final = 2
"""Grows when views get more in them, so that stored ones are made again."""


class NotThereError(Exception):
    """There is no such game, turn, bot or file; the message says which."""


class NotNowError(Exception):
    """It cannot be had at the moment; the message says why."""


@frozen
class LibraryParts:
    """What a library is made of."""

    feed: Feed
    index: RecordIndex
    index_path: Path
    maker: ViewMaker
    policy: PressPolicy
    record_bytes: int
    """Larger record files are not shown."""
    boards: Callable[[str], str] = str
    """Returns what a board is found by: its name, or its map file."""


class Library:
    """Answers what pages and programs ask for. What is not there is `NotThereError`."""

    def __init__(self, parts: LibraryParts) -> None:
        self.feed: Final = parts.feed
        self._index: Final = parts.index
        self._index_path: Final = parts.index_path
        self._maker: Final = parts.maker
        self._policy: Final = parts.policy
        self._record_bytes: Final = parts.record_bytes
        self._boards: Final = parts.boards

    async def search(self, wanted: GameSearch, page: int) -> GameList:
        """Return a page of finished games."""
        return await self._read(partial(self._index.search, wanted, page))

    async def progress(self) -> IndexProgress:
        """Return how far the index is."""
        return await self._read(self._index.progress)

    async def endings(self) -> list[str]:
        """Return how games have ended."""
        return list(await self._read(self._index.endings))

    async def powers(self) -> list[str]:
        """Return the powers of all boards that were played."""
        return list(await self._read(self._index.powers))

    async def bot(self, name: str) -> BotSummary:
        """Return what is known of a bot."""
        found = await self._read(partial(self._index.bot, name))
        if found is None:
            message = f"no finished game of a bot called {name!r}"
            raise NotThereError(message)
        return found

    async def bots(self) -> Sequence[BotRow]:
        """Return all bots, the best first."""
        return await self._read(self._index.bots)

    async def known_bots(self, names: Sequence[str]) -> frozenset[str]:
        """Return those of *names* that `bot` finds."""
        return await self._read(partial(self._index.known_bots, names))

    async def finished(self, game: str) -> IndexedGame:
        """Return a finished game."""
        found = await self._read(partial(self._index.game, game))
        if found is None:
            message = f"no game {game!r}"
            raise NotThereError(message)
        return found

    async def next_game(self, game: IndexedGame) -> str | None:
        """Return the game that began after *game*."""
        return await self._read(partial(self._index.next_game, game))

    async def view(self, game: IndexedGame) -> bytes:
        """Return the view of a finished game as JSON by gzip."""
        made_for = f"{game.made_for} {self._policy} {VIEW_FORMAT}"
        found = await self._read(partial(self._index.view, game.id, made_for))
        if found is None:
            job = FinishedViewJob(self._place(game), self._index_path, made_for)
            found = await self.make(job)
        return found

    async def place(self, game: str) -> GamePlace:
        """Return where a game is, for jobs about it."""
        if game in self.feed.games:
            return RunningPlace(game)
        return self._place(await self.finished(game))

    def _place(self, game: IndexedGame) -> RecordPlace:
        if game.size > self._record_bytes:
            message = f"the record has {game.size} bytes, which are too many to show"
            raise NotNowError(message)
        return RecordPlace(game.path, game.line, game.id, self._policy)

    async def board(self, name: str, part: BoardPart) -> bytes:
        """Return a part of a board."""
        return await self.make(BoardJob(self._boards(name), part))

    async def make(self, job: Job) -> bytes:
        """Return what the worker makes. Raises `NotThereError`, `NotNowError`."""
        answer = await self._maker.ask(job)
        if isinstance(answer, bytes):
            return answer
        if isinstance(answer, JobFailed) and answer.is_missing:
            raise NotThereError(answer.reason)
        reason = answer.reason if isinstance(answer, JobFailed) else "not ready"
        raise NotNowError(reason)

    async def _read(self, question: Callable[[], AnswerT]) -> AnswerT:
        try:
            return await trio.to_thread.run_sync(question)
        except DatabaseError as error:
            message = f"the index cannot be read: {error.orig}"
            raise NotNowError(message) from error

"""All games that the page shows: from their files if they run, else from records.

A finished game is found in the index, and its view made once. What takes time is done
in threads, a few at a time.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from functools import partial
from itertools import zip_longest
from typing import Final, TypeVar

import trio
from attrs import frozen
from sqlalchemy.exc import DatabaseError

from daide_server.formats.errors import shortened
from daide_server.records.record import GameRecord
from daide_server.records.secrecy import PressPolicy
from daide_server.running.tournament_views import TournamentView
from daide_server.storage.record_index import (
    BotRow,
    BotSummary,
    GameList,
    GameSearch,
    IndexedGame,
    IndexProgress,
    RecordIndex,
)

from .boards import BoardPart, board_part
from .finished_games import FAULTS, RecordPlace, store_view
from .running_files import GameFault
from .running_games import FollowedGame, RunningGames

AnswerT = TypeVar("AnswerT")
VIEW_FORMAT: Final = 3
"""Grows when views get more in them, so that stored ones are made again."""
JOB_SECONDS: Final = 60.0
JOBS_AT_ONCE: Final = 2
MAX_JOBS_WAITING: Final = 200
"""Further jobs fail immediately."""
INDEXED_SECONDS: Final = 3.0
"""How long a visitor waits for the record of a game that has just ended."""


class NotThereError(Exception):
    """There is no such game, turn, bot or file; the message says which."""


class NotNowError(Exception):
    """It cannot be had at the moment; the message says why."""


@frozen
class LibraryParts:
    """What a library is made of."""

    running: RunningGames
    index: RecordIndex
    policy: PressPolicy
    record_bytes: int
    """Larger record files are not shown."""
    boards: Mapping[str, str]
    """What boards are found by that are files, by their names."""


class Library:
    """Answers what pages and programs ask for. What is not there is `NotThereError`."""

    def __init__(self, parts: LibraryParts) -> None:
        self.running: Final = parts.running
        self._index: Final = parts.index
        self._policy: Final = parts.policy
        self._record_bytes: Final = parts.record_bytes
        self._boards: Final = parts.boards
        self._jobs: Final = trio.CapacityLimiter(JOBS_AT_ONCE)

    async def running_game(self, game: str) -> FollowedGame | None:
        """Return a game if it is running; raises `NotNowError` if it has failed."""
        try:
            return await self.running.find(game)
        except GameFault as error:
            raise NotNowError(shortened(str(error))) from error

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

    async def names_in_records(self, view: TournamentView) -> Mapping[str, str]:
        """Return the name of each bot of a tournament that `bot` finds.

        Records have the name that it said in NME, which may be another one.
        """
        names = [bot.name for bot in view.status.bots]
        said = dict(zip_longest(names, view.said_names, fillvalue=()))
        asked = {name: (*said[name], name) for name in names}
        every = list({each for all_of_one in asked.values() for each in all_of_one})
        known = await self._read(partial(self._index.known_bots, every))
        found = {
            name: next((each for each in those if each in known), None)
            for name, those in asked.items()
        }
        return {name: each for name, each in found.items() if each is not None}

    async def finished(self, game: str) -> IndexedGame:
        """Return a finished game; one that has just ended is waited for."""
        find = partial(self._index.game, game)
        with trio.move_on_after(INDEXED_SECONDS):
            while (found := await self._read(find)) is None:
                if not self.running.has_just_ended(game):
                    break
                # Another thread reads its record.
                await trio.sleep(0.1)
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
            place = self._place(game)
            store = partial(store_view, place, self._index.engine, made_for)
            found = await self._done(store)
        return found

    async def make(self, game: str, work: Callable[[GameRecord], bytes]) -> bytes:
        """Return what *work* makes of what may be shown of a game.

        A `LookupError` of it is `NotThereError`.
        """
        async with AsyncExitStack() as stack:
            running = await self.running_game(game)
            if running is not None:
                await stack.enter_async_context(running.turn)
                shown: Callable[[], GameRecord | None] = running.source.shown
            else:
                shown = self._place(await self.finished(game)).shown

            def made() -> bytes:
                record = shown()
                assert record is not None
                return work(record)

            return await self._done(made)

    def _place(self, game: IndexedGame) -> RecordPlace:
        if game.size > self._record_bytes:
            message = f"the record has {game.size} bytes, which are too many to show"
            raise NotNowError(message)
        return RecordPlace(game.path, game.line, game.id, self._policy)

    async def board(self, name: str, part: BoardPart) -> bytes:
        """Return a part of a board."""
        found = self._boards.get(name, name)
        return await self._done(partial(board_part, found, part))

    async def _done(self, work: Callable[[], bytes]) -> bytes:
        """Return what *work* makes in a thread."""
        if self._jobs.statistics().tasks_waiting >= MAX_JOBS_WAITING:
            message = "too much is asked for at the moment"
            raise NotNowError(message)
        try:
            with trio.move_on_after(JOB_SECONDS):
                return await trio.to_thread.run_sync(
                    work, limiter=self._jobs, abandon_on_cancel=True
                )
        except LookupError as error:
            raise NotThereError(str(error.args[0] if error.args else "")) from error
        except FAULTS as error:
            raise NotNowError(shortened(str(error))) from error
        except DatabaseError as error:
            message = f"the index cannot be used: {error.orig}"
            raise NotNowError(message) from error
        message = f"not done in {JOB_SECONDS:g} s"
        raise NotNowError(message)

    async def _read(self, question: Callable[[], AnswerT]) -> AnswerT:
        try:
            return await trio.to_thread.run_sync(question)
        except DatabaseError as error:
            message = f"the index cannot be read: {error.orig}"
            raise NotNowError(message) from error

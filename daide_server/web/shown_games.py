"""All games of the page: from their files while they run, else from records.

A finished game is found in the index, and its view is made once. Slow work is done in
threads, a few at a time.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import chain, repeat
from typing import TypeVar, TypeVarTuple

import trio
from attrs import Factory, define, field
from sqlalchemy.exc import DatabaseError
from starlette.exceptions import HTTPException

from daide_server.library.record_index import IndexedGame, RecordIndex
from daide_server.records.formats.errors import shortened
from daide_server.records.record import GameRecord
from daide_server.records.secrecy import PressPolicy
from daide_server.tournament.report.tournament_views import TournamentView

from .assets import BoardFiles, board_files
from .finished_games import FAULTS, ShownGame, finished_game, finished_record
from .running_files import Boards, GameFault
from .running_games import FollowedGame, RunningGames

AnswerT = TypeVar("AnswerT")
AskedTs = TypeVarTuple("AskedTs")
JOB_SECONDS = 60.0
"""Seconds after which a visitor no longer waits for the result of a thread."""
MAX_JOBS_WAITING = 200
"""Jobs that may wait for a thread; further jobs fail immediately."""
RECORD_WAIT_SECONDS = 3.0
"""Seconds that a visitor waits for the record of a game that has just ended."""
GAMES_KEPT = 32
"""Views of finished games that are cached: page and scripts request the same game."""
BOARDS_SHOWN = 8
"""Maximum number of boards whose colours are on one page."""


class NotThereError(HTTPException):
    """There is no such game, turn, bot or file; *reason* says which (404)."""

    def __init__(self, reason: str) -> None:
        super().__init__(404, reason)


class NotNowError(HTTPException):
    """The answer is not available now; *reason* says why (503)."""

    def __init__(self, reason: str) -> None:
        super().__init__(503, reason)


@define(eq=False)
class ShownGames:
    """Answers the requests of pages and programs. Raises `NotThereError`."""

    running: RunningGames
    index: RecordIndex
    _policy: PressPolicy
    _record_bytes: int
    """The maximum size of a record that is shown."""
    _variants: Boards
    _boards: dict[str, BoardFiles] = field(factory=dict, init=False)
    _finished: dict[IndexedGame, ShownGame] = field(factory=dict, init=False)
    _jobs: trio.CapacityLimiter = Factory(lambda: trio.CapacityLimiter(2))

    async def ask(
        self, question: Callable[[*AskedTs], AnswerT], *asked: *AskedTs
    ) -> AnswerT:
        """Return the answer of the index to *question*, one of its methods."""
        try:
            return await trio.to_thread.run_sync(question, *asked)
        except DatabaseError as error:
            raise NotNowError(f"the index cannot be read: {error.orig}") from error

    async def running_game(self, game: str) -> FollowedGame | None:
        """Return a game if it is running; raises `NotNowError` if it has failed."""
        try:
            return await self.running.find(game)
        except GameFault as error:
            raise NotNowError(shortened(str(error))) from error

    async def names_in_records(self, view: TournamentView) -> Mapping[str, str]:
        """Return the name in records of each bot of a tournament, if it has any.

        A record has the name that the bot sent in NME, which may differ.
        """
        bots = zip(view.status.bots, view.said_names or repeat(()), strict=False)
        names = {bot.name: (*said, bot.name) for bot, said in bots}
        known = await self.ask(self.index.known_bots, [*chain(*names.values())])
        found = {
            bot: [each for each in those if each in known]
            for bot, those in names.items()
        }
        return {bot: those[0] for bot, those in found.items() if those}

    async def game(self, game: str) -> ShownGame:
        """Return a game as far as it may be shown."""
        running = await self.running_game(game)
        if running is not None:
            return running.news.shown
        found = await self._find_finished(game)
        shown = self._finished.pop(found, None)
        if shown is None:
            shown = await self._done(partial(finished_game, found, self._policy))
        self._finished[found] = shown
        if len(self._finished) > GAMES_KEPT:
            del self._finished[next(iter(self._finished))]
        return shown

    async def make(self, game: str, work: Callable[[GameRecord], bytes]) -> bytes:
        """Return what *work* makes from the visible part of a game.

        A `LookupError` in it becomes `NotThereError`.
        """
        running = await self.running_game(game)
        if running is not None:
            return await self._done(partial(work, running.news.record))
        found = await self._find_finished(game)
        return await self._done(lambda: work(finished_record(found, self._policy)))

    async def _find_finished(self, game: str) -> IndexedGame:
        """Return a finished game; wait for one that has just ended."""
        with trio.move_on_after(RECORD_WAIT_SECONDS):
            while (found := await self.ask(self.index.game, game)) is None:
                if not self.running.has_just_ended(game):
                    break
                # Another thread reads its record.
                await trio.sleep(0.1)
        if found is None:
            raise NotThereError(f"no game {game!r}")
        if found.size > self._record_bytes:
            message = f"the record has {found.size} bytes, which are too many to show"
            raise NotNowError(message)
        return found

    async def board(self, name: str) -> BoardFiles:
        """Return the files of a board, which are made once."""
        if name not in self._boards:
            board = self._variants.get(name, name)
            self._boards[name] = await self._done(partial(board_files, name, board))
        return self._boards[name]

    async def board_links(
        self, names: Iterable[str], home: str
    ) -> dict[str, dict[str, str]]:
        """Return the addresses of the files of some boards, by name, below *home*.

        Boards that can no longer be drawn are omitted.
        """
        found: dict[str, dict[str, str]] = {}
        for name in list(dict.fromkeys(names))[:BOARDS_SHOWN]:
            try:
                found[name] = (await self.board(name)).links(home)
            except (NotThereError, NotNowError):
                continue
        return found

    async def _done(self, work: Callable[[], AnswerT]) -> AnswerT:
        """Return the result of *work*, done in a thread."""
        if self._jobs.statistics().tasks_waiting >= MAX_JOBS_WAITING:
            raise NotNowError("too much is asked for at the moment")
        try:
            with trio.move_on_after(JOB_SECONDS):
                return await trio.to_thread.run_sync(
                    work, limiter=self._jobs, abandon_on_cancel=True
                )
        except LookupError as error:
            raise NotThereError(str(error.args[0] if error.args else "")) from error
        except FAULTS as error:
            raise NotNowError(shortened(str(error))) from error
        raise NotNowError(f"not done in {JOB_SECONDS:g} s")

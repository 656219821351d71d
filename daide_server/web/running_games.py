"""The running games: found when somebody asks, followed while somebody watches.

Files are polled in this loop only; slow work is done in threads. A game whose file is
gone is kept until the index has its record.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from math import inf
from pathlib import Path
from secrets import token_hex

import msgspec
import trio
from attrs import Factory, define, field, frozen
from msgspec import structs

from daide_server.library.journal_file import SUFFIX
from daide_server.library.record_index import RecordIndex
from daide_server.records.secrecy import PressPolicy
from daide_server.server.written_games import RUNNING_SUFFIX, has_owner
from daide_server.text.views import GameSummary

from .feed import Channel
from .finished_games import FAULTS, finished_game
from .running_files import Boards, GameFault, GameNews, GameReplay, summary_of

LOOK_SECONDS = 0.05
"""Seconds between two checks of a game for its followers."""
LIST_SECONDS = 0.4
"""Seconds for which the list of games is cached, and between updates of the first
page."""
STATUS_SECONDS = 1.0
"""Seconds between two updates of what games wait for."""
OPEN_GAMES = 64
"""Games without followers that are kept for later requests."""
INDEXED_SECONDS = 60.0
"""Seconds that a finished game is kept for the index to find its record."""


FileStamp = tuple[int, int, int]
"""The inode, size and time of a file, which change with its content."""


@frozen
class RunningFolder:
    """A folder of the files of running games."""

    path: Path
    prefix: str = ""
    """The prefix of the ids of its games, because tournaments use equal numbers."""


@define(eq=False)
class FollowedGame:
    """A running game that was requested, and its public part."""

    game: str
    """The id of the game's record."""
    source: GameReplay
    channel: Channel = field(factory=Channel)
    news: GameNews = field(init=False)
    """The visible part, once the game has begun."""
    has_begun: bool = False
    status: bytes = b"{}"
    """What it waits for (`StatusView`), as JSON."""
    is_over: bool = False
    asked: float = 0.0
    """When it was last requested."""
    gone: float | None = None
    """When its file disappeared."""
    updating: trio.Lock = field(factory=trio.Lock)

    def publish(self, news: GameNews) -> None:
        """Show *news*."""
        if self.has_begun:
            for name, data in news.events:
                self.channel.publish(name, data)
        else:
            # The page contains everything so far.
            self.channel.last = len(news.events)
        self.news, self.has_begun = news, True
        for name, data in news.states.items():
            self.channel.show(name, data)
        self.status = news.states.get("status", self.status)
        if not news.shown.view.running and not self.is_over:
            self.is_over = True
            self.channel.publish("end", news.shown.body)

    def show_status(self) -> None:
        """Show what the game waits for, if that is known."""
        status = self.source.status
        if status and not self.is_over:
            self.status = status
            self.channel.show("status", status)


@define(eq=False)
class RunningGames:
    """All running games in some folders, as far as a policy allows."""

    _folders: Sequence[RunningFolder]
    _boards: Boards
    _policy: PressPolicy
    _index: RecordIndex
    _records_changed: Callable[[], None]
    """Called when a game is over: there may be a new record."""
    cards: Mapping[str, GameSummary] = field(factory=dict, init=False)
    """The entries in lists, in the order in which the games began."""
    lobby: Channel = field(factory=lambda: Channel(f"{token_hex(4)}-"), init=False)
    """The events of lists; the prefix of ids differs between runs of the page."""
    _files: dict[str, tuple[Path, FileStamp]] = field(factory=dict, init=False)
    _followed: dict[str, FollowedGame] = field(factory=dict, init=False)
    _ended: dict[str, float] = field(factory=dict, init=False)
    _listing: trio.Lock = field(factory=trio.Lock, init=False)
    _listed: float = field(default=-inf, init=False)
    # Views of several games would only wait for the same processor.
    _threads: trio.CapacityLimiter = Factory(lambda: trio.CapacityLimiter(1))

    # Lists

    async def refresh(self) -> None:
        """Look for games that are new, changed or gone, unless that was just done."""
        async with self._listing:
            if trio.current_time() < self._listed + LIST_SECONDS:
                return
            look = partial(_look, self._folders, self._boards, self._files, self.cards)
            self._files, cards = await trio.to_thread.run_sync(look)
            changed = [
                card for game, card in cards.items() if card is not self.cards.get(game)
            ]
            for game in self.cards.keys() - cards.keys():
                self._ended[game] = trio.current_time()
                changed.append(structs.replace(self.cards[game], running=False))
                self._records_changed()
            self.cards = cards
            if changed:
                self.lobby.publish("games", msgspec.json.encode(changed))
            self._listed = trio.current_time()

    def has_just_ended(self, game: str) -> bool:
        """Return whether the index may soon find the record of *game*."""
        ended = self._ended.get(game)
        return ended is not None and trio.current_time() < ended + INDEXED_SECONDS

    # Single games

    async def find(self, game: str) -> FollowedGame | None:
        """Return the current state of a game; `None` if it is not running.

        Raises `GameFault` if it cannot be shown.
        """
        found = self._followed.get(game) or await self._open(game)
        if found is None:
            return None
        found.asked = trio.current_time()
        await self._update(found)
        return found if found.has_begun else None

    async def _open(self, game: str) -> FollowedGame | None:
        if game not in self._files:
            await self.refresh()
        if game not in self._files:
            return None
        path, _ = self._files[game]
        try:
            source = GameReplay(game, path, self._boards, self._policy)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise GameFault(f"{game}: {error.strerror or error}") from error
        return self._followed.setdefault(game, FollowedGame(game, source))

    async def _update(self, game: FollowedGame) -> None:
        """Read the news of *game*, and publish them; forget a game that fails."""
        async with game.updating:
            if not game.source.is_due:
                return
            try:
                news = await trio.to_thread.run_sync(
                    game.source.update, limiter=self._threads
                )
            except GameFault:
                self._close(game)
                raise
            if news is not None:
                game.publish(news)

    def _close(self, game: FollowedGame) -> None:
        self._followed.pop(game.game, None)
        game.channel.close()
        game.source.close()

    # Followers

    async def run(self) -> None:
        """Publish news to followers until cancelled."""
        try:
            await self._run()
        finally:
            for game in tuple(self._followed.values()):
                self._close(game)

    async def _run(self) -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._follow)
            nursery.start_soon(self._follow_lists)
            while True:
                await trio.sleep(STATUS_SECONDS)
                self._close_unused()
                for game in tuple(self._followed.values()):
                    if not game.updating.locked():
                        game.show_status()
                    await self._close_if_indexed(game)

    async def _follow(self) -> None:
        while True:
            await trio.sleep(LOOK_SECONDS)
            for game in tuple(self._followed.values()):
                if game.channel.followers:
                    # Tell each follower that the game is over.
                    with suppress(GameFault):
                        await self._update(game)

    async def _follow_lists(self) -> None:
        while True:
            await trio.sleep(LIST_SECONDS)
            if self.lobby.followers:
                await self.refresh()

    def _close_unused(self) -> None:
        idle = [each for each in self._followed.values() if not each.channel.followers]
        idle.sort(key=lambda each: each.asked)
        for game in idle[: max(0, len(idle) - OPEN_GAMES)]:
            self._close(game)

    async def _close_if_indexed(self, game: FollowedGame) -> None:
        """Close a game whose file is gone, as soon as the index has its record."""
        if not game.source.has_ended():
            return
        now = trio.current_time()
        if game.gone is None:
            game.gone = self._ended[game.game] = now
            self._records_changed()
        found = await trio.to_thread.run_sync(self._index.game, game.game)
        if found is not None and not game.is_over:
            # Its file did not say how it ended.
            with suppress(*FAULTS):
                end = partial(finished_game, found, self._policy)
                shown = await trio.to_thread.run_sync(end)
                game.is_over = True
                game.channel.publish("end", shown.body)
        if found is not None or now > game.gone + INDEXED_SECONDS:
            self._close(game)


def _look(
    folders: Sequence[RunningFolder],
    boards: Boards,
    known: Mapping[str, tuple[Path, FileStamp]],
    cards: Mapping[str, GameSummary],
) -> tuple[dict[str, tuple[Path, FileStamp]], dict[str, GameSummary]]:
    """Return the files of games, and their entries in lists; blocks."""
    files: dict[str, tuple[Path, FileStamp]] = {}
    found: list[tuple[str, GameSummary]] = []
    for folder in folders:
        for game, path, stamp in _files_in(folder):
            files[game] = path, stamp
            card = cards.get(game) if known.get(game) == (path, stamp) else None
            if card is None:
                with suppress(GameFault):
                    card = summary_of(game, path, boards)
            if card is not None:
                found.append((game, card))
    return files, dict(sorted(found, key=lambda each: each[1].started))


def _files_in(folder: RunningFolder) -> Iterator[tuple[str, Path, FileStamp]]:
    if not has_owner(folder.path):
        return
    try:
        paths = list(folder.path.iterdir())
    except OSError:
        return
    for path in paths:
        if path.suffix in {SUFFIX, RUNNING_SUFFIX} and not path.name.startswith("."):
            with suppress(OSError):
                at = path.stat()
                stamp = at.st_ino, at.st_size, at.st_mtime_ns
                yield folder.prefix + path.stem, path, stamp

"""From the games of a server to the page: what has changed, whom they wait for."""

import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

import msgspec
import trio

from daide_server.classes import frozen
from daide_server.game.directory import GameId
from daide_server.records.entries import Began
from daide_server.server.events import (
    EntryRecorded,
    RecordStored,
    ServerEvent,
)
from daide_server.server.game_runner import GameRunner
from daide_server.server.waiting import status_of
from daide_server.web.game_feeder import FedGame, GameFeeder

STATUS_SECONDS: Final = 1.0
"""How often it is asked whom the games wait for."""


class PageChanges:
    """What the page has to look at: a reader of events.

    It does nothing else in the loop of the games.
    """

    def __init__(self) -> None:
        self.stored: Final[dict[GameId, Path]] = {}
        """Records that were written."""
        self._changed: Final[dict[GameId, None]] = {}
        self._work = trio.Event()

    def __call__(self, event: ServerEvent) -> None:
        """Note what *event* changes for the page."""
        match event:
            case EntryRecorded(game=game):
                self.note(game)
            case RecordStored(game=game, path=path):
                self.stored[game] = path
                self.note(game)
            case _:
                pass

    async def next_game(self) -> GameId:
        """Return a game that has changed, the one that has waited longest first."""
        while not self._changed:
            self._work = trio.Event()
            await self._work.wait()
        game = next(iter(self._changed))
        del self._changed[game]
        return game

    def note(self, game: GameId) -> None:
        """Note that *game* has changed; several changes are looked at together."""
        self._changed[game] = None
        self._work.set()


@frozen
class FeederParts:
    """What a feeder works with."""

    feeder: GameFeeder
    board: str
    runners: Callable[[], Iterable[GameRunner]]
    """Returns the games that are open."""
    records_changed: Callable[[], None]
    """Called when there is a new record."""


@frozen(eq=False)
class ServedGame:
    """A game of the server, and what the page has of it."""

    runner: GameRunner
    fed: FedGame
    opened: float
    """When its clock stood at zero, in seconds since 1970."""


class PageFeeder:
    """Keeps the feed up to date with the games."""

    def __init__(self, parts: FeederParts, changes: PageChanges) -> None:
        self._parts: Final = parts
        self._feeder: Final = parts.feeder
        self._changes: Final = changes
        self._games: Final[dict[GameId, ServedGame]] = {}
        self._over: set[GameId] = set()
        """Games whose records are there; they may be open yet, and change."""

    async def run(self) -> None:
        """Feed the page until cancelled."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._show_statuses)
            nursery.start_soon(self._feeder.run)
            while True:
                number = await self._changes.next_game()
                game = self._find(number)
                if game is not None:
                    await self._feeder.update(game.fed)
                    self._show_status(game)
                if self._changes.stored.pop(number, None) is not None:
                    self._parts.records_changed()
                    self._over.add(number)
                    if (over := self._games.pop(number, None)) is not None:
                        close = self._feeder.close_when_indexed
                        nursery.start_soon(close, over.fed.name)

    def _find(self, number: GameId) -> ServedGame | None:
        """Return a game that has begun, and is not left to the index."""
        if number in self._over:
            return None
        if number not in self._games:
            runners = (each for each in self._parts.runners() if each.number == number)
            runner = next(runners, None)
            if runner is None or not _has_begun(runner):
                return None
            self._games[number] = self._served(runner)
        return self._games[number]

    def _served(self, runner: GameRunner) -> ServedGame:
        fed = FedGame(
            name=runner.header.record,
            board=self._parts.board,
            started=runner.header.opened,
            metadata=runner.header.metadata,
            entries=lambda: runner.entries,
            seconds=lambda: runner.seconds,
        )
        return ServedGame(runner, fed, time.time() - runner.seconds)

    async def _show_statuses(self) -> None:
        """Show what games wait for; find those from a journal or a save."""
        while True:
            await trio.sleep(STATUS_SECONDS)
            self._over &= {runner.number for runner in self._parts.runners()}
            for runner in self._parts.runners():
                if runner.number not in self._games and runner.game.state.is_running:
                    self._changes.note(runner.number)
            for number, game in tuple(self._games.items()):
                self._show_status(game)
                if game.fed.is_due:
                    self._changes.note(number)

    def _show_status(self, game: ServedGame) -> None:
        if game.runner.game.state.ending is None:
            status = status_of(game.runner, game.fed.turn_began, game.opened)
            self._feeder.show_status(game.fed, msgspec.json.encode(status))


def _has_begun(runner: GameRunner) -> bool:
    return any(isinstance(entry, Began) for entry in runner.entries)

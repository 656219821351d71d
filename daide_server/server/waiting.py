"""What games wait for: reported after a while."""

from collections.abc import Callable, Iterable
from typing import Final

import trio
from attrs import define

from daide_server.board.turns import Turn
from daide_server.game.absence import awaited
from daide_server.game.directory import GameId
from daide_server.game.stages import Stage

from .events import Events, GameWaiting
from .game_runner import GameRunner

FIRST_SECONDS: Final = 60.0
"""How long a game has waited when that is reported first; each time twice as long."""
LONGEST_SECONDS: Final = 3600.0
"""The longest time between two reports of one game."""
LOOK_SECONDS: Final = 15.0
"""The time between two looks at the games."""


@define
class _Wait:
    """A game that waits: in which stage and turn, since when, and the next report."""

    stage: Stage
    turn: Turn
    since: float
    report_at: float


class WaitingReporter:
    """Looks at the open games in turn, and reports those that wait for long."""

    def __init__(
        self, games: Callable[[], Iterable[GameRunner]], events: Events
    ) -> None:
        self._games: Final = games
        self._emit: Final = events
        self._waits: dict[GameId, _Wait] = {}

    async def run(self) -> None:
        """Look at the games again and again, until cancelled."""
        while True:
            await trio.sleep(LOOK_SECONDS)
            self.look(trio.current_time())

    def look(self, now: float) -> None:
        """Report the games for which it is time."""
        waits: dict[GameId, _Wait] = {}
        for runner in self._games():
            wait = self._look_at(runner, now)
            if wait is not None:
                waits[runner.number] = wait
        self._waits = waits

    def _look_at(self, runner: GameRunner, now: float) -> _Wait | None:
        """Return how long a game has waited, or `None` if it does not wait."""
        found = awaited(runner.game.state)
        if found is None:
            return None
        wait = self._waits.get(runner.number)
        if wait is None or (wait.stage, wait.turn) != (found.stage, found.turn):
            return _Wait(found.stage, found.turn, now, now + FIRST_SECONDS)
        if now >= wait.report_at:
            seconds = now - wait.since
            self._emit(GameWaiting(runner.number, found, seconds))
            wait.report_at = now + min(seconds, LONGEST_SECONDS)
        return wait

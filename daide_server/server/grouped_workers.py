"""Clients that have said more than one thing, game by game.

What players of one game say reaches the same few clients. If they are served one after
the other, more of it leaves with one send for each. A client has one turn in each turn
of its game, however much it has to say.
"""

from collections import deque
from collections.abc import Sequence
from itertools import chain
from typing import Final

from daide_server.lobby.directory import GameId

from .queue_worker import Worker


class GroupedWorkers:
    """A queue whose order is that of games, and within a game that of coming."""

    def __init__(self) -> None:
        self._games: Final[dict[GameId | None, deque[Worker]]] = {}
        """The games that wait, in their order."""
        self._turn: deque[Worker] = deque()
        """What is left of the game whose turn it is."""

    def __bool__(self) -> bool:
        """Return whether anybody waits."""
        return bool(self._turn or self._games)

    def append(self, worker: Worker) -> None:
        """Let *worker* wait for the next turn of its game."""
        game = worker.account.game
        waiting = self._games.get(game)
        if waiting is None:
            self._games[game] = deque((worker,))
        else:
            waiting.append(worker)

    def popleft(self) -> Worker:
        """Return who is next."""
        if not self._turn:
            self._turn = self._games.pop(next(iter(self._games)))
        return self._turn.popleft()

    def take_all(self) -> Sequence[Worker]:
        """Return all who wait, in order; then nobody does."""
        waiting = [*self._turn, *chain.from_iterable(self._games.values())]
        self._turn.clear()
        self._games.clear()
        return waiting

"""Many games in one call: numbers in, numbers out.

For search and for learners that play many games at the same time. Everything is an
array whose first axis is the game; powers are in the order of the map.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from daide_server.board.map import Position, Variant
from daide_server.board.orders import Order
from daide_server.library.variants import load_variant

from .env_game import ActionError, EnvGame, EnvSettings
from .observing import BoardObserver


class GameBatch:
    """Games that are played at the same time; `step` plays a turn of each.

    - `boards` (game, province, feature): as the environment's `observation`
    - `counts` (game, power, slot): the number of choices, at least 1
    - `rewards` (game, power): of the last step
    - `alive` (game, power), `over` (game): powers that play, and finished games

    A finished game does not change until it is reset. Each step changes the arrays.
    """

    def __init__(
        self,
        size: int,
        board: str | Variant = "standard",
        settings: EnvSettings | None = None,
    ) -> None:
        self.variant = load_variant(board) if isinstance(board, str) else board
        self.settings = settings or EnvSettings()
        self.observer = BoardObserver(self.variant.map)
        self.powers = self.variant.map.powers
        powers, shape = len(self.powers), self.settings.shape(self.variant)
        provinces = len(self.variant.map.provinces), len(self.observer.features)
        self.boards: NDArray[np.int8] = np.zeros((size, *provinces), np.int8)
        self.counts: NDArray[np.int16] = np.ones((size, powers, shape.slots), np.int16)
        self.rewards: NDArray[np.float32] = np.zeros((size, powers), np.float32)
        self.alive: NDArray[np.bool_] = np.zeros((size, powers), np.bool_)
        self.over: NDArray[np.bool_] = np.zeros(size, np.bool_)
        start = self.variant.start
        self._games = [self._game(start) for _ in range(size)]
        self._show_all(range(size))

    def reset(
        self, games: Iterable[int] | None = None, position: Position | None = None
    ) -> None:
        """Restart *games*, or all, from *position*, or from the start of the board."""
        chosen = list(range(len(self._games)) if games is None else games)
        for number in chosen:
            self._games[number] = self._game(position or self.variant.start)
            self.rewards[number] = 0
        self._show_all(chosen)

    def step(self, actions: NDArray[np.integer]) -> None:
        """Play a turn of each game that is not over: a number for each slot.

        Raises `ActionError`, and changes nothing, if a number is not a choice.
        """
        if actions.shape != self.counts.shape:
            message = f"found shape {actions.shape}, expected {self.counts.shape}"
            raise ActionError(message)
        wrong = np.argwhere((actions < 0) | (actions >= self.counts))
        if len(wrong):
            game, power, slot = wrong[0]
            message = (
                f"game {game}, {self.powers[power]}, slot {slot}: found "
                f"{actions[game, power, slot]}, expected 0 to "
                f"{self.counts[game, power, slot] - 1}"
            )
            raise ActionError(message)
        playing = [number for number, over in enumerate(self.over) if not over]
        self.rewards[:] = 0
        for number, chosen in zip(playing, actions[playing].tolist(), strict=True):
            self._play(number, chosen)
        self._show_all(playing)

    def position(self, game: int) -> Position:
        """Return the position of *game*."""
        return self._games[game].position

    def orders(self, game: int, numbers: Sequence[Sequence[int]]) -> list[Order]:
        """Return the orders that *numbers* choose for each power of *game*."""
        choices = self._games[game].choices
        chosen = zip(self.powers, numbers, strict=True)
        return [order for power, row in chosen for order in choices.orders(power, row)]

    def _game(self, position: Position) -> EnvGame:
        return EnvGame(self.variant, self.settings, position)

    def _play(self, number: int, chosen: Sequence[Sequence[int]]) -> None:
        game = self._games[number]
        before = game.alive
        game.play(self.orders(number, chosen))
        is_over = game.is_over or game.is_truncated
        earned = game.rewards(before if is_over else before - game.alive)
        index = self.variant.map.power_index
        for power, reward in earned.items():
            if power in before:
                self.rewards[number, index[power]] = reward

    def _show_all(self, games: Iterable[int]) -> None:
        """Update the arrays for *games*."""
        for number in games:
            game = self._games[number]
            self.boards[number] = self.observer.array(game.position)
            self.over[number] = game.is_over or game.is_truncated
            self.alive[number] = [power in game.alive for power in self.powers]
            self.counts[number] = [
                row + [1] * (self.counts.shape[2] - len(row))
                for row in game.choices.counts.values()
            ]

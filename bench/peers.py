"""The same questions to the `diplomacy` package, where it is installed.

It is a peer, not a dependency: `pip install '.[peers]'` in an environment for this.
"""

import gc
import importlib
import importlib.util
import time
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

INSTALLED = importlib.util.find_spec("diplomacy") is not None

POSSIBLE = "get_all_possible_orders()"
RESOLUTION = "resolution alone, without units"
ORDERS = "set_orders()"
TURN = "resolution and next turn"

MICROSECONDS = 1e6
ROUNDS = 3


class Clock:
    """Knows the best time of each thing that was done several times.

    The garbage collector waits meanwhile, as `timeit` does it.
    """

    def __init__(self) -> None:
        self._best: dict[str, dict[int, float]] = {}

    def time(self, name: str, number: int, task: Callable[[], object]) -> None:
        """Do *task* for the board *number*; keep its time if it is the best."""
        gc.disable()
        began = time.perf_counter()
        task()
        took = time.perf_counter() - began
        gc.enable()
        known = self._best.setdefault(name, {})
        known[number] = min(took, known.get(number, took))

    def figures(self) -> dict[str, float]:
        """Return the microseconds that each thing takes on average."""
        return {
            name: sum(times.values()) / len(times) * MICROSECONDS
            for name, times in self._best.items()
        }


def diplomacy_figures(phases: Iterable[Mapping[str, Any]]) -> dict[str, float]:
    """Return microseconds per movement phase, by what is timed.

    Orders are text, and set beforehand, which takes longer than to resolve them.
    """
    game_class: Any = importlib.import_module("diplomacy").Game
    clock = Clock()
    number = 0

    class TimedGame(game_class):  # type: ignore[misc] # untyped
        def _resolve_moves(self) -> None:
            clock.time(RESOLUTION, number, super()._resolve_moves)

        def _resolve(self) -> None:
            clock.time(TURN, number, super()._resolve)

    for number, phase in enumerate(phases):
        for _ in range(ROUNDS):
            game = TimedGame()
            game.set_state(phase["state"])
            clock.time(POSSIBLE, number, game.get_all_possible_orders)
            clock.time(ORDERS, number, partial(_order, game, phase))
            clock.time("process()", number, game.process)
    return clock.figures()


def _order(game: Any, phase: Mapping[str, Any]) -> None:  # noqa: ANN401 - untyped
    for power, orders in phase["orders"].items():
        game.set_orders(power, orders or [])

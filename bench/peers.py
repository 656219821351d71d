"""The same questions to the `diplomacy` package, where it is installed.

It is a peer, not a dependency: `pip install '.[peers]'` in an environment for this.
"""

import importlib
import importlib.util
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

INSTALLED: Final = importlib.util.find_spec("diplomacy") is not None

POSSIBLE: Final = "get_all_possible_orders()"
RESOLUTION: Final = "resolution alone, without units"
TURN: Final = "resolution and next turn"

MICROSECONDS: Final = 1e6


class Clock:
    """Adds up how long things took."""

    def __init__(self) -> None:
        self.totals: dict[str, float] = {}

    def time(self, name: str, task: Callable[[], object]) -> None:
        """Do *task*, and add its time to that of *name*."""
        began = time.process_time()
        task()
        took = time.process_time() - began
        self.totals[name] = self.totals.get(name, 0.0) + took


def diplomacy_figures(phases: Iterable[Mapping[str, Any]]) -> dict[str, float]:
    """Return microseconds per movement phase, by what is timed.

    Orders are text, and set beforehand, which takes longer than to resolve them.
    """
    game_class: Any = importlib.import_module("diplomacy").Game
    clock = Clock()

    class TimedGame(game_class):  # type: ignore[misc] # untyped
        def _resolve_moves(self) -> None:
            clock.time(RESOLUTION, super()._resolve_moves)

        def _resolve(self) -> None:
            clock.time(TURN, super()._resolve)

    count = 0
    for phase in phases:
        game = TimedGame()
        game.set_state(phase["state"])
        clock.time(POSSIBLE, game.get_all_possible_orders)
        clock.time("set_orders()", lambda: _order(game, phase))  # noqa: B023 - at once
        clock.time("process()", game.process)
        count += 1
    return {name: took / count * MICROSECONDS for name, took in clock.totals.items()}


def _order(game: Any, phase: Mapping[str, Any]) -> None:  # noqa: ANN401 - untyped
    for power, orders in phase["orders"].items():
        game.set_orders(power, orders or [])

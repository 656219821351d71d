"""How fast does a learner step? The environment beside the `diplomacy` package's game.

Run as a script: plays random games of both in turns, in one process, and prints
processor time for each step and the ratio. A step has all that a learner needs: orders
are taken and judged, the possible orders of the next turn are found (masks here, lists
of text there), and the state is given. To choose at random is not counted.

Then games of 92 turns with random orders by the judge alone, possible orders included,
and steps of a batch of games.
"""

import importlib
import sys
import time
from collections.abc import Callable
from random import Random
from statistics import median
from typing import Any

import numpy as np
import peers  # type: ignore[import-not-found] # the script beside this one

from daide_server.board.map import Phase, Variant
from daide_server.board.orders import Order
from daide_server.env.batch import GameBatch
from daide_server.env.parallel import DiplomacyEnv
from daide_server.judge.adjudication import adjudicate
from daide_server.judge.possible import possible_adjustments, possible_orders
from daide_server.library.variants import load_variant

TURNS = 92
GAMES = 12
BATCH = 32
MILLISECONDS = 1e3
Steps = tuple[float, int]
"""Processor time in seconds, and the number of steps."""


class Stopwatch:
    """Adds up the processor time of what is called through it."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def time(self, task: Callable[..., Any], *given: object) -> Any:  # noqa: ANN401 - anything
        """Return what *task* returns."""
        began = time.process_time()
        found = task(*given)
        self.seconds += time.process_time() - began
        return found


def our_game(env: DiplomacyEnv, seed: int) -> Steps:
    """Play a random game in the environment."""
    chance, watch, steps = Random(seed), Stopwatch(), 0
    observed, _ = watch.time(env.reset)
    while env.agents and steps < TURNS:
        actions = {power: chosen(observed[power], chance) for power in env.agents}
        observed = watch.time(env.step, actions)[0]
        steps += 1
    return watch.seconds, steps


def chosen(observed: dict[str, Any], chance: Random) -> Any:  # noqa: ANN401 - an array
    """Return a random action that the mask allows."""
    rows = observed["action_mask"]
    return np.array([chance.randrange(int(row.sum())) for row in rows])


def their_game(game_class: Any, seed: int) -> Steps:  # noqa: ANN401 - untyped
    """Play a random game of the `diplomacy` package."""
    chance, watch, steps = Random(seed), Stopwatch(), 0
    game = watch.time(game_class)
    possible = watch.time(game.get_all_possible_orders)
    while not game.is_game_done and steps < TURNS:
        orders = {
            power: [
                chance.choice(possible[place])
                for place in game.get_orderable_locations(power)
                if possible[place]
            ]
            for power in game.powers
        }
        possible = watch.time(their_step, game, orders)
        steps += 1
    return watch.seconds, steps


def their_step(game: Any, orders: dict[str, list[str]]) -> Any:  # noqa: ANN401 - untyped
    """Do what our step does: orders, turn, state, possible orders."""
    for power, given in orders.items():
        game.set_orders(power, given)
    game.process()
    game.get_state()
    return game.get_all_possible_orders()


def judged_game(variant: Variant, seed: int) -> Steps:
    """Play a random game by the judge alone."""
    chance, position = Random(seed), variant.start
    began = time.process_time()
    orders: list[Order]
    for _ in range(TURNS):
        if position.turn.phase is Phase.ADJUSTMENTS:
            possible = possible_adjustments(variant.map, position)
            orders = [
                chance.choice(choices)
                for power, choices in possible.items()
                for _ in range(abs(position.surplus(power)))
            ]
        else:
            choices_of = possible_orders(variant.map, position)
            orders = [chance.choice(choices) for choices in choices_of.values()]
        position = adjudicate(variant, position, orders).next
    return time.process_time() - began, TURNS


def batch_steps(batch: GameBatch, seed: int) -> Steps:
    """Play random games side by side."""
    chance, watch = np.random.default_rng(seed), Stopwatch()
    watch.time(batch.reset)
    steps = 0
    for _ in range(TURNS):
        actions = chance.integers(0, batch.counts)
        steps += int((~batch.over).sum())
        watch.time(batch.step, actions)
    return watch.seconds, steps


def a_step(games: list[Steps]) -> float:
    """Return the milliseconds of a step, as the median of games."""
    return median(seconds / steps * MILLISECONDS for seconds, steps in games)


def main() -> None:
    """Measure and print."""
    env, variant = DiplomacyEnv(), load_variant("standard")
    ours, theirs, judged = [], [], []
    game_class: Any = None
    if peers.INSTALLED:
        game_class = importlib.import_module("diplomacy").Game
        their_game(game_class, 0)
    our_game(env, 0)
    for seed in range(1, GAMES + 1):
        ours.append(our_game(env, seed))
        judged.append(judged_game(variant, seed))
        if game_class is not None:
            theirs.append(their_game(game_class, seed))
    print(f"the environment          {a_step(ours):6.3f} ms a step")
    if theirs:
        print(f"diplomacy's game         {a_step(theirs):6.3f} ms a step")
        print(f"ratio                    {a_step(theirs) / a_step(ours):6.1f}")
    else:
        print(
            "no ratio: the package `diplomacy` is not installed here", file=sys.stderr
        )
    batched = a_step([batch_steps(GameBatch(BATCH), 1)])
    print(f"{BATCH} games in a batch      {batched:6.3f} ms a game and step")
    print(f"judge alone, {TURNS} turns    {a_step(judged) * TURNS:6.1f} ms a game")


if __name__ == "__main__":
    main()

"""What a turn of a built-in bot costs, where seven play a whole game as tasks.

    python bench/built_in_bots.py [GAMES]

Processor time of the process, server included, for each bot and turn in which it owed
orders; the first game of a process is left out. `hold` shows what is left without
thinking.
"""

import argparse
import tempfile
import time
from collections import Counter
from functools import partial
from random import Random

import trio
from attrs import evolve

from daide_server.board.orders import Order
from daide_server.bots.built_in import BOTS, play
from daide_server.bots.client import join
from daide_server.bots.entering import UNREPORTED
from daide_server.bots.view import View
from daide_server.server.server import Server
from daide_server.server.settings import DEFAULTS

GAMES = 6
LAST_YEAR = 1930


class CountedStrategy:
    """A built-in bot that counts the turns in which it owes orders."""

    def __init__(self, name: str, seed: int, turns: Counter[str]) -> None:
        self._strategy = BOTS[name](Random(seed))
        self._turns = turns

    def __call__(self, view: View) -> list[Order]:
        """Return the orders of the bot."""
        given = list(self._strategy(view))
        self._turns["all"] += bool(given)
        return given


async def play_game(name: str, seed: int, turns: Counter[str]) -> None:
    """Play a game between seven of the bot *name*."""
    with tempfile.TemporaryDirectory() as folder:
        settings = evolve(
            DEFAULTS,
            service=evolve(DEFAULTS.service, port=0, games=1, records=folder),
            policy=evolve(DEFAULTS.policy, post_game_seconds=0.1, year_limit=LAST_YEAR),
            journal=evolve(DEFAULTS.journal, durability="none"),
            chance=evolve(DEFAULTS.chance, seed=seed),
        )
        server = Server(settings, lambda _: None)
        host, _, port = server.address.rpartition(":")
        async with trio.open_nursery() as nursery:
            for number in range(7):
                strategy = CountedStrategy(name, 10 * seed + number, turns)
                nursery.start_soon(_play_bot, strategy, host, int(port))
            await server.run()
            nursery.cancel_scope.cancel()


async def _play_bot(strategy: CountedStrategy, host: str, port: int) -> None:
    async with join(host, port, name="bot", retries=UNREPORTED) as game:
        await play(game, strategy)


def main() -> None:
    """Print a line for each bot."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", type=int, nargs="?", default=GAMES)
    games = parser.parse_args().games
    for name in ("dumb", "hold"):
        trio.run(partial(play_game, name, 0, Counter()))
        turns: Counter[str] = Counter()
        began = time.process_time()
        for seed in range(1, games + 1):
            trio.run(partial(play_game, name, seed, turns))
        taken = 1000 * (time.process_time() - began)
        print(f"{name}: {taken / turns['all']:.2f} ms a bot-turn, {turns['all']} turns")


if __name__ == "__main__":
    main()

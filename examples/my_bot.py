"""A bot to start from: random legal moves.

Run `daide-server serve`, then start this bot seven times. Optional arguments are the
host and port of the server.
"""
# ruff: noqa: INP001, S311, T201 - a script that prints and needs no secure random

import random
import sys

import trio

from daide_server.bots import Order, Phase, View, hold, join, possible_orders


def orders(view: View) -> list[Order]:
    """Return random orders for movement, and those of the bot `hold` otherwise."""
    if view.phase is not Phase.MOVEMENT:
        return hold.orders(view)
    choices = possible_orders(view.map, view.position)
    return [random.choice(choices[unit]) for unit in view.units]


async def main(host: str = "127.0.0.1", port: int | str = 16713) -> None:
    """Play one game and print how it ended."""
    async with join(host, int(port), name="MyBot") as game:
        async for view in game.turns():
            await game.submit(orders(view))
    print(game.power, game.known.ending)


if __name__ == "__main__":
    trio.run(main, *sys.argv[1:])

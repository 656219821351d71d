"""A bot of your own: each unit gets a random order; it never builds."""

import random

import trio

from daide_server.board.turns import Phase
from daide_server.bots import View, hold, join
from daide_server.judge.possible import possible_orders


def orders(view: View):
    if view.phase is not Phase.MOVEMENT:
        return hold.orders(view)
    choices = possible_orders(view.map, view.position)
    return [random.choice(choices[unit]) for unit in view.units]


async def main():
    async with join("127.0.0.1", 16713, name="MyBot") as game:
        async for view in game.turns():
            submission = await game.submit(orders(view))
            print(view.turn, game.power, "refused:", submission.refused)


trio.run(main)

"""A bot that negotiates: it proposes peace to all powers, and later votes for a draw.

Run `daide-server serve --level 20 --year-limit 1905`, then start this bot seven times.
It shows events, press, answers, draws, and what to do after a lost connection. Optional
arguments are the host and port of the server.
"""
# ruff: noqa: INP001, T201 - a script that prints

import sys

import trio

from daide_server.bots import (
    ClientError,
    PressDelivered,
    RemoteGame,
    Returned,
    View,
    hold,
    join,
)

DRAW_YEAR = 1903


async def play(game: RemoteGame) -> None:
    """Play one game: events arrive in order, and a `View` is the start of a turn."""
    async for event in game:
        match event:
            case View():
                await take_turn(game, event)
            case PressDelivered():
                await answer(game, event)
            case Returned():
                print("the connection was lost; orders are sent again")
            case _:
                pass


async def take_turn(game: RemoteGame, view: View) -> None:
    """Propose peace in the first turn, vote for a draw from 1903 on, and hold."""
    others = [power for power in view.map.powers if power != game.power]
    if view.reports == ():
        for other in others:
            content = f"PRP (PCE ({game.power} {other}))"
            await game.send_press([other], content)
    if view.turn.year >= DRAW_YEAR:
        await game.vote_draw()
    submission = await game.submit(hold.orders(view))
    for order, note in submission.refused:
        print("refused:", order, note.value)


async def answer(game: RemoteGame, press: PressDelivered) -> None:
    """Accept every proposal of peace, and refuse all others."""
    text = game.text(press.content)
    if text.startswith("PRP"):
        reply = "YES" if "PCE" in text else "REJ"
        await game.send_press([press.sender], f"{reply} ({text})")


async def main(host: str = "127.0.0.1", port: int | str = 16713) -> None:
    """Play one game, and print how it ended."""
    try:
        async with join(host, int(port), name="Negotiator", version="1.0") as game:
            await play(game)
            print(game.power, game.known.ending)
    except ClientError as error:
        print(error)


if __name__ == "__main__":
    trio.run(main, *sys.argv[1:])

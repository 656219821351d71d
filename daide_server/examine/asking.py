"""What a bot orders in a position, asked as often as wanted."""

from typing import Final

import trio
from attrs import evolve

from daide_server.board.orders import Order
from daide_server.classes import frozen
from daide_server.language.messages import OrderNoted
from daide_server.language.tokens import Tokens

from .measures import Measures
from .programs import CommandLauncher
from .scene_log import TurnSeen
from .scene_play import ScenePlay
from .scene_setup import SceneSetup
from .scenes.playing_on import trouble

NO_TROUBLE: Final = ""


@frozen
class AskedTurn:
    """What one start of the bot ordered."""

    seed: int
    orders: tuple[Order, ...]
    """Those that count: the last accepted one for each unit."""
    refused: tuple[tuple[Tokens, str], ...]
    """Those that were refused, as sent, with the note."""
    seconds: float
    missing: int
    trouble: str = NO_TROUBLE
    """Why there are no orders, if the bot did not get so far."""
    last_words: str = ""


async def ask(
    launcher: CommandLauncher, setup: SceneSetup, measures: Measures, seed: int
) -> AskedTurn:
    """Start the bot in the position of *setup*, and return what it orders.

    Raises `CannotStartError`.
    """
    play = ScenePlay(setup, measures)
    async with trio.open_nursery() as nursery:

        def connect(stream: trio.abc.Stream) -> None:
            nursery.start_soon(play.serve, nursery, stream)

        run = await launcher.seeded(seed).start(nursery, connect, {})
        try:
            nursery.start_soon(play.watch, run)
            if await play.join():
                play.begin()
                await play.orders()
            asked = _asked(play, seed)
        finally:
            await run.stop()
        nursery.cancel_scope.cancel()
    return evolve(asked, last_words=run.last_words())


def _asked(play: ScenePlay, seed: int) -> AskedTurn:
    found = trouble(play.log)
    seen = play.log.turns[-1] if play.log.turns else None
    return AskedTurn(
        seed,
        play.game.accepted(),
        tuple(_refusal(each) for each in play.log.refusals),
        _seconds(seen),
        0 if seen is None else seen.missing,
        NO_TROUBLE if found is None else found.did,
    )


def _seconds(seen: TurnSeen | None) -> float:
    return 0.0 if seen is None else seen.seconds


def _refusal(noted: OrderNoted) -> tuple[Tokens, str]:
    return noted.as_sent, noted.note.value

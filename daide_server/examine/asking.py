"""What a bot orders in a position, asked as often as wanted."""

from collections.abc import Callable
from typing import Final

import trio
from attrs import evolve

from daide_server.board.orders import Order
from daide_server.classes import frozen
from daide_server.language.messages import Name, OrderNoted
from daide_server.language.tokens import Tokens

from .conversation import BotConversation
from .programs import CommandLauncher
from .scene_log import TurnSeen
from .scene_setup import Measures, SceneSetup
from .scenes.playing_on import trouble

NO_TROUBLE: Final = ""
PATIENCE_SECONDS: Final = 3.0
"""What a bot may take before it is said what is missing."""
REMINDER_SECONDS: Final = 10.0
"""What passes until that is said again."""


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
    launcher: CommandLauncher,
    setup: SceneSetup,
    measures: Measures,
    seed: int,
    tell: Callable[[str], None],
) -> AskedTurn:
    """Start the bot in the position of *setup*, and return what it orders.

    *tell* is called with what the bot is waited for, if that takes long. Raises
    `CannotStartError`.
    """
    play = BotConversation(setup, measures)
    async with trio.open_nursery() as nursery:

        def connect(stream: trio.abc.Stream) -> None:
            nursery.start_soon(play.serve, nursery, stream)

        run = await launcher.seeded(seed).start(nursery, connect, {})
        try:
            nursery.start_soon(play.watch, run)
            nursery.start_soon(_tell_of_waiting, play, tell)
            if await play.join():
                play.begin()
                await play.orders()
            asked = _asked(play, seed)
        finally:
            await run.stop()
        nursery.cancel_scope.cancel()
    return evolve(asked, last_words=run.last_words())


async def _tell_of_waiting(play: BotConversation, tell: Callable[[str], None]) -> None:
    """Say what the bot is waited for, again and again; ends by cancellation."""
    began = trio.current_time()
    await trio.sleep(PATIENCE_SECONDS)
    while True:
        tell(f"{_awaited(play)}, after {trio.current_time() - began:.0f} s")
        await trio.sleep(REMINDER_SECONDS)


def _awaited(play: BotConversation) -> str:
    """Return what the bot has not done yet."""
    if play.connection is None:
        return "the bot has not connected yet"
    if not any(play.log.said(Name)):
        return "the bot has not sent NME yet"
    if not play.log.is_joined:
        return "the bot has not accepted the map yet, by YES (MAP (name))"
    return "the bot has not sent all its orders yet"


def _asked(play: BotConversation, seed: int) -> AskedTurn:
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

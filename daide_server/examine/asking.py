"""What a bot orders in a position, asked as often as wanted."""

from collections.abc import Callable
from typing import Final

import trio
from attrs import evolve, frozen

from daide_server.board.orders import Order
from daide_server.language.messages import Name, OrderNoted

from .conversation import BotConversation
from .examination import started
from .programs import CommandLauncher
from .scenes.common import trouble
from .scripted_game import Measures, SceneSetup

PATIENCE_SECONDS: Final = 3.0
"""Seconds that a bot may take before the user reads what is missing."""
REMINDER_SECONDS: Final = 10.0
"""Seconds until that is repeated."""


@frozen
class AskedTurn:
    """What one start of the bot ordered."""

    seed: int
    orders: tuple[Order, ...]
    """The last accepted order for each unit."""
    refused: tuple[OrderNoted, ...]
    """The orders that were refused, as sent, with the note."""
    seconds: float
    missing: int
    trouble: str = ""
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
    async with (
        trio.open_nursery() as nursery,
        started(launcher.seeded(seed), play) as run,
    ):
        nursery.start_soon(_tell_of_waiting, play, tell)
        if await play.join():
            play.begin()
            await play.orders()
        asked = _asked(play, seed)
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
    found, turns = trouble(play.log), play.log.turns
    return AskedTurn(
        seed,
        play.game.accepted(),
        tuple(play.log.refusals),
        turns[-1].seconds if turns else 0.0,
        turns[-1].missing if turns else 0,
        "" if found is None else found.did,
    )

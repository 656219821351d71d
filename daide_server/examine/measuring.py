"""How much slower this machine is than an idle one: a start of the bot hold."""

import sys
from typing import Final

from attrs import evolve

from .measures import Measures
from .programs import CommandLauncher
from .scene_log import Opened
from .scene_play import ScenePlay
from .scene_session import SceneSession
from .scenes.scene_table import JOINS

HOLD_WORDS: Final = ("-m", "daide_server", "bot", "hold", "--host", "{host}")
HOLD_START_SECONDS: Final = 0.9
"""From its start to its IM, on an idle machine of two cores."""
SLOWEST: Final = 20.0


async def with_slowness(measures: Measures) -> Measures:
    """Return *measures* with the slowness of this machine, 1 or more.

    Raises `CannotStartError`.
    """
    launcher = CommandLauncher((sys.executable, *HOLD_WORDS, "--port", "{port}"))
    seen: list[float] = []

    async def look(play: ScenePlay) -> None:
        await play.join()
        seen.extend(each.seconds for each in play.log.of(Opened))

    session = SceneSession(launcher, evolve(measures, slowness=1.0))
    await session.play([evolve(JOINS, play=look)])
    taken = seen[0] if seen else HOLD_START_SECONDS
    slowness = min(max(taken / HOLD_START_SECONDS, 1.0), SLOWEST)
    return evolve(measures, slowness=slowness)

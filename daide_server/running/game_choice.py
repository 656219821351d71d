"""Which game is begun next: the first of the plan that fits. Pure."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from itertools import islice
from typing import Final

from daide_server.tournament.game_outcomes import Attempt
from daide_server.tournament.plan import Plan

LOOK_AHEAD: Final = 2000
"""Games beyond these wait, which bounds the work for one choice."""


def next_attempt(
    left: Iterable[Attempt],
    plan: Plan,
    running: Iterable[int],
    at_once: Mapping[int, int],
    slow: Collection[int] = (),
) -> Attempt | None:
    """Return the first attempt of *left* whose bots are free; `None` if there is none.

    *running* are the games that are being played; *at_once* says of how many copies
    of a bot there may be at the same time, if that is limited. Of a bot that is *slow*
    to start there is one game at a time.
    """
    busy = Counter(bot for game in running for bot in plan.bots(game))
    starting = {bot for bot in slow if busy[bot]}
    for attempt in islice(left, LOOK_AHEAD):
        bots = plan.bots(attempt.game)
        if starting.isdisjoint(bots) and _fits(bots, busy, at_once):
            return attempt
    return None


def _fits(
    bots: Iterable[int], busy: Mapping[int, int], at_once: Mapping[int, int]
) -> bool:
    wanted = Counter(bot for bot in bots if bot in at_once)
    return all(busy[bot] + count <= at_once[bot] for bot, count in wanted.items())

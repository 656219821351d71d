"""Which game is begun next: the first of the plan that fits. Pure."""

from collections import Counter
from collections.abc import Iterable, Mapping
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
) -> Attempt | None:
    """Return the first attempt of *left* whose bots are free; `None` if there is none.

    *running* are the games that are being played; *at_once* says of how many copies
    of a bot there may be at the same time, if that is limited.
    """
    busy = Counter(
        bot for game in running for bot in plan.game(game).bots if bot in at_once
    )
    for attempt in islice(left, LOOK_AHEAD):
        if _fits(plan.game(attempt.game).bots, busy, at_once):
            return attempt
    return None


def _fits(
    bots: Iterable[int], busy: Mapping[int, int], at_once: Mapping[int, int]
) -> bool:
    wanted = Counter(bot for bot in bots if bot in at_once)
    return all(busy[bot] + count <= at_once[bot] for bot, count in wanted.items())

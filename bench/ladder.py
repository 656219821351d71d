"""How often the intervals of a ladder's ratings hold, and how wide they are.

Simulated ladders of bots with known skills: each next line-up is decided as a ladder
decides it, and its places are drawn by the model that the ratings fit. The truth is the
skill of each bot above the mean of all.

Usage: python bench/ladder.py [SECONDS]
"""

import argparse
from collections.abc import Sequence
from math import exp
from random import Random
from statistics import fmean
from time import monotonic

from attrs import evolve

from daide_server.board.names import Power
from daide_server.tournament.chance import NumberStream
from daide_server.tournament.designs import Balance
from daide_server.tournament.game_outcomes import SeatOutcome
from daide_server.tournament.plan import LadderBot, next_line_up
from daide_server.tournament.ratings import POINTS_PER_UNIT, Rating, fit_ratings

SECONDS = 120.0
SKILLS = (1.3, 0.8, 0.55, 0.3, 0.3, 0.3, 0.1, -0.5, -1.0)
POWERS = (0.1, 0.2, 0.45, 0.1, -0.5, 0.1, 0.3)
LOOKS = (10, 30, 60, 120, 240)
REFIT = 10
"""Games between two fits, which decide the line-ups."""
STRONG, WEAK = 0, 8


def play(line_up: Sequence[int], random: Random) -> Sequence[SeatOutcome]:
    """Return a game whose places are drawn one after the other, by skill and power."""
    rates = [
        exp(SKILLS[bot] + power) for bot, power in zip(line_up, POWERS, strict=True)
    ]
    times = [random.expovariate(rate) for rate in rates]
    ordered = sorted(times)
    return tuple(
        SeatOutcome(bot, Power(f"P{seat}"), place=ordered.index(times[seat]) + 1.0)
        for seat, bot in enumerate(line_up)
    )


def ladder(seed: int) -> dict[int, Sequence[Rating]]:
    """Play a ladder, and return its ratings after each number of games of `LOOKS`."""
    random, draws = Random(seed), NumberStream(seed)
    bots = [LadderBot(bot) for bot in range(len(SKILLS))]
    before = Balance(len(SKILLS), len(POWERS))
    games: list[Sequence[Sequence[SeatOutcome]]] = []
    found: dict[int, Sequence[Rating]] = {}
    while len(games) < LOOKS[-1]:
        line_up = next_line_up(bots, before, draws)
        games.append([play(line_up, random)])
        before.add([line_up])
        if len(games) % REFIT == 0:
            ratings = fit_ratings(games, len(bots))
            bots = [_rated(*each) for each in zip(bots, ratings, strict=True)]
            if len(games) in LOOKS:
                found[len(games)] = ratings
    return found


def _rated(bot: LadderBot, rating: Rating) -> LadderBot:
    if rating.low is None or rating.high is None:
        return bot
    width = (rating.high - rating.low) / POINTS_PER_UNIT
    return evolve(bot, skill=rating.points / POINTS_PER_UNIT, width=width)


def main() -> None:
    """Simulate ladders for some time, and print a line for each number of games."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seconds", nargs="?", type=float, default=SECONDS)
    end = monotonic() + parser.parse_args().seconds
    ladders: list[dict[int, Sequence[Rating]]] = []
    while monotonic() < end:
        ladders.append(ladder(len(ladders)))
    middle = fmean(SKILLS)
    truth = [POINTS_PER_UNIT * (skill - middle) for skill in SKILLS]
    print(f"{len(ladders)} ladders of {len(SKILLS)} bots: 95 % intervals of ratings")
    print("games   hold   strong   weak    mean width   mean error")
    for games in LOOKS:
        hits = [[0] * len(ladders) for _ in SKILLS]
        widths, errors = [], []
        for at, found in enumerate(ladders):
            for rating in found[games]:
                assert rating.low is not None
                assert rating.high is not None
                known = truth[rating.bot]
                hits[rating.bot][at] = rating.low <= known <= rating.high
                widths.append(rating.high - rating.low)
                errors.append(abs(rating.points - known))
        shares = [fmean(each) for each in hits]
        held = (fmean(shares), shares[STRONG], shares[WEAK])
        shown = "   ".join(f"{share:5.1%}" for share in held)
        print(f"{games:5}  {shown}   {fmean(widths):9.0f}   {fmean(errors):10.0f}")


if __name__ == "__main__":
    main()

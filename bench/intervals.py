"""How often the intervals hold, how wide they are, and how often verdicts are wrong.

Simulated tournaments of seven bots (strong, middle, weak) with unequal powers, in which
a third of the games is won alone and half of all scores are 0. Truth is known: the
blocks of a tournament are drawn from a pool whose mean is the truth.

Usage: python bench/intervals.py [SECONDS FOR EACH PART]
"""

import argparse
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from math import exp
from random import Random
from statistics import fmean
from time import process_time

from daide_server.tournament.betting import BettingInterval
from daide_server.tournament.designs import line_ups
from daide_server.tournament.intervals import Interval, bootstrap_t, student_t

SECONDS = 60.0
ERROR = 0.05
SKILLS = (1.3, 0.55, 0.3, 0.3, 0.3, 0.1, -0.5)
FOLLOWED = {"strong": 0, "middle": 3, "weak": 6}
POWERS = (0.1, 0.2, 0.45, 0.1, -0.5, 0.1, 0.3)
SOLOS = 0.35
SURVIVORS = 5
POOL = 20_000
LONGEST = 4
"""The part that needs most tournaments takes so much longer."""
MANY = (8, 9, 11, 12, 15)

Game = list[float]
"""The score of each bot."""
Block = list[Game]
Tournament = list[Block]


def play(line_up: Sequence[int], skills: Sequence[float], random: Random) -> Game:
    """Return the scores of the seats of one game."""
    weights = [
        exp(skills[bot] + power) for bot, power in zip(line_up, POWERS, strict=True)
    ]
    order = sorted(range(7), key=lambda seat: random.expovariate(weights[seat]))
    scores = [0.0] * 7
    if random.random() < SOLOS:
        scores[order[0]] = 1.0
        return scores
    counts = [weights[seat] ** 0.5 * (0.3 + random.random()) for seat in order]
    squares = [count * count for count in counts[:SURVIVORS]]
    for seat, square in zip(order[:SURVIVORS], squares, strict=True):
        scores[seat] = square / sum(squares)
    return scores


def played_block(
    block: Sequence[Sequence[int]], skills: Sequence[float], random: Random
) -> Block:
    """Return the scores of the seven bots in each game of *block*."""
    games = []
    for line_up in block:
        scores = play(line_up, skills, random)
        by_bot = dict(zip(line_up, scores, strict=True))
        games.append([by_bot[bot] for bot in range(7)])
    return games


def pool(skills: Sequence[float], random: Random) -> Tournament:
    """Return blocks to draw from."""
    blocks = line_ups(7).blocks
    return [played_block(random.choice(blocks), skills, random) for _ in range(POOL)]


def truth(blocks: Tournament) -> list[float]:
    """Return each bot's mean score."""
    games = [game for block in blocks for game in block]
    return [fmean(scores) for scores in zip(*games, strict=True)]


def tournaments(
    blocks: Tournament, length: int, random: Random, seconds: float
) -> Iterator[Tournament]:
    """Return tournaments of *length* blocks for *seconds* of processor time."""
    end = process_time() + seconds
    while process_time() < end:
        yield random.choices(blocks, k=length)


def any_time(tournament: Tournament, bot: int) -> Iterator[Interval]:
    """Return the any-time interval after each block."""
    betting = BettingInterval(ERROR)
    planned = 7 * len(tournament)
    for block in tournament:
        betting.add([game[bot] for game in block], planned)
        yield betting.interval


def means(tournament: Tournament, bot: int) -> list[float]:
    """Return the bot's mean of each block."""
    return [sum(game[bot] for game in block) / len(block) for block in tournament]


def covers(interval: Interval, value: float) -> bool:
    """Tell whether *value* is in *interval*."""
    return interval.low <= value <= interval.high


def show_fixed(blocks: Tournament, random: Random, seconds: float) -> None:
    """Print how often fixed-number intervals hold at one look."""
    true = truth(blocks)
    print("one look: coverage strong / middle / weak, mean half width")
    methods: list[tuple[str, int, Callable[[Sequence[float]], Interval]]] = [
        ("bootstrap-t", 70, bootstrap_t),
        ("bootstrap-t", 140, bootstrap_t),
        ("t", 210, student_t),
        ("t", 420, student_t),
        ("t", 1400, student_t),
        ("t", 42, student_t),
    ]
    for name, games, method in methods:
        found = [
            [(method(means(each, bot)), true[bot]) for bot in FOLLOWED.values()]
            for each in tournaments(blocks, games // 7, random, seconds / len(methods))
        ]
        shares = [
            fmean(covers(*pair) for pair in of) for of in zip(*found, strict=True)
        ]
        width = fmean(interval.half_width for row in found for interval, _ in row)
        told = " / ".join(f"{share:.3f}" for share in shares)
        print(f"  {name:11} {games:5} games: {told}  {width:.4f}  (n={len(found)})")


def show_any_time(blocks: Tournament, random: Random, seconds: float) -> None:
    """Print how often any-time intervals hold at all looks, and their widths."""
    true = truth(blocks)
    print(
        "all looks: coverage strong / middle / weak, half width, as a multiple of t's"
    )
    lengths = ((42, 1 / 16), (210, 1 / 8), (420, 1 / 4), (1400, 9 / 16))
    for games, share in lengths:
        held: list[list[bool]] = []
        widths: list[float] = []
        ratios: list[float] = []
        for each in tournaments(blocks, games // 7, random, seconds * share):
            last = {bot: list(any_time(each, bot))[-1] for bot in FOLLOWED.values()}
            # Intervals only get narrower, so who is in the last is in all.
            held.append([covers(last[bot], true[bot]) for bot in last])
            t = [student_t(means(each, bot)).half_width for bot in last]
            mean = fmean(interval.half_width for interval in last.values())
            widths.append(mean)
            ratios.append(mean / fmean(t) if fmean(t) else 1.0)
        told = " / ".join(f"{fmean(of):.3f}" for of in zip(*held, strict=True))
        ratio = sum(widths) / sum(w / r for w, r in zip(widths, ratios, strict=True))
        print(
            f"  {games:5} games: {told}  {fmean(widths):.4f}  {ratio:.2f}"
            f"  (n={len(held)})"
        )


def show_false_verdicts(random: Random, seconds: float) -> None:
    """Print how often equal bots are ever told apart, looking after each block."""
    blocks = pool((0.0,) * 7, random)
    length = 420 // 7
    betting = t_test = count = 0
    for each in tournaments(blocks, length, random, seconds):
        betting += any(
            apart(each, *pair, ERROR / 21) for pair in combinations(range(7), 2)
        )
        t_test += any(look_apart(each[:end], 0, 1) for end in range(10, length + 1))
        count += 1
    print(f"equal bots, 420 games, a look after each block: told apart (n={count})")
    print(f"  any two of seven by betting, as [stop] does: {betting / count:.3f}")
    print(f"  one pair by t at 95 % from 10 blocks:        {t_test / count:.3f}")


def apart(tournament: Tournament, one: int, other: int, error: float) -> bool:
    """Tell whether betting ever tells two bots apart."""
    betting = BettingInterval(error)
    for block in tournament:
        values = [(game[one] - game[other] + 1) / 2 for game in block]
        betting.add(values, 7 * len(tournament))
    return not betting.interval.low <= 1 / 2 <= betting.interval.high


def look_apart(tournament: Tournament, one: int, other: int) -> bool:
    """Tell whether Student's t tells two bots apart at this look."""
    pairs = zip(means(tournament, one), means(tournament, other), strict=True)
    return not covers(student_t([first - second for first, second in pairs]), 0)


def show_many(bots: int, random: Random, seconds: float) -> None:
    """Print the coverage with more bots than seats, of two fields.

    In the lopsided one a third of the bots hardly ever score, so that it matters much
    whom a bot meets. The coverage is the mean over all bots, and that of the worst.
    """
    mixed = [1.2 - 2 * at / (bots - 1) for at in range(bots)]
    lopsided = [-3.0 if 3 * at >= 2 * bots else 0.5 for at in range(bots)]
    rounds = max(1, 420 // bots)
    for name, skills in (("mixed", mixed), ("lopsided", lopsided)):
        true = many_truth(bots, skills, random, seconds / 4)
        held: list[list[bool]] = []
        widths: list[float] = []
        t_widths: list[float] = []
        end = process_time() + seconds / 4
        while process_time() < end:
            blocks = list(many_blocks(bots, rounds, skills, random))
            found = many_intervals(blocks, bots)
            held.append([covers(*pair) for pair in zip(found, true, strict=True)])
            widths.append(fmean(each.half_width for each in found))
            seen = [[fmean(block[bot]) for block in blocks] for bot in range(bots)]
            t_widths.append(fmean(student_t(of).half_width for of in seen))
        by_bot = [fmean(of) for of in zip(*held, strict=True)]
        width = fmean(widths)
        print(
            f"{bots} bots, {name}, {rounds * bots} games, all looks, mean / worst bot: "
            f"{fmean(by_bot):.3f} / {min(by_bot):.3f}  {width:.4f}"
            f"  {width / fmean(t_widths):.2f}  (n={len(held)})"
        )


def show_many_false_verdicts(bots: int, random: Random, seconds: float) -> None:
    """Print how often equal bots are told apart, with more of them than seats."""
    pairs = list(combinations(range(bots), 2))
    rounds, wrong, count = max(1, 420 // bots), 0, 0
    end = process_time() + seconds
    while process_time() < end:
        games = list(many_games(bots, rounds, random))
        wrong += any(pair_apart(games, *pair, ERROR / len(pairs)) for pair in pairs)
        count += 1
    print(
        f"{bots} equal bots, {rounds * bots} games, a look after each block:"
        f" told apart {wrong / count:.3f} (n={count})"
    )


def many_games(
    bots: int, rounds: int, random: Random
) -> Iterator[list[dict[int, float]]]:
    """Return the scores by bot in the games of each block, for equal bots."""
    blocks = line_ups(bots).blocks
    labels: list[int] = []
    for at in range(rounds):
        if at % len(blocks) == 0:
            labels = random.sample(range(bots), bots)
        line_up_games = [
            [labels[bot] for bot in game] for game in blocks[at % len(blocks)]
        ]
        yield [
            dict(zip(line_up, play(line_up, [0.0] * bots, random), strict=True))
            for line_up in line_up_games
        ]


def pair_apart(
    blocks: Sequence[list[dict[int, float]]], one: int, other: int, error: float
) -> bool:
    """Tell whether betting ever tells two bots apart in the games that they share."""
    betting = BettingInterval(error)
    values = [
        [
            (game[one] - game[other] + 1) / 2
            for game in block
            if {one, other} <= set(game)
        ]
        for block in blocks
    ]
    for block in values:
        betting.add(block, sum(map(len, values)))
    return not betting.interval.low <= 1 / 2 <= betting.interval.high


def many_truth(
    bots: int, skills: Sequence[float], random: Random, seconds: float
) -> list[float]:
    """Return the mean score of each bot over many whole designs."""
    total, count = [0.0] * bots, [0] * bots
    end = process_time() + seconds
    while process_time() < end:
        for scores in many_blocks(bots, len(line_ups(bots).blocks), skills, random):
            for bot, values in enumerate(scores):
                total[bot] += sum(values)
                count[bot] += len(values)
    return [each / of for each, of in zip(total, count, strict=True)]


def many_blocks(
    bots: int, rounds: int, skills: Sequence[float], random: Random
) -> Iterator[list[list[float]]]:
    """Return the scores of each bot in *rounds* blocks, with labels drawn."""
    blocks = line_ups(bots).blocks
    labels: list[int] = []
    for at in range(rounds):
        if at % len(blocks) == 0:
            labels = random.sample(range(bots), bots)
        yield many_scores(blocks[at % len(blocks)], labels, skills, random)


def many_intervals(blocks: Sequence[list[list[float]]], bots: int) -> list[Interval]:
    """Return the any-time interval of each bot after *blocks*."""
    found = []
    for bot in range(bots):
        betting = BettingInterval(ERROR)
        planned = sum(len(block[bot]) for block in blocks)
        for block in blocks:
            betting.add(block[bot], planned)
        found.append(betting.interval)
    return found


def many_scores(
    block: Sequence[Sequence[int]],
    labels: Sequence[int],
    skills: Sequence[float],
    random: Random,
) -> list[list[float]]:
    """Return the scores of each bot in a block of a larger field."""
    found: list[list[float]] = [[] for _ in skills]
    for game in block:
        line_up = [labels[bot] for bot in game]
        for bot, score in zip(line_up, play(line_up, skills, random), strict=True):
            found[bot].append(score)
    return found


def main() -> None:
    """Print all parts."""
    parser = argparse.ArgumentParser(description=__doc__)
    what = "for each part"
    parser.add_argument("seconds", type=float, nargs="?", default=SECONDS, help=what)
    seconds = parser.parse_args().seconds
    random = Random(20261122)
    blocks = pool(SKILLS, random)
    told = ", ".join(
        f"{name} {truth(blocks)[bot]:.3f}" for name, bot in FOLLOWED.items()
    )
    zeros = fmean(not score for block in blocks for game in block for score in game)
    print(f"mean scores: {told}; {zeros:.0%} of all scores are 0")
    show_fixed(blocks, random, seconds)
    show_any_time(blocks, random, LONGEST * seconds)
    show_false_verdicts(random, seconds)
    for bots in MANY:
        show_many(bots, random, seconds)
    for bots in (8, 11):
        show_many_false_verdicts(bots, random, seconds / 2)


if __name__ == "__main__":
    main()

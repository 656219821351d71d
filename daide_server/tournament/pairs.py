"""Which of two bots did better in the games that they shared.

Differences within a game take out what all players of the game had in common. The
verdicts are Holm's: all of them together are wrong with at most the stated chance, for
a number of games that was fixed before.
"""

from collections.abc import Mapping, Sequence
from itertools import chain, combinations
from statistics import fmean

from daide_server.classes import frozen

from .figures import FiguresOf, figures_by
from .game_outcomes import Ledger
from .intervals import ERROR, Interval, chance_of_none, fixed_interval
from .tallies import game_scores

Pair = tuple[int, int]
"""Two bots by their numbers, the smaller first."""

Differences = Mapping[Pair, list[list[float]]]
"""Score of the first less that of the second: for each block, its shared games."""


@frozen
class Comparison:
    """A cell of the cross table: how the first of `pair` did against the second.

    `difference` is the mean of score differences, `better` the share of shared games
    in which the first had more (ties count half), `chance` that of so large a
    difference between equal bots. `holds`: it holds up after Holm's correction.
    """

    pair: Pair
    games: int
    difference: float
    better: float
    interval: Interval | None
    chance: float | None
    holds: bool


def cross_table(
    ledger: Ledger, figures_of: FiguresOf | None = None, error: float = ERROR
) -> tuple[Comparison, ...]:
    """Return the comparison of each pair that shared a game in a finished block."""
    found = differences(ledger, figures_of or figures_by(ledger.plan.description))
    blocks = {pair: _means(of) for pair, of in found.items()}
    chances = {pair: chance_of_none(means) for pair, means in blocks.items()}
    verdicts = holm([1.0 if c is None else c for c in chances.values()], error)
    holding = dict(zip(chances, verdicts, strict=True))
    return tuple(
        _comparison(pair, of, chances[pair], holds=holding[pair])
        for pair, of in sorted(found.items())
    )


def holm(chances: Sequence[float], error: float = ERROR) -> tuple[bool, ...]:
    """Return which of the statements with *chances* hold together (Holm 1979).

    The i-th smallest of m is compared with error / (m - i + 1), up to the first that
    fails.
    """
    order = sorted(range(len(chances)), key=chances.__getitem__)
    holding: set[int] = set()
    for rank, at in enumerate(order):
        if chances[at] > error / (len(chances) - rank):
            break
        holding.add(at)
    return tuple(at in holding for at in range(len(chances)))


def differences(ledger: Ledger, figures_of: FiguresOf) -> Differences:
    """Return the score differences of all pairs, in the finished blocks of *ledger*."""
    bots = range(len(ledger.plan.description.bots))
    found: dict[Pair, list[list[float]]] = {pair: [] for pair in combinations(bots, 2)}
    for block in ledger.blocks():
        for blocks in found.values():
            blocks.append([])
        for game in block:
            for pair, difference in game_differences(game_scores(figures_of(game))):
                found[pair][-1].append(difference)
    return {pair: blocks for pair, blocks in found.items() if any(blocks)}


def game_differences(scores: Mapping[int, float]) -> list[tuple[Pair, float]]:
    """Return the difference of each pair of bots in a game with *scores*."""
    ranked = sorted(scores.items())
    return [
        ((one, other), score - other_score)
        for (one, score), (other, other_score) in combinations(ranked, 2)
    ]


def _comparison(
    pair: Pair, blocks: Sequence[list[float]], chance: float | None, *, holds: bool
) -> Comparison:
    games = list(chain(*blocks))
    interval = fixed_interval(_means(blocks))
    return Comparison(
        pair=pair,
        games=len(games),
        difference=fmean(games),
        better=fmean((each > 0) + (each == 0) / 2 for each in games),
        interval=interval.within(-1, 1) if interval else None,
        chance=chance,
        holds=holds,
    )


def _means(blocks: Sequence[list[float]]) -> list[float]:
    return [fmean(block) for block in blocks if block]

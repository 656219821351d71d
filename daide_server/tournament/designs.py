"""Which bots meet, and in which seats: balanced line-ups for any number of bots.

The blocks of a design are in an order in which a run that stops anywhere is nearly
balanced; after the last one it begins again. `rounds` has the usual ones,
`special_designs` those that are balanced sooner but have long blocks, `balance` says
what balanced is.
"""

from collections import Counter
from collections.abc import Hashable, Iterable
from functools import cache, cached_property
from itertools import accumulate
from typing import Final, Literal, TypeVar

from attrs import field as attribute

from daide_server.classes import define, frozen

from .balance import SEATS, Block, LineUp, SeatedPair, meetings, seated_pairs
from .rounds import DesignGoal, round_blocks
from .special_designs import PAIR_DESIGNS, PROJECTIVE, projective_blocks

DesignKind = Literal["line-ups", "one-against-six", "fixed", "ladder"]
Counted = TypeVar("Counted", bound=Hashable)

FEWEST: Final = 2
"""Bots and seats that a design takes at least."""


@define(frozen=True, slots=False)
class Design:
    """Blocks of line-ups that repeat; bots and seats are numbers from 0."""

    bots: int
    seats: int
    blocks: tuple[Block, ...] = attribute(repr=False)

    @cached_property
    def places(self) -> tuple[tuple[int, int], ...]:
        """The block of each game, and the place that it has there."""
        return tuple(
            (block, at)
            for block, games in enumerate(self.blocks)
            for at in range(len(games))
        )

    @cached_property
    def block_starts(self) -> tuple[int, ...]:
        """How many games there are before each block, and in all."""
        return (0, *accumulate(map(len, self.blocks)))

    @property
    def cycle_games(self) -> int:
        """How many games it has before it begins again."""
        return self.block_starts[-1]


@frozen
class GamesToBalance:
    """After how many games a design is balanced; `None` if it never is."""

    pairs: int | None
    everything: int | None


def games_to_balance(design: Design) -> GamesToBalance:
    """Return after how many whole blocks, in games, *design* first has P, and F."""
    bots, seats, games, paired = design.bots, design.seats, 0, None
    met: Counter[tuple[int, int]] = Counter()
    seated: Counter[SeatedPair] = Counter()
    for block in design.blocks:
        games += len(block)
        met.update(pair for game in block for pair in meetings(game))
        seated.update(pair for game in block for pair in seated_pairs(game))
        is_paired = _is_even(met, bots * (bots - 1) // 2)
        paired = games if is_paired and paired is None else paired
        if is_paired and _is_even(seated, bots * (bots - 1) * seats * (seats - 1)):
            return GamesToBalance(paired, games)
    return GamesToBalance(paired, None)


def _is_even(counts: Counter[Counted], cells: int) -> bool:
    """Tell whether each of *cells* was counted equally often."""
    return len(counts) == cells and len(set(counts.values())) == 1


@cache
def line_ups(bots: int, seats: int = SEATS, goal: DesignGoal = "rounds") -> Design:
    """Return the balanced line-ups of *bots* bots on a board of *seats* powers.

    *goal* matters where one sequence of rounds cannot serve all: 10, 12, 14, 19, 25 and
    31 bots of seven seats, 6 and 10 of as many. Raises `ValueError` for fewer than two
    of either.
    """
    if min(bots, seats) < FEWEST:
        message = f"a design takes two bots and two seats, found {bots} and {seats}"
        raise ValueError(message)
    if goal == "pairs" and (bots, seats) in PAIR_DESIGNS:
        return Design(bots, seats, (PAIR_DESIGNS[bots, seats](),))
    if goal == "everything" and (bots, seats) in PROJECTIVE:
        return Design(bots, seats, projective_blocks(bots, seats))
    return Design(bots, seats, round_blocks(bots, seats, goal))


def one_against_six(
    bots: int, seats: int = SEATS, *, both_ways: bool = False
) -> Design:
    """Return one block: each pair, one bot in each seat once, the other in the rest.

    The bot that is listed first stands alone; *both_ways* adds the reverse.
    """
    pairs = [(one, other) for gap in range(1, bots) for one, other in _apart(bots, gap)]
    pairs += [(other, one) for one, other in pairs] if both_ways else []
    block = tuple(
        tuple(alone if seat == own else field_bot for seat in range(seats))
        for alone, field_bot in pairs
        for own in range(seats)
    )
    return Design(bots, seats, (block,))


def fixed(line_up: LineUp, bots: int) -> Design:
    """Return the design that plays *line_up* only: each game is a block."""
    return Design(bots, len(line_up), ((line_up,),))


def _apart(bots: int, gap: int) -> Iterable[tuple[int, int]]:
    return ((one, one + gap) for one in range(bots - gap))

"""Which bots meet, and in which seats: balanced line-ups for any number of bots.

The blocks of a design are in an order in which a run that stops anywhere is nearly
balanced; after the last one it begins again. `designs.txt` has those of seven seats and
2 to 31 bots, which `tools/designs` found; `balance` says what balanced is.
"""

from collections import Counter
from collections.abc import Hashable, Iterable
from functools import cache, cached_property
from importlib.resources import files
from itertools import accumulate
from math import gcd
from typing import Final, Literal, TypeVar

from attrs import field as attribute

from daide_server.classes import define, frozen

from .balance import SEATS, Block, LineUp, SeatedPair, meetings, seated_pairs

DesignGoal = Literal["rounds", "pairs", "everything"]
"""What a design is best at: short blocks, P soon, or F soon."""
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
    31 bots of seven seats. Raises `ValueError` for fewer than two of either.
    """
    if min(bots, seats) < FEWEST:
        message = f"a design takes two bots and two seats, found {bots} and {seats}"
        raise ValueError(message)
    if seats == SEATS:
        table = _table()
        lines = table.get(f"{bots} {goal}") or table.get(f"{bots} rounds")
        if lines:
            return Design(bots, seats, _blocks(lines))
    return Design(bots, seats, _rotations(bots, seats))


@cache
def _table() -> dict[str, tuple[str, ...]]:
    """Return the designs of the table: their lines, by bots and goal."""
    text = files(__package__).joinpath("designs.txt").read_text("ascii")
    designs = (part.splitlines() for part in text.split("\n\n"))
    return {head: tuple(lines) for head, *lines in designs}


def _blocks(lines: Iterable[str]) -> tuple[Block, ...]:
    """Return the blocks of a design: a line each, with a digit to the base 36 a seat.

    The first line says "moved" if they are repeated with all moves of the seats that
    take any two seats to any two others, x -> a x + b mod 7.
    """
    kind, *rest = lines
    blocks = [
        tuple(tuple(int(digit, 36) for digit in game) for game in line.split())
        for line in rest
    ]
    if kind != "moved":
        return tuple(blocks)
    return tuple(
        tuple(
            tuple(game[(a * seat + b) % SEATS] for seat in range(SEATS))
            for game in block
        )
        for a in range(1, SEATS)
        for b in range(SEATS)
        for block in blocks
    )


def _rotations(bots: int, seats: int) -> tuple[Block, ...]:
    """Return rounds in which the bots move on by one seat, by two, and so on."""
    return tuple(
        tuple(
            tuple((first + step * seat) % bots for seat in range(seats))
            for first in range(bots)
        )
        for step in range(1, bots)
        # A bot has as few seats as it may.
        if bots // gcd(step, bots) >= min(bots, seats)
    )


def one_against_six(
    bots: int,
    seats: int = SEATS,
    *,
    both_ways: bool = False,
    opponent: int | None = None,
) -> Design:
    """Return one block: each pair, one bot in each seat once, the other in the rest.

    The bot that is listed first stands alone; *both_ways* adds the reverse. With an
    *opponent* only that one has the other seats: the games of all others in one seat
    follow each other, and have the same seeds.
    """
    if opponent is not None:
        heroes = [bot for bot in range(bots) if bot != opponent]
        games = [(bot, opponent, own) for own in range(seats) for bot in heroes]
    else:
        pairs = [pair for gap in range(1, bots) for pair in _apart(bots, gap)]
        pairs += [(other, one) for one, other in pairs] if both_ways else []
        games = [(*pair, own) for pair in pairs for own in range(seats)]
    block = tuple(
        tuple(alone if seat == own else field_bot for seat in range(seats))
        for alone, field_bot, own in games
    )
    return Design(bots, seats, (block,))


def fixed(line_up: LineUp, bots: int) -> Design:
    """Return the design that plays *line_up* only: each game is a block."""
    return Design(bots, len(line_up), ((line_up,),))


def _apart(bots: int, gap: int) -> Iterable[tuple[int, int]]:
    return ((one, one + gap) for one in range(bots - gap))

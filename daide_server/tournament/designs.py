"""Which bots meet, and in which seats: balanced line-ups for any number of bots.

The blocks of a design are ordered so that a run that stops anywhere is nearly balanced;
after the last block the design is repeated. `designs.txt` has the designs for seven
seats and 2 to 31 bots, which `tools/designs` found. **P**: every pair of bots meets
equally often. **F**: every ordered pair of bots holds every ordered pair of powers
equally often.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from functools import cache, cached_property
from importlib.resources import files
from itertools import accumulate, combinations, count, permutations
from math import comb, gcd, perm
from typing import Literal

from attrs import define
from attrs import field as attribute

LineUp = tuple[int, ...]
"""The bot in each seat; a bot may have several seats."""

Block = tuple[LineUp, ...]
"""Games that are balanced together."""

SEATS = 7
"""The number of seats on the standard map."""

SeatedPair = tuple[int, int, int, int]
"""A bot, another bot, and the seats that they hold."""


@define
class Balance:
    """The counts of some games; bots and seats are numbers from 0.

    `per_bot` counts the games of a bot, `held` those in which it held a seat, `seated`
    how often two different bots held two seats. `met` has each pair of bots, the
    smaller number first; copies meet several times in one game.
    """

    bots: int
    seats: int
    per_bot: Counter[int] = attribute(factory=Counter, init=False)
    held: Counter[tuple[int, int]] = attribute(factory=Counter, init=False)
    met: Counter[tuple[int, int]] = attribute(factory=Counter, init=False)
    seated: Counter[SeatedPair] = attribute(factory=Counter, init=False)

    def add(self, line_ups: Iterable[LineUp]) -> None:
        """Count the games of *line_ups*."""
        for line_up in line_ups:
            self.per_bot.update(set(line_up))
            self.held.update(zip(line_up, count(), strict=False))
            self.met.update(meetings(line_up))
            self.seated.update(seated_pairs(line_up))

    @property
    def game_spread(self) -> int:
        """The difference between the most and the fewest games of a bot."""
        return _spread(self.per_bot.values(), self.bots)

    @property
    def seat_spread(self) -> int:
        """The difference between the most and the fewest games of a bot in a seat."""
        return _spread(self.held.values(), self.bots * self.seats)

    @property
    def pair_spread(self) -> int:
        """The difference between the most and the fewest meetings of two bots."""
        return _spread(self.met.values(), comb(self.bots, 2))

    @property
    def largest_imbalance(self) -> int:
        """The largest of these spreads."""
        return max(self.game_spread, self.seat_spread, self.pair_spread)

    @property
    def is_pair_balanced(self) -> bool:
        """Whether the games have the property P."""
        return self.pair_spread == 0

    @property
    def is_fully_balanced(self) -> bool:
        """Whether the games have the properties F and P."""
        cells = perm(self.bots, 2) * perm(self.seats, 2)
        return self.is_pair_balanced and _spread(self.seated.values(), cells) == 0


def balance(line_ups: Iterable[LineUp], bots: int, seats: int) -> Balance:
    """Return the counts of *line_ups* over *bots* and *seats*."""
    counts = Balance(bots, seats)
    counts.add(line_ups)
    return counts


def seated_pairs(line_up: LineUp) -> Iterable[SeatedPair]:
    """Yield each ordered pair of different bots with their seats."""
    for (seat, bot), (other_seat, other) in permutations(enumerate(line_up), 2):
        if bot != other:
            yield bot, other, seat, other_seat


def meetings(line_up: LineUp) -> Iterable[tuple[int, int]]:
    """Yield each pair of different bots, the smaller number first."""
    for one, other in combinations(line_up, 2):
        if one != other:
            yield (one, other) if one < other else (other, one)


def _spread(counts: Collection[int], cells: int) -> int:
    """Return largest minus smallest of *cells* counts; zeros may be missing."""
    smallest = min(counts, default=0) if len(counts) == cells else 0
    return max(counts, default=0) - smallest


DesignGoal = Literal["rounds", "pairs", "everything"]
"""The priority of a design: short blocks, P early, or F early."""
DesignKind = Literal["line-ups", "one-against-six", "fixed", "ladder"]

FEWEST = 2
"""The minimum number of bots, and of seats."""


@define(frozen=True, slots=False)
class Design:
    """Repeating blocks of line-ups; bots and seats are numbers from 0.

    The scores of a game add up to 1, so a bot with two seats in each game scores at
    most half, as the mean of its seats: `most_score`. `bot_share` is the mean share of
    the games that a bot plays, `pair_share` of those that compare two bots.

    `can_leave_out`: the others can play without a benched bot. If it has a seat in
    every game they cannot: a holding bot takes its seats, and each of the others meets
    that bot equally often. `is_relabelled`: each cycle draws anew which bot has which
    number.
    """

    bots: int
    seats: int
    blocks: tuple[Block, ...] = attribute(repr=False)
    most_score: float = 1.0
    bot_share: float = 1.0
    pair_share: float = 1.0
    can_leave_out: bool = True
    is_relabelled: bool = False

    @cached_property
    def block_starts(self) -> tuple[int, ...]:
        """The number of games before each block, and in all."""
        return (0, *accumulate(map(len, self.blocks)))

    @property
    def cycle_games(self) -> int:
        """The number of games before the design repeats."""
        return self.block_starts[-1]


def games_to_balance(design: Design) -> tuple[int | None, int | None]:
    """Return after how many games, in complete blocks, *design* first has P, and F.

    `None` if it never has.
    """
    counts, paired = Balance(design.bots, design.seats), None
    for games, block in zip(design.block_starts[1:], design.blocks, strict=True):
        counts.add(block)
        if counts.is_pair_balanced:
            paired = paired or games
            if counts.is_fully_balanced:
                return paired, games
    return paired, None


@cache
def line_ups(bots: int, seats: int = SEATS, goal: DesignGoal = "rounds") -> Design:
    """Return the balanced line-ups of *bots* bots on a board of *seats* powers.

    *goal* matters only if no sequence of rounds is best for all goals: for 10, 12, 14,
    19, 25 and 31 bots in seven seats. Raises `ValueError` for fewer than two bots or
    seats.
    """
    if min(bots, seats) < FEWEST:
        message = f"a design takes two bots and two seats, found {bots} and {seats}"
        raise ValueError(message)
    table = _table() if seats == SEATS else {}
    lines = table.get(f"{bots} {goal}") or table.get(f"{bots} rounds")
    return Design(
        bots,
        seats,
        _blocks(lines) if lines else _rotations(bots, seats),
        most_score=1 / max(1, seats // bots),
        bot_share=min(1.0, seats / bots),
        pair_share=min(1.0, perm(seats, 2) / perm(bots, 2)),
        can_leave_out=bots > seats,
        is_relabelled=True,
    )


@cache
def _table() -> dict[str, tuple[str, ...]]:
    """Return the designs of the table: their lines, by bots and goal."""
    text = files(__package__).joinpath("designs.txt").read_text("ascii")
    designs = (part.splitlines() for part in text.split("\n\n"))
    return {head: tuple(lines) for head, *lines in designs}


def _blocks(lines: Iterable[str]) -> tuple[Block, ...]:
    """Return the blocks of a design: a line each, with a base-36 digit for each seat.

    "moved" in the first line means that they are repeated with all permutations x -> a
    x + b mod 7 of the seats, which map any two seats to any two others.
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
        # A bot has as few seats as possible.
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

    The bot that is listed first plays alone; *both_ways* adds the reverse. With an
    *opponent* only that bot has the other seats: the games of all others in one seat
    are consecutive and have the same seeds.
    """
    if opponent is not None:
        others = [bot for bot in range(bots) if bot != opponent]
        games = [(bot, opponent, own) for own in range(seats) for bot in others]
        bot_share = pair_share = 1 / len(others)
    else:
        gaps = range(1, bots)
        pairs = [(one, one + gap) for gap in gaps for one in range(bots - gap)]
        pairs += [(other, one) for one, other in pairs] if both_ways else []
        games = [(*pair, own) for pair in pairs for own in range(seats)]
        bot_share, pair_share = 2 / bots, 1 / comb(bots, 2)
    block = tuple(
        tuple(alone if seat == own else rest for seat in range(seats))
        for alone, rest, own in games
    )
    return Design(bots, seats, (block,), bot_share=bot_share, pair_share=pair_share)

"""Balance of a set of games: counts of bots in seats, and the largest imbalance.

**P**: every pair of bots meets equally often. **F**: every ordered pair of bots holds
every ordered pair of powers equally often.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import combinations, permutations
from typing import Final

from daide_server.classes import define

LineUp = tuple[int, ...]
"""Which bot holds each seat; a bot may hold several."""

Block = tuple[LineUp, ...]
"""Games that are balanced together."""

SEATS: Final = 7
"""Of the standard map."""

SeatedPair = tuple[int, int, int, int]
"""A bot, another bot, and the seats that they hold."""


@define(frozen=True, slots=False)
class Balance:
    """The counts of some games: bots and seats are numbers from 0.

    `held[bot][seat]` counts the games in which the bot held the seat, and
    `seated_pairs` how often two different bots held two seats.
    """

    games: int
    per_bot: tuple[int, ...]
    held: tuple[tuple[int, ...], ...]
    seated_pairs: Counter[SeatedPair]

    @property
    def bots(self) -> int:
        """How many bots there are."""
        return len(self.held)

    @property
    def seats(self) -> int:
        """How many seats a game has."""
        return len(self.held[0])

    @cached_property
    def meetings(self) -> Counter[tuple[int, int]]:
        """How often each pair of bots met, the smaller number first.

        Copies meet several times in one game.
        """
        met: Counter[tuple[int, int]] = Counter()
        for (one, other, _, _), count in self.seated_pairs.items():
            if one < other:
                met[one, other] += count
        return met

    @property
    def game_spread(self) -> int:
        """The most minus the fewest games of a bot."""
        return _spread(self.per_bot, self.bots)

    @property
    def seat_spread(self) -> int:
        """The most minus the fewest games of a bot in a seat."""
        cells = [count for row in self.held for count in row]
        return _spread(cells, len(cells))

    @property
    def pair_spread(self) -> int:
        """The most minus the fewest meetings of two bots."""
        return _spread(self.meetings.values(), self.bots * (self.bots - 1) // 2)

    @property
    def seated_pair_spread(self) -> int:
        """The most minus the fewest games of two bots in two seats."""
        cells = self.bots * (self.bots - 1) * self.seats * (self.seats - 1)
        return _spread(self.seated_pairs.values(), cells)

    @property
    def largest_imbalance(self) -> int:
        """The largest of the spreads of games, seats and meetings."""
        return max(self.game_spread, self.seat_spread, self.pair_spread)

    @property
    def is_pair_balanced(self) -> bool:
        """Whether the games have the property P, and every bot every seat as often."""
        return self.largest_imbalance == 0

    @property
    def is_fully_balanced(self) -> bool:
        """Whether the games have the property F, and every bot every seat as often."""
        return self.is_pair_balanced and self.seated_pair_spread == 0


def balance(line_ups: Iterable[LineUp], bots: int, seats: int) -> Balance:
    """Return the counts of *line_ups* over *bots* and *seats*."""
    line_ups = tuple(line_ups)
    held = [[0] * seats for _ in range(bots)]
    for line_up in line_ups:
        for seat, bot in enumerate(line_up):
            held[bot][seat] += 1
    played = Counter(bot for line_up in line_ups for bot in set(line_up))
    return Balance(
        len(line_ups),
        tuple(played[bot] for bot in range(bots)),
        tuple(map(tuple, held)),
        Counter(pair for line_up in line_ups for pair in seated_pairs(line_up)),
    )


def seated_pairs(line_up: LineUp) -> Iterable[SeatedPair]:
    """Return each ordered pair of different bots with their seats."""
    for (seat, bot), (other_seat, other) in permutations(enumerate(line_up), 2):
        if bot != other:
            yield bot, other, seat, other_seat


def meetings(line_up: LineUp) -> Iterable[tuple[int, int]]:
    """Return each pair of different bots, the smaller number first."""
    for one, other in combinations(line_up, 2):
        if one != other:
            yield (one, other) if one < other else (other, one)


def _spread(counts: Iterable[int], cells: int) -> int:
    """Return largest minus smallest of *cells* counts; zeros may be left out."""
    found: Sequence[int] = tuple(counts)
    smallest = min(found, default=0) if len(found) == cells else 0
    return max(found, default=0) - smallest

"""The result of a game that is scored, and the ties that all systems share.

Everything is counted in integers and fractions: a tie is never decided by rounding.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property

from attrs import define

from daide_server.board.names import IdentityEnum, Power

Points = Mapping[Power, Fraction]
RankKey = tuple[int, int]
"""The key that ranks powers: higher is better."""

NOT_ELIMINATED = 1 << 30
"""The year of elimination of a surviving power."""


class SeatEnd(IdentityEnum):
    """How a game ended for a power.

    `DRAW` is a draw by vote; `SHARED` means that the power survived when the game ended
    at the year limit.
    """

    WIN = "win"
    DRAW = "draw"
    SHARED = "shared"
    SURVIVED = "survived"
    ELIMINATED = "eliminated"


@define(frozen=True, slots=False)
class GameResult:
    """The input of a scoring system.

    `centres` has every power. `eliminated` has the year of the fall in which a power
    lost its last centre, where it is known. `soloist` has won, possibly by concession;
    `draw` are the powers that share the result otherwise, all survivors if it is empty;
    `by_vote`: the players voted for it. `supply` counts the centres of the board,
    including unowned ones.
    """

    centres: Mapping[Power, int]
    eliminated: Mapping[Power, int]
    soloist: Power | None
    draw: frozenset[Power]
    first_year: int
    last_year: int
    supply: int
    by_vote: bool = False

    @cached_property
    def survivors(self) -> tuple[Power, ...]:
        """The powers that own a centre."""
        return tuple(power for power, count in self.centres.items() if count)

    @cached_property
    def sharing(self) -> frozenset[Power]:
        """The survivors that share a draw."""
        return (self.draw & frozenset(self.survivors)) or frozenset(self.survivors)

    def end_of(self, power: Power) -> SeatEnd:
        """Return how the game ended for *power*; eliminated powers share no draw."""
        if power == self.soloist:
            return SeatEnd.WIN
        if not self.centres[power]:
            return SeatEnd.ELIMINATED
        if self.soloist is not None or power not in self.sharing:
            return SeatEnd.SURVIVED
        return SeatEnd.DRAW if self.by_vote else SeatEnd.SHARED

    @cached_property
    def top(self) -> int:
        """The count of the largest power."""
        return max(self.centres.values(), default=0)

    @cached_property
    def toppers(self) -> tuple[Power, ...]:
        """The powers that have the largest count."""
        return tuple(power for power in self.survivors if self.behind(power) == 0)

    @cached_property
    def lead(self) -> int:
        """The lead in centres of a single topper; 0 with several toppers."""
        first, second = (*sorted(self.centres.values(), reverse=True), 0, 0)[:2]
        return first - second

    def behind(self, power: Power) -> int:
        """Return how many centres fewer than the largest *power* has."""
        return self.top - self.centres[power]

    def full_years(self, power: Power) -> int:
        """Return the years that *power* lived through to their end.

        One that died in the fall of its second year has one; one that is alive has
        all, the last one too.
        """
        if self.centres[power]:
            return self.last_year - self.first_year + 1
        return max(0, self._death(power) - self.first_year)

    def years_played(self, power: Power) -> int:
        """Return the years that *power* gave orders in."""
        if self.centres[power]:
            return self.full_years(power)
        return max(0, self._death(power) - self.first_year + 1)

    def by_centres(self, power: Power) -> RankKey:
        """Rank by centres only: the dead are equal."""
        return self.centres[power], 0

    def by_elimination(self, power: Power) -> RankKey:
        """Rank by centres, and then eliminated powers by the time of elimination."""
        return self.centres[power], self._death(power)

    def _death(self, power: Power) -> int:
        if self.centres[power]:
            return NOT_ELIMINATED
        return self.eliminated.get(power, self.first_year)


Ranking = Callable[[Power], RankKey]


def shared(ranking: Ranking, powers: Sequence[Power], worth: Sequence[int]) -> Points:
    """Return the points of each place; tied powers share the average of theirs.

    Places beyond the end of *worth* get nothing.
    """
    return {
        power: Fraction(sum(_worth(worth, place) for place in tied), len(tied))
        for power, tied in _places(ranking, powers).items()
    }


def lowest(ranking: Ranking, powers: Sequence[Power], worth: Sequence[int]) -> Points:
    """Return the points of each place; tied powers get the lowest of theirs."""
    return {
        power: Fraction(_worth(worth, tied[-1]))
        for power, tied in _places(ranking, powers).items()
    }


def ranks(ranking: Ranking, powers: Sequence[Power]) -> Mapping[Power, int]:
    """Return the rank of each power, from 1; after a tie the next rank is left out."""
    return {power: tied[0] + 1 for power, tied in _places(ranking, powers).items()}


def _places(ranking: Ranking, powers: Sequence[Power]) -> Mapping[Power, range]:
    """Return the places, from 0, that each power shares with those tied with it."""
    keys = {power: ranking(power) for power in powers}
    in_order = sorted(keys.values(), reverse=True)
    first = {key: in_order.index(key) for key in in_order}
    return {
        power: range(first[key], first[key] + in_order.count(key))
        for power, key in keys.items()
    }


def _worth(worth: Sequence[int], place: int) -> int:
    return worth[place] if place < len(worth) else 0

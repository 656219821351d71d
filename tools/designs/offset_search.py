"""Offsets by search, where no table has them: exchanges that make meetings even."""

from collections.abc import Iterable, Sequence
from functools import cache

from attrs import frozen

from .offsets import Offsets

SEARCHED_ROUNDS = 12


@cache
def searched_offsets(bots: int, seats: int) -> tuple[Offsets, ...]:
    """Return offsets mod *bots*, one after the other so that meetings stay even.

    They end where the meetings are equal, or after twelve.
    """
    cyclic = tuple(
        tuple((one - other) % bots for other in range(bots)) for one in range(bots)
    )
    search = OffsetSearch(cyclic, seats)
    met = [0] * bots
    found: list[Offsets] = []
    while len(found) < SEARCHED_ROUNDS and (not found or len(set(met[1:])) > 1):
        found.append(search.next_offsets(met))
        met = search.met_after(found[-1], met)
    return tuple(found)


@frozen
class OffsetSearch:
    """Looks for offsets that make meetings even, by exchanging one at a time.

    `differences[a][b]` is a - b. With fewer bots than seats every offset is there as
    often as all fit, and only the rest is chosen.
    """

    differences: tuple[tuple[int, ...], ...]
    seats: int

    def next_offsets(self, met: Sequence[int]) -> Offsets:
        """Return the best offsets found after bots at each distance *met* so often."""
        found = (self._improved(start, met) for start in self._starts())
        return self._all(min(found, key=lambda chosen: self._unevenness(chosen, met)))

    def met_after(self, offsets: Offsets, met: Sequence[int]) -> list[int]:
        """Return how often bots at each distance met, with a round more."""
        after = list(met)
        for one in offsets:
            row = self.differences[one]
            for other in offsets:
                after[row[other]] += 1
        return after

    @property
    def _bots(self) -> int:
        return len(self.differences)

    def _starts(self) -> Iterable[frozenset[int]]:
        """Return sets of offsets to begin with: runs, and the first powers."""
        size = self.seats % self._bots if self.seats >= self._bots else self.seats
        for power in (1, 2, 3):
            order = sorted(
                range(self._bots), key=lambda at: (at**power % self._bots, at)
            )
            yield frozenset(order[:size])

    def _improved(self, chosen: frozenset[int], met: Sequence[int]) -> frozenset[int]:
        while True:
            near = [
                chosen - {out} | {new}
                for out in sorted(chosen)
                for new in range(self._bots)
                if new not in chosen
            ]
            best = min(
                near, key=lambda each: self._unevenness(each, met), default=chosen
            )
            if self._unevenness(best, met) >= self._unevenness(chosen, met):
                return chosen
            chosen = best

    def _unevenness(self, chosen: frozenset[int], met: Sequence[int]) -> int:
        after = self.met_after(self._all(chosen), met)
        return sum(count * count for count in after[1:])

    def _all(self, chosen: frozenset[int]) -> Offsets:
        copies = self.seats // self._bots
        return tuple(sorted([*range(self._bots)] * copies + sorted(chosen)))

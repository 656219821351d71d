"""Random numbers derived from the tournament's seed.

A number is the hash of a seed and of the words for its purpose, so that the order of
the draws never matters. A `NumberStream` is SplitMix64 from such a number, for purposes
that need many numbers.
"""

from collections.abc import MutableSequence
from functools import cache
from hashlib import blake2b

from attrs import define

SEED_BITS = 31
"""The bits of a seed: a positive number that bots in any language can read."""

_MASK = (1 << 64) - 1
_STEP = 0x9E3779B97F4A7C15


def derived(seed: int, *purpose: int | str) -> int:
    """Return 64 bits that depend only on *seed* and *purpose*."""
    words = "/".join(map(str, (seed, *purpose)))
    return int.from_bytes(blake2b(words.encode(), digest_size=8).digest(), "big")


def derived_seed(seed: int, *purpose: int | str) -> int:
    """Return a seed of 31 bits that depends only on *seed* and *purpose*."""
    return derived(seed, *purpose) >> (64 - SEED_BITS)


@define
class NumberStream:
    """A sequence of random numbers from an initial state (SplitMix64)."""

    state: int

    def bits(self) -> int:
        """Return the next 64 bits."""
        self.state = (self.state + _STEP) & _MASK
        mixed = self.state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        return mixed ^ (mixed >> 31)

    def below(self, bound: int) -> int:
        """Return a number from 0 to *bound* - 1."""
        return self.bits() * bound >> 64

    def unit(self) -> float:
        """Return a number from 0 up to, but not including, 1."""
        return (self.bits() >> 11) / (1 << 53)

    def shuffle(self, items: MutableSequence[int]) -> None:
        """Shuffle *items* in place."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]


@cache
def permutation(size: int, seed: int, *purpose: int | str) -> tuple[int, ...]:
    """Return a permutation of 0 to *size* - 1 that depends on *seed* and *purpose*."""
    order = list(range(size))
    NumberStream(derived(seed, *purpose)).shuffle(order)
    return tuple(order)

"""What readers and writers keep: the same orders come again and again."""

from typing import Final, TypeVar

from .tokens import Tokens

K = TypeVar("K")
V = TypeVar("V")

LARGEST_CACHE: Final = 8192
"""How many orders a reader or a writer keeps; more are forgotten all at once."""

LONGEST_KEPT: Final = 64
"""The tokens of the longest order worth keeping: only the route of a convoy is long."""


def is_short(tokens: Tokens) -> bool:
    """Return whether *tokens* are few enough to be kept."""
    return len(tokens) <= LONGEST_KEPT


def kept(cache: dict[K, V], key: K, value: V) -> V:
    """Return *value*, which *cache* now has for *key*."""
    if len(cache) >= LARGEST_CACHE:
        cache.clear()
    cache[key] = value
    return value

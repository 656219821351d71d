"""A bounded cache: bots send and receive the same orders again and again."""

from typing import Final, TypeVar

from .tokens import Tokens

KeyT = TypeVar("KeyT")
CachedT = TypeVar("CachedT")

MAX_ENTRIES: Final = 8192
"""How many entries a cache holds; a full cache is emptied before the next entry."""

MAX_CACHED_TOKENS: Final = 64
"""Longer orders are not cached. Only the route of a convoy makes an order so long."""


class BoundedCache(dict[KeyT, CachedT]):
    """A dictionary that clients cannot grow without limit.

    A hit is `dict.get`. `functools.lru_cache` takes twice as long for a hit (190 ns
    instead of 95), which is measurable for a SUB, and it would store every key;
    a reader stores only valid, short orders.
    """

    def store(self, key: KeyT, value: CachedT) -> CachedT:
        """Add the entry and return *value*."""
        if len(self) >= MAX_ENTRIES:
            self.clear()
        self[key] = value
        return value


class ObjectCache(dict[int, tuple[KeyT, CachedT]]):
    """What belongs to objects that come again and again, by their `id`.

    To look up an equal object takes ten times as long: its hash is computed from its
    parts. The object is kept with the entry, so that no other has its `id`.
    """

    def store(self, key: KeyT, value: CachedT) -> CachedT:
        """Add the entry and return *value*."""
        if len(self) >= MAX_ENTRIES:
            self.clear()
        self[id(key)] = key, value
        return value


def is_cacheable(tokens: Tokens) -> bool:
    """Return whether *tokens* are short enough for a cache."""
    return len(tokens) <= MAX_CACHED_TOKENS

from daide_server.language.cache import (
    MAX_CACHED_TOKENS,
    MAX_ENTRIES,
    BoundedCache,
    ObjectCache,
    is_cacheable,
)
from daide_server.language.tokens import GOF


def test_what_is_kept_is_bounded() -> None:
    """A client cannot fill the memory with orders for units that do not exist."""
    cache: BoundedCache[int, int] = BoundedCache()

    for number in range(MAX_ENTRIES + 5):
        assert cache.store(number, -number) == -number
        assert len(cache) <= MAX_ENTRIES
    assert cache[MAX_ENTRIES + 4] == -MAX_ENTRIES - 4


def test_what_is_kept_of_objects_is_bounded() -> None:
    """Each SUB and each ORD has new objects for the same orders."""
    cache: ObjectCache[list[int], int] = ObjectCache()

    for number in range(MAX_ENTRIES + 5):
        key = [number]
        assert cache.store(key, -number) == -number
        assert len(cache) <= MAX_ENTRIES
        assert cache[id(key)] == (key, -number)


def test_only_short_orders_are_worth_keeping() -> None:
    """Else few long ones would fill as much as many short ones."""
    assert is_cacheable((GOF,) * MAX_CACHED_TOKENS)
    assert not is_cacheable((GOF,) * (MAX_CACHED_TOKENS + 1))

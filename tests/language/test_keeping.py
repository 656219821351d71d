from daide_server.language.keeping import LARGEST_CACHE, LONGEST_KEPT, is_short, kept
from daide_server.language.tokens import GOF


def test_what_is_kept_is_bounded() -> None:
    """A client cannot fill the memory with orders for units that do not exist."""
    cache: dict[int, int] = {}

    for number in range(LARGEST_CACHE + 5):
        assert kept(cache, number, -number) == -number
        assert len(cache) <= LARGEST_CACHE
    assert cache[LARGEST_CACHE + 4] == -LARGEST_CACHE - 4


def test_only_short_orders_are_worth_keeping() -> None:
    """Else few long ones would fill as much as many short ones."""
    assert is_short((GOF,) * LONGEST_KEPT)
    assert not is_short((GOF,) * (LONGEST_KEPT + 1))

"""The order of blocks in which pairs meet as evenly as they can."""

from collections.abc import Callable, Hashable, Iterable, Sequence

from daide_server.tournament.designs import Block, LineUp

MOST_CONSIDERED = 250_000
"""Pairs that are numbered before a block is left where it is."""
MOST_LOOKS = 30_000_000
"""Counts of pairs that are added up to choose blocks; a second or so."""


def in_even_order(
    blocks: Sequence[Block], pairs: Callable[[LineUp], Iterable[Hashable]]
) -> list[Block]:
    """Return *blocks* so that the pairs of each beginning are as even as they can be.

    Each next block is the one whose pairs were met least. After some hundreds of
    thousands of looks the rest stay in their order: nobody plays so many blocks.
    """
    numbers: dict[Hashable, int] = {}
    left: dict[int, tuple[int, ...]] = {}
    looks = 0
    for at, block in enumerate(blocks):
        if looks > MOST_CONSIDERED:
            break
        found = (pair for game in block for pair in pairs(game))
        left[at] = tuple(numbers.setdefault(pair, len(numbers)) for pair in found)
        looks += len(left[at])
    order: list[int] = []
    met, looked = [0] * len(numbers), 0
    while left and looked < MOST_LOOKS:
        looked += looks
        best = min(left, key=lambda at: sum(map(met.__getitem__, left[at])))
        looks -= len(left[best])
        for pair in left.pop(best):
            met[pair] += 1
        order.append(best)
    chosen = frozenset(order)
    rest = (at for at in range(len(blocks)) if at not in chosen)
    return [blocks[at] for at in (*order, *rest)]

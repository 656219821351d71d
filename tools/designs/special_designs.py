"""Designs that are no rounds: the shortest ones for 10, 12 and 14 bots, and for PSL.

Blocks are listed by the number of bots and seats.
"""

from collections.abc import Callable, Iterable, Sequence

from daide_server.tournament.designs import SEATS, Block, seated_pairs

from .even_order import in_even_order
from .galois import field, matching, projective_maps, small_transitive


def projective_blocks(bots: int, seats: int) -> tuple[Block, ...]:
    """Return the images of one line-up under PSL(2, bots - 1), a coset a block."""
    over = field(bots - 1)
    assert over is not None
    group = projective_maps(over)
    part = small_transitive(group)
    left, blocks = list(group), []
    while left:
        coset = {tuple(each[at] for at in left[0]) for each in part}
        blocks.append(tuple(each[:seats] for each in sorted(coset)))
        left = [each for each in left if each not in coset]
    return tuple(in_even_order(blocks, seated_pairs))


def _ten_bots() -> Block:
    """Return 30 line-ups of ten bots: three orbits of Z9 and one of three, by omission.

    Seats are perfect matchings of line-ups and bots, which have three copies each.
    """
    orbits = ((0, 1, None), (0, 5, 8), (0, 5, 7))
    omitted = [_turned(orbit, i) for orbit in orbits for i in range(9)]
    omitted += [_turned((0, 3, 6), i) for i in range(3)]
    sets = [frozenset(range(10)) - each for each in omitted]
    return _seated(sets, copies=3)


def _turned(points: Iterable[int | None], by: int) -> frozenset[int]:
    return frozenset(9 if at is None else (at + by) % 9 for at in points)


def _seated(sets: Sequence[frozenset[int]], copies: int) -> Block:
    """Return *sets* of bots as line-ups in which each bot has each seat *copies* times.

    A regular bipartite graph has a perfect matching (König): one for each seat.
    """
    left = [set(each) for each in sets]
    columns = []
    while left[0]:
        choices = _with_copies(left, copies)
        column = tuple(each // copies for each in matching(choices))
        columns.append(column)
        for bots, bot in zip(left, column, strict=True):
            bots.remove(bot)
    return tuple(zip(*columns, strict=True))


def _with_copies(sets: Sequence[set[int]], copies: int) -> tuple[frozenset[int], ...]:
    """Return each set with its bots as copies, of which each is in as many sets."""
    return tuple(
        frozenset(bot * copies + copy for bot in bots for copy in range(copies))
        for bots in sets
    )


def _fourteen_bots() -> Block:
    """Return 26 line-ups of fourteen bots by the squares mod 13, in seven rotations."""
    squares = sorted({x * x % 13 for x in range(1, 13)})
    moved = [(i, tuple((each + i) % 13 for each in squares)) for i in range(13)]
    sets = [each for i, square in moved for each in ((*square, 13), (*square, i))]
    return tuple((*each[by:], *each[:by]) for by in range(SEATS) for each in sets)


PAIR_DESIGNS: dict[tuple[int, int], Callable[[], Block]] = {
    (10, SEATS): _ten_bots,
    (14, SEATS): _fourteen_bots,
}
"""By bots and seats: the shortest designs that are balanced for pairs."""

PROJECTIVE = {(6, 6), (10, 7), (10, 10), (12, 7), (14, 7)}
"""Bots and seats for which PSL(2, bots - 1) is balanced for everything soonest."""

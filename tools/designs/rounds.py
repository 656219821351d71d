"""Rounds: n games of n bots in which each bot has each seat once.

In game x = 0..n-1 of a round the bot x + e[s] holds seat s. The offsets e decide which
pairs meet: those of `offsets` have rounds that are balanced for pairs together (P);
where n is a prime power q, the rounds c * e, c != 0, of GF(q) are balanced for
everything (F). Elsewhere the offsets are repeated with their seats moved by a group
that takes any two seats to any two others, which turns P into F.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Literal

from daide_server.tournament.designs import SEATS, Block, meetings, seated_pairs

from .even_order import in_even_order
from .galois import GaloisField, affine_maps, field, projective_maps
from .offset_search import OffsetSearch, searched_offsets
from .offsets import (
    CYCLIC,
    FIELD_OFFSETS,
    ROOTS,
    SMALL_FIELDS,
    UNEVEN_AT_FIRST,
    Offsets,
)

DesignGoal = Literal["rounds", "pairs", "everything"]
"""What a design is best at: short blocks, P soon, or F soon."""


def round_blocks(bots: int, seats: int, goal: DesignGoal) -> tuple[Block, ...]:
    """Return the rounds of *bots* on *seats*, the best for *goal*."""
    over = field(bots)
    if seats == SEATS and bots in SMALL_FIELDS and over is not None:
        small = [_round(bots, each, over.add) for each in SMALL_FIELDS[bots]]
        return tuple(in_even_order(small, seated_pairs))
    if over is not None and bots >= seats:
        return _field_blocks(over, *_field_offsets(over, seats, goal))
    offsets = CYCLIC.get(bots) if seats == SEATS else None
    return _moved_blocks(bots, offsets or searched_offsets(bots, seats))


def _round(bots: int, offsets: Offsets, add: Callable[[int, int], int]) -> Block:
    return tuple(tuple(add(x, offset) for offset in offsets) for x in range(bots))


def _field_blocks(
    over: GaloisField, offsets: Offsets, factors: Sequence[int]
) -> tuple[Block, ...]:
    """Return the rounds c * e of *offsets* e, *factors* first."""
    rest = [unit for unit in over.units if unit not in factors]

    def rounds(of: Iterable[int]) -> list[Block]:
        scaled = (tuple(over.multiply(c, each) for each in offsets) for c in of)
        return [_round(over.size, each, over.add) for each in scaled]

    first = in_even_order(rounds(factors), meetings)
    return (*first, *in_even_order(rounds(rest), meetings))


def _field_offsets(
    over: GaloisField, seats: int, goal: DesignGoal
) -> tuple[Offsets, Sequence[int]]:
    """Return offsets, and factors that make them balanced for pairs."""
    units = over.powers(over.generator)
    listed = seats == SEATS and (goal == "pairs" or over.size not in UNEVEN_AT_FIRST)
    if listed and over.size in FIELD_OFFSETS:
        offsets, factor, count = FIELD_OFFSETS[over.size]
        return offsets, over.powers(factor)[:count]
    if listed and over.size in ROOTS:
        order, cosets = ROOTS[over.size]
        return (0, *units[:: len(units) // order])[-SEATS:], units[:cosets]
    # c and -c make the same pairs meet, so half of the units are enough.
    differences = tuple(
        tuple(over.add(one, over.negative(other)) for other in range(over.size))
        for one in range(over.size)
    )
    even = OffsetSearch(differences, seats).next_offsets([0] * over.size)
    return even, units[: max(1, len(units) // 2)]


def _moved_blocks(bots: int, offsets: Sequence[Offsets]) -> tuple[Block, ...]:
    """Return cyclic rounds of *offsets*, repeated with all moves of the seats."""

    def add(left: int, right: int) -> int:
        return (left + right) % bots

    seats = len(offsets[0])
    units = [
        tuple(_round(bots, tuple(each[at] for at in move), add) for each in offsets)
        for move in _seat_moves(seats)
    ]
    if bots < seats:
        flat = [tuple(game for block in unit for game in block) for unit in units]
        places = {line_ups: at for at, line_ups in enumerate(flat)}
        units = [units[places[unit]] for unit in in_even_order(flat, seated_pairs)]
    return tuple(block for unit in units for block in unit)


@cache
def _seat_moves(seats: int) -> tuple[tuple[int, ...], ...]:
    """Return permutations of the seats that take any two to any two others."""
    over, before = field(seats), field(seats - 1)
    if over is not None:
        return affine_maps(over)
    if before is not None:
        return projective_maps(before)
    return tuple(tuple((at + by) % seats for at in range(seats)) for by in range(seats))

"""Fields are fields, and the groups move any two points to any two others."""

from collections import Counter
from itertools import permutations, product

import pytest

from daide_server.tournament.galois import (
    affine_maps,
    field,
    matching,
    projective_maps,
)

SIZES = (2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 19, 23, 25, 27, 29, 31)


@pytest.mark.parametrize("size", SIZES)
def test_a_field_is_one(size: int) -> None:
    """Each unit has one inverse, each element one negative, and products spread."""
    over = field(size)
    assert over is not None
    for unit in over.units:
        assert over.multiply(unit, over.inverse(unit)) == 1
        assert sorted(over.multiply(unit, x) for x in range(size)) == [*range(size)]
        assert over.add(unit, over.negative(unit)) == 0
    assert len(over.powers(over.generator)) == size - 1


@pytest.mark.parametrize("size", [4, 8, 9])
def test_products_distribute(size: int) -> None:
    over = field(size)
    assert over is not None
    for a, b, c in product(range(size), repeat=3):
        left = over.multiply(a, over.add(b, c))
        assert left == over.add(over.multiply(a, b), over.multiply(a, c))


@pytest.mark.parametrize("size", [1, 6, 10, 12, 14, 15, 18])
def test_other_numbers_have_none(size: int) -> None:
    assert field(size) is None


@pytest.mark.parametrize(("size", "order"), [(5, 60), (9, 360), (11, 660)])
def test_projective_groups_are_2_transitive(size: int, order: int) -> None:
    over = field(size)
    assert over is not None
    group = projective_maps(over)
    assert len(group) == order
    moved = Counter((each[0], each[1]) for each in group)
    assert set(moved) == set(permutations(range(size + 1), 2))
    assert len(set(moved.values())) == 1


def test_affine_maps_are_sharply_2_transitive() -> None:
    over = field(7)
    assert over is not None
    moved = Counter((each[0], each[1]) for each in affine_maps(over))
    assert moved == Counter(permutations(range(7), 2))


def test_a_matching_changes_earlier_choices() -> None:
    sets = [frozenset({1, 2}), frozenset({1}), frozenset({2, 3})]
    assert matching(sets) == (2, 1, 3)


def test_no_matching_is_an_error() -> None:
    with pytest.raises(ValueError, match="no perfect matching"):
        matching([frozenset({1}), frozenset({1})])

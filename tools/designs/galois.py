"""Finite fields, and the groups that move any two seats to any two others.

An element of GF(p^k) is the number whose digits to the base p are the coefficients of
its polynomial, the lowest power first; x itself is p.
"""

from collections.abc import Iterable, Sequence
from functools import cache

from attrs import frozen

Permutation = tuple[int, ...]

REDUCTIONS = {
    4: (2, (1, 1)),
    8: (2, (1, 1, 0)),
    9: (3, (1, 1)),
    16: (2, (1, 1, 0, 0)),
    25: (5, (3, 4)),
    27: (3, (2, 1, 0)),
}
"""Of the fields that are not of prime order: p, and x^k by coefficients."""


@frozen
class GaloisField:
    """GF(q): its elements are 0 to q - 1."""

    size: int
    characteristic: int
    reduction: tuple[int, ...]

    def add(self, left: int, right: int) -> int:
        """Return the sum of two elements."""
        digits = zip(self._digits(left), self._digits(right), strict=True)
        return self._number(one + other for one, other in digits)

    def multiply(self, left: int, right: int) -> int:
        """Return the product of two elements."""
        result = 0
        for digit in reversed(self._digits(right)):
            result = self._times_x(result)
            for _ in range(digit):
                result = self.add(result, left)
        return result

    @property
    def units(self) -> range:
        """The elements that can be divided by."""
        return range(1, self.size)

    def negative(self, element: int) -> int:
        """Return the element that adds up to 0 with *element*."""
        return self._number(-digit for digit in self._digits(element))

    def inverse(self, unit: int) -> int:
        """Return the element that multiplies to 1 with *unit*."""
        return next(each for each in self.units if self.multiply(unit, each) == 1)

    def powers(self, element: int) -> tuple[int, ...]:
        """Return 1, *element*, its square and so on, each once."""
        found = [1]
        while (then := self.multiply(found[-1], element)) != 1:
            found.append(then)
        return tuple(found)

    @property
    def generator(self) -> int:
        """The smallest element whose powers are all units."""
        return next(g for g in self.units if len(self.powers(g)) == self.size - 1)

    def _times_x(self, element: int) -> int:
        *low, top = self._digits(element)
        shifted = (0, *low)
        return self._number(
            digit + top * part
            for digit, part in zip(shifted, self.reduction, strict=True)
        )

    def _digits(self, element: int) -> tuple[int, ...]:
        digits = []
        for _ in self.reduction:
            element, digit = divmod(element, self.characteristic)
            digits.append(digit)
        return tuple(digits)

    def _number(self, digits: Iterable[int]) -> int:
        return sum(
            digit % self.characteristic * self.characteristic**place
            for place, digit in enumerate(digits)
        )


@cache
def field(size: int) -> GaloisField | None:
    """Return the field with *size* elements, or `None` if there is none."""
    if size in REDUCTIONS:
        return GaloisField(size, *REDUCTIONS[size])
    is_prime = size > 1 and all(size % factor for factor in range(2, size))
    return GaloisField(size, size, (0,)) if is_prime else None


def affine_maps(over: GaloisField) -> tuple[Permutation, ...]:
    """Return all x -> a x + b, a != 0: sharply 2-transitive on the elements."""
    return tuple(
        tuple(over.add(over.multiply(a, x), b) for x in range(over.size))
        for a in over.units
        for b in range(over.size)
    )


def projective_maps(over: GaloisField) -> tuple[Permutation, ...]:
    """Return PSL(2, q) on the elements and infinity, which is the number q."""
    elements = range(over.size)
    squares = {over.multiply(unit, unit) for unit in over.units}
    shifts = [tuple(over.add(x, by) for x in elements) for by in over.units]
    scalings = [tuple(over.multiply(by, x) for x in elements) for by in squares]
    inverted = (over.negative(over.inverse(unit)) for unit in over.units)
    turned = (over.size, *inverted, 0)
    generators = [(*map_, over.size) for map_ in (*shifts, *scalings)]
    return generated((*generators, turned))


def generated(
    generators: tuple[Permutation, ...], at_most: int = 10_000
) -> tuple[Permutation, ...]:
    """Return the group of *generators*, sorted; nothing if it exceeds *at_most*."""
    group = {tuple(range(len(generators[0])))}
    new = list(group)
    while new and len(group) <= at_most:
        element = new.pop()
        products = {tuple(map(each.__getitem__, element)) for each in generators}
        new.extend(products - group)
        group |= products
    return () if new else tuple(sorted(group))


def is_transitive(group: tuple[Permutation, ...]) -> bool:
    """Tell whether *group* moves the first point to every other."""
    return bool(group) and len({each[0] for each in group}) == len(group[0])


def small_transitive(group: tuple[Permutation, ...]) -> tuple[Permutation, ...]:
    """Return a transitive subgroup that two elements generate, as small as found.

    One of the two has two cycles of half the points each. It is the whole group if
    no subgroup of at most six times as many elements as points is transitive.
    """
    points = len(group[0])
    first = next(each for each in group if _is_half_turn(each))
    found = (generated((first, each), 6 * points) for each in group)
    return min((each for each in found if is_transitive(each)), key=len, default=group)


def _is_half_turn(permutation: Permutation) -> bool:
    half = len(permutation) // 2
    return all(_cycle(permutation, point) == half for point in range(2 * half))


def _cycle(permutation: Permutation, start: int) -> int:
    """Return the length of the cycle that *start* is in."""
    length, at = 1, permutation[start]
    while at != start:
        length, at = length + 1, permutation[at]
    return length


def matching(choices: Sequence[frozenset[int]]) -> tuple[int, ...]:
    """Return one of each of *choices*, no two alike.

    Raises `ValueError` if there is no such selection.
    """
    taken: dict[int, int] = {}

    def place(at: int, tried: set[int]) -> bool:
        for choice in sorted(choices[at] - tried):
            if choice in tried:
                continue
            tried.add(choice)
            if choice not in taken or place(taken[choice], tried):
                taken[choice] = at
                return True
        return False

    if not all(place(at, set()) for at in range(len(choices))):
        raise ValueError("no perfect matching")
    chosen = {at: choice for choice, at in taken.items()}
    return tuple(chosen[at] for at in range(len(choices)))

"""The statements of a map: regions, borders, collections.

A region is named by its nick, its name or its number, in this order, then in any case
if that is unique.

In a collection, bases at one level border each other and all bases above; each member
borders the bases on its path, and not its siblings. With this reading the example of
the assistant's document is true on the real map. One sentence of the document says
that members without a base of their own border each other too: *sibling_borders*.
"""

from collections.abc import Callable, Sequence
from typing import Final

from .regions import REGION_NUMBER, Region, RegionKind, RegionMap
from .square_brackets import bare, inside, listed, split_outside
from .statement_errors import StatementError, expect

MAX_KIND: Final = max(RegionKind)


class StatementReader:
    """Reads the statements of a map; each method raises `StatementError`."""

    def __init__(self, *, sibling_borders: bool) -> None:
        self._sibling_borders = sibling_borders
        self._regions: dict[int, Region] = {}
        self._borders: set[frozenset[int]] = set()

    def region_map(self) -> RegionMap:
        """Return the regions and borders read so far."""
        return RegionMap(tuple(self._regions.values()), frozenset(self._borders))

    def region(self, rest: str) -> None:
        """Read `61:Spain, 4:Spa`; raises `StatementError`."""
        called, comma, kinds = rest.rpartition(",")
        number, colon, name = (bare(part) for part in called.partition(":"))
        kind, _, nick = (bare(part) for part in kinds.partition(":"))
        if not (comma and colon and REGION_NUMBER.fullmatch(number) and name):
            expect(rest, "such as '61:Spain, 4:Spa'")
        if not REGION_NUMBER.fullmatch(kind) or int(kind) > MAX_KIND:
            expect(kind, f"a type of region from 0 to {MAX_KIND}")
        region = Region(int(number), name, RegionKind(int(kind)), nick or name)
        for other in self._regions.values():
            if {other.name, other.nick} & {region.name, region.nick}:
                message = f"{name} or {region.nick} names region {other.number} already"
                raise StatementError(message)
        if region.number in self._regions:
            message = f"there is a region {number} already"
            raise StatementError(message)
        self._regions[region.number] = region

    def border(self, rest: str) -> None:
        """Read `Kie:Den`."""
        first, colon, second = rest.partition(":")
        if not colon:
            expect(rest, "two regions such as 'Kie:Den'")
        self._join(self.number(first), self.number(second))

    def collection(self, rest: str) -> None:
        """Read `[Sil]:[Mun: Boh, Ber], [Gal]`."""
        bases, colon, completions = split_outside(rest, ":")
        if not colon:
            expect(rest, "such as '[Sil]:[Mun], [Pru: Ber, War]'")
        above = self._bases(bases, ())
        for completion in map(inside, listed(completions)):
            if self._sibling_borders and ":" not in completion:
                self._bases(completion, above)
            else:
                self._complete(completion, above)

    def _complete(self, completion: str, above: tuple[int, ...]) -> None:
        """Read `Ber, War`, or `Pru: Ber, War` with bases before each colon."""
        bases, colon, rest = split_outside(completion, ":")
        while colon:
            above = self._bases(bases, above)
            bases, colon, rest = split_outside(rest, ":")
        for member in listed(bases):
            number = self.number(member)
            for base in above:
                self._join(base, number)

    def _bases(self, text: str, above: tuple[int, ...]) -> tuple[int, ...]:
        """Return the bases *above* and those of *text*, which border all of them."""
        bases = above
        for name in listed(inside(text)):
            number = self.number(name)
            for base in bases:
                self._join(base, number)
            bases = (*bases, number)
        return bases

    def _join(self, one: int, other: int) -> None:
        if one == other:
            message = f"{self._regions[one].name} cannot border itself"
            raise StatementError(message)
        self._borders.add(frozenset({one, other}))

    def number(self, text: str) -> int:
        """Return the number of the region with the nick, name or number *text*.

        Raises `StatementError` if there is none.
        """
        name = bare(text)
        regions = self._regions.values()
        tests: Sequence[Callable[[Region], bool]] = (
            lambda region: region.nick == name,
            lambda region: region.name == name,
            lambda region: str(region.number) == name,
            lambda region: name.casefold() in _folded(region),
        )
        for test in tests:
            found = [region.number for region in regions if test(region)]
            if len(found) == 1:
                return found[0]
        message = f"no region is called {name!r}"
        raise StatementError(message)


def _folded(region: Region) -> set[str]:
    return {region.nick.casefold(), region.name.casefold()}

"""Whether fleets join two coasts (DATC 5.B.3, 4.A.1)."""

from collections.abc import Collection, Iterator
from typing import Final

from .sea_tables import SeaTables

_NO_SEAS: Final[frozenset[int]] = frozenset()


def joined(tables: SeaTables, start: int, end: int, seas: Collection[int]) -> bool:
    """Return whether a chain within *seas* leads from *start* to *end*."""
    coasts_of = tables.coasts_of
    for sea in connected(tables, start, seas):  # noqa: SIM110 - half the time of any()
        if end in coasts_of[sea]:
            return True
    return False


def is_useful(
    tables: SeaTables, start: int, end: int, seas: Collection[int], sea: int
) -> bool:
    """Return whether some route within *seas* would be broken without *sea*."""
    return any(sea in route for route in _minimal_routes(tables, start, end, seas))


def _minimal_routes(
    tables: SeaTables, start: int, end: int, seas: Collection[int]
) -> Iterator[tuple[int, ...]]:
    """Yield the routes that would be broken without any one of their seas."""
    ahead: list[tuple[int, ...]]
    ahead = [(sea,) for sea in seas if sea in tables.seas_of.get(start, ())]
    while ahead:
        route = ahead.pop()
        if end in tables.coasts_of[route[-1]]:
            yield route
            continue
        # A sea next to an earlier one of the route would be a shorter way.
        passed = tables.seas_of.get(start, _NO_SEAS).union(
            route, *(tables.seas_of.get(sea, ()) for sea in route[:-1])
        )
        further = tables.seas_of.get(route[-1], _NO_SEAS) - passed
        ahead.extend((*route, sea) for sea in further if sea in seas)


def connected(tables: SeaTables, start: int, seas: Collection[int]) -> Iterator[int]:
    """Yield the seas within *seas* that can be reached from *start* over them."""
    seas_of = tables.seas_of
    reached = set(seas_of.get(start, _NO_SEAS).intersection(seas))
    ahead = list(reached)
    while ahead:
        sea = ahead.pop()
        yield sea
        further = seas_of.get(sea, _NO_SEAS).intersection(seas)
        if not further <= reached:
            ahead += further - reached
            reached |= further

"""Fleets pass a border between two coastal regions if both border one sea."""

from daide_server.atlas.assistant.from_regions import (
    Region,
    RegionKind,
    RegionMap,
    fleet_borders,
)

SEA, OTHER_SEA, INLAND, WEST, EAST, FAR = range(6)
KINDS = {
    SEA: RegionKind.SEA,
    OTHER_SEA: RegionKind.SEA,
    INLAND: RegionKind.INLAND,
    WEST: RegionKind.COASTAL,
    EAST: RegionKind.COASTAL_SUPPLY,
    FAR: RegionKind.COASTAL,
}


def passable(*borders: tuple[int, int]) -> set[tuple[int, ...]]:
    """Return the borders that fleets can pass, of a map with *borders*."""
    regions = tuple(
        Region(number, str(number), kind, str(number)) for number, kind in KINDS.items()
    )
    region_map = RegionMap(regions, frozenset(map(frozenset, borders)))
    return {tuple(sorted(border)) for border in fleet_borders(region_map)}


def test_borders_of_seas_are_passable() -> None:
    assert passable((SEA, WEST), (SEA, OTHER_SEA)) == {(SEA, WEST), (SEA, OTHER_SEA)}


def test_coastal_regions_need_a_common_sea() -> None:
    seas = (SEA, WEST), (SEA, EAST), (OTHER_SEA, FAR)

    assert passable(*seas, (WEST, EAST), (EAST, FAR)) == {*seas, (WEST, EAST)}


def test_borders_of_inland_regions_are_not_passable() -> None:
    assert passable((INLAND, WEST), (INLAND, SEA)) == set()

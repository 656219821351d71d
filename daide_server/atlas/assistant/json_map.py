"""The assistant's map as JSON: regions, and each border at both of its ends.

{"regions": {"0": ["Adriatic Sea", "ADR", 0], ...}, "borders": {"0": [3, 7], ...}}
"""

from collections.abc import Iterator, Mapping, Sequence

import msgspec
from attrs import frozen
from msgspec import Struct

from daide_server.atlas.checking import AtlasError, MapFault

from .from_regions import REGION_NUMBER, Region, RegionKind, RegionMap


class _Stored(Struct):
    """The content of a file; the numbers of regions may be texts."""

    regions: dict[str, tuple[str, str, int]]
    borders: dict[str, list[int | str]]


@frozen
class RepairedMap:
    """A map, and the one-way borders that were completed."""

    region_map: RegionMap
    repairs: tuple[MapFault, ...]


def read(text: str, file: str = "") -> RepairedMap:
    """Return the map in *text*; raises `AtlasError` with all faults."""
    try:
        stored = msgspec.json.decode(text, type=_Stored)
    except msgspec.DecodeError as error:
        raise AtlasError(MapFault(str(error), file)) from error
    problems = [*_wrong_regions(stored.regions), *_wrong_borders(stored)]
    if problems:
        raise AtlasError(*(MapFault(problem, file) for problem in problems))
    regions = (
        Region(int(number), name, RegionKind(kind), nick or name)
        for number, (name, nick, kind) in stored.regions.items()
    )
    borders = (
        frozenset({int(number), int(other)})
        for number, others in stored.borders.items()
        for other in others
    )
    return RepairedMap(
        RegionMap(tuple(regions), frozenset(borders)),
        tuple(MapFault(problem, file) for problem in _one_way(stored)),
    )


def write(region_map: RegionMap) -> str:
    """Return *region_map* as JSON."""
    stored = {
        "regions": {
            str(region.number): [region.name, region.nick, region.kind.value]
            for region in region_map.regions
        },
        "borders": {
            str(region.number): sorted(region_map.near(region.number))
            for region in region_map.regions
        },
    }
    return msgspec.json.format(msgspec.json.encode(stored)).decode() + "\n"


def _wrong_regions(regions: Mapping[str, Sequence[str | int]]) -> Iterator[str]:
    named: dict[object, str] = {}
    for number, (name, nick, kind) in regions.items():
        if not REGION_NUMBER.fullmatch(number):
            yield f"region {number!r}: expected a whole number"
        if kind not in set(RegionKind):
            yield f"region {number}: found type {kind}, expected 0 to {max(RegionKind)}"
        for word in {name, nick or name}:
            if named.setdefault(word, number) != number:
                yield f"region {number}: {word} names region {named[word]} already"


def _wrong_borders(stored: _Stored) -> Iterator[str]:
    for at, ends in _near(stored).items():
        if at not in stored.regions:
            yield f"borders of region {at}, which there is not"
        for end in sorted(ends):
            if end == at:
                yield f"region {at} borders itself"
            elif end not in stored.regions:
                yield f"region {at} borders {end}, which there is not"


def _one_way(stored: _Stored) -> Iterator[str]:
    near = _near(stored)
    for at, ends in near.items():
        for end in sorted(ends):
            if at not in near.get(end, set()):
                yield f"one-way border: region {at} borders {end}, but not back"


def _near(stored: _Stored) -> Mapping[str, set[str]]:
    return {at: {str(end) for end in ends} for at, ends in stored.borders.items()}

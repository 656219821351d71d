"""The borders that fleets can pass.

The assistant has no statement for it between two coastal regions: fleets can pass if
the two share a sea.
"""

from .regions import COASTAL, INLAND, RegionKind, RegionMap


def fleet_borders(region_map: RegionMap) -> frozenset[frozenset[int]]:
    """Return the borders of *region_map* that fleets can pass."""
    kinds = {region.number: region.kind for region in region_map.regions}
    seas = {
        number: {
            near for near in region_map.near(number) if kinds[near] is RegionKind.SEA
        }
        for number in kinds
    }

    def is_open(border: frozenset[int]) -> bool:
        one, other = border
        ends = {kinds[one], kinds[other]}
        if not ends.isdisjoint(INLAND):
            return False
        return not ends <= COASTAL or not seas[one].isdisjoint(seas[other])

    return frozenset(filter(is_open, region_map.borders))

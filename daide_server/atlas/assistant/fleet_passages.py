"""Which borders fleets can pass.

The assistant cannot say it of a border between two coastal regions: fleets can pass
if the two share a sea.
"""

from .regions import COASTAL, INLAND, RegionKind, Sketch


def passages(sketch: Sketch) -> frozenset[frozenset[int]]:
    """Return the borders of *sketch* that fleets can pass."""
    kinds = {region.number: region.kind for region in sketch.regions}
    seas = {
        number: {near for near in sketch.near(number) if kinds[near] is RegionKind.SEA}
        for number in kinds
    }

    def is_open(border: frozenset[int]) -> bool:
        one, other = border
        ends = {kinds[one], kinds[other]}
        if not ends.isdisjoint(INLAND):
            return False
        return not ends <= COASTAL or not seas[one].isdisjoint(seas[other])

    return frozenset(filter(is_open, sketch.borders))

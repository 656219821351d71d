"""Rings of points in the plane, as arrays."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def cross(one: Floats, other: Floats) -> Floats:
    """Return the cross product: the signed area that two vectors span."""
    return one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0]


def centroid(ring: Floats) -> Floats:
    """Return the centroid of the polygon *ring*."""
    after = np.roll(ring, -1, axis=0)
    double = cross(ring, after)
    return ((ring + after) * double[:, None]).sum(axis=0) / (3 * double.sum())


def is_seen_from(ring: Floats, point: Floats) -> bool:
    """Return whether all of *ring* is visible from *point* inside it."""
    after = np.roll(ring, -1, axis=0)
    return bool((cross(ring - point, after - point) > 1e-6).all())  # noqa: PLR2004

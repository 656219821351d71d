"""DiploBN's game JSON: results and orders of a game on the standard map.

A phase is a season with its retreats. What DiploBN has no place for is not written:
press, retreat options, routes, waives.
"""

from .reading import read as read
from .writing import write as write

__all__ = ["read", "write"]

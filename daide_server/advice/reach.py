"""How many units of each power can be in a province after the next turn."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Final

from daide_server.board.names import Power, Province, Unit

from .standpoint import Standpoint


class Reach:
    """Counts, by province, the units of one power and of each of its rivals."""

    def __init__(self, standpoint: Standpoint, units: Iterable[Unit]) -> None:
        self._standpoint: Final = standpoint
        self.own: Final[dict[Province, int]] = defaultdict(int)
        """How many units of the power can be in a province next."""
        self.rivals: Final[dict[Province, dict[Power, int]]] = {}
        """The same for each other power; no entry stands for none."""
        for unit in units:
            self._count(unit)

    # Called for every unit of every order set that is evaluated: no generic counter.
    def _count(self, unit: Unit) -> None:
        power = unit.power
        if power == self._standpoint.power:
            for province in self._standpoint.reachable(unit):
                self.own[province] += 1
            return
        for province in self._standpoint.reachable(unit):
            counts = self.rivals.get(province)
            if counts is None:
                self.rivals[province] = {power: 1}
            else:
                counts[power] = counts.get(power, 0) + 1

    def strongest_rival(self, province: Province) -> Power | None:
        """Return the rival that can be in *province* with most units, if any can."""
        rivals = self.rivals.get(province)
        return max(rivals, key=rivals.__getitem__) if rivals else None

    def rival_strength(self, province: Province) -> int:
        """Return how many units the strongest rival can have in *province*."""
        rivals = self.rivals.get(province)
        return max(rivals.values()) if rivals else 0

    def is_outnumbered(self, province: Province) -> bool:
        """Return whether a rival can be in *province* with more units."""
        return self.rival_strength(province) > self.own[province]

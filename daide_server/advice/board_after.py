"""The board after a turn, as one power sees it: centres, losses and threats.

What each of them counts is in `weights`; the centres that can be entered next are in
`prospects`.
"""

from collections.abc import Iterator
from typing import Final

from daide_server.board.names import Province
from daide_server.board.turns import Season
from daide_server.judge.resolution import Resolution

from .reach import Reach
from .standpoint import Standpoint
from .weights import DISLODGED_WEIGHT, EXPOSED, RIVAL, UNIT, VICTORY


class BoardAfter:
    """The board after *resolution*, as the power of *standpoint* sees it."""

    def __init__(self, standpoint: Standpoint, resolution: Resolution) -> None:
        self.standpoint: Final = standpoint
        self.resolution: Final = resolution
        self.power: Final = standpoint.power
        self.map: Final = standpoint.map
        self.owners: Final = standpoint.before.owners
        """Who owned the centres before the turn."""
        self.scale: Final = standpoint.scale
        units = resolution.units
        self.occupants: Final = {unit.province: unit for unit in units}
        self.own_units: Final = [unit for unit in units if unit.power == self.power]
        self.reach: Final = Reach(standpoint, units)

    def centres(self) -> float:
        """Return the worth of the centres that are entered, less those lost."""
        entered, lost = tuple(self.entered()), tuple(self.lost())
        rivals = sum(at in self.owners for at in entered)
        total = len(entered) + RIVAL * rivals - len(lost)
        won = self.has_won(len(entered) - len(lost))
        beaten = self.resolution.winner not in {None, self.power}
        return total * self.scale.standing + VICTORY * (won - beaten)

    def has_won(self, gained: int) -> bool:
        """Return whether *gained* more centres win the game, after any retreats."""
        if self.standpoint.before.turn.season not in {Season.FALL, Season.AUTUMN}:
            return False
        owned = sum(owner == self.power for owner in self.owners.values())
        return owned + gained >= self.map.majority

    def entered(self) -> Iterator[Province]:
        """Yield the centres that the power does not own and has a unit in."""
        for unit in self.own_units:
            at = unit.province
            if at in self.map.centres and self.owners.get(at) != self.power:
                yield at

    def lost(self) -> Iterator[Province]:
        """Yield the centres that the power owns and others have units in."""
        for at, owner in self.owners.items():
            occupant = self.occupants.get(at)
            if owner == self.power and occupant and occupant.power != self.power:
                yield at

    def losses(self) -> float:
        """Return the worth of units built and lost; those of rivals count less."""
        before = self.standpoint.before
        had = len(before.units_of(self.power)) + len(before.dislodged_of(self.power))
        total = UNIT * (len(self.own_units) - had)
        for unit in self.resolution.dislodged:
            lost = UNIT - DISLODGED_WEIGHT if self.resolution.retreats[unit] else 0.0
            if unit.power == self.power:
                total += lost
            else:
                total += RIVAL * (UNIT - lost)
        return total

    def threats(self) -> float:
        """Return the worth of what rivals can take next."""
        open_centres = sum(1 for _ in self.open_centres())
        exposed = sum(
            self.reach.is_outnumbered(unit.province) for unit in self.own_units
        )
        return self.scale.threat * open_centres + EXPOSED * exposed

    def open_centres(self) -> Iterator[Province]:
        """Yield the power's centres that a rival can enter with more units."""
        for at in self.standpoint.centres:
            occupant = self.occupants.get(at)
            holder = occupant.power if occupant else self.owners.get(at)
            if holder == self.power and self.reach.is_outnumbered(at):
                yield at

    def nearness(self) -> float:
        """Return the total attractiveness of the sites of the power's units."""
        return self.standpoint.nearness(self.own_units)

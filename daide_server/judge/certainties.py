"""What is certain at once: it holds whatever becomes of any other move.

A convoy that nobody attacks arrives. A support is given if nobody moves to where the
supporter is, and cut if another power does, by land and not from where the support is
aimed at. A move that is alone, to a province where nobody is, succeeds.
"""

from collections.abc import Mapping

from .equations import Equations
from .movement_legality import MovementLegality
from .readings import Reading
from .resolver import OPEN
from .rules import Rules


class Certainties(Equations):
    """The decisions of one turn, those that are certain at once made."""

    def __init__(
        self,
        legality: MovementLegality,
        orders: Mapping[int, Reading],
        rules: Rules,
        by_land: frozenset[int] = frozenset(),
    ) -> None:
        super().__init__(legality, orders, rules, by_land)
        self.entered: dict[int, int] = {}
        """The provinces that a unit enters, with the unit."""
        self.attacked: list[int] = []
        """Who supports and is moved to."""
        self.doubted: set[int] = set()
        """The units with a support that may be cut, or not."""
        self.threatened = False
        """Whether a convoy may be disrupted."""
        self.tried: set[int] = set()
        """The provinces of which it was asked who enters them."""

    def decide_at_once(self) -> list[int]:
        """Decide what is certain; return the provinces that are left to decide.

        Supports that are cut are no longer among `backing`.
        """
        if self.carriers:
            self._launch_convoys()
        self._cut_supports()
        return self._enter_empty()

    def _launch_convoys(self) -> None:
        """Decide the convoys that nobody attacks."""
        movers, values, paths = self.movers, self.values, self.paths
        for army, fleets in self.carriers.items():
            if movers.keys().isdisjoint(fleets):
                values[paths + army] = 1
            else:
                self.threatened = True

    def _cut_supports(self) -> None:
        """Decide the supports of units that somebody moves to."""
        movers = self.movers
        for order in self.supporting:
            if order.place in movers:
                self.attacked.append(order.place)
                self._cut(order)

    def _cut(self, order: Reading) -> None:
        unit, helped = order.place, order.other
        given = self.values[self.supports + unit] = self._given_at_sight(order)
        if unit in self.unmatched or given == 1:
            return
        if given == OPEN:
            self.doubted.add(helped)
        else:
            self.backing[helped].remove(unit)

    def _given_at_sight(self, order: Reading) -> int:
        """Return whether a support is given if only its attackers are looked at."""
        at, carriers, aim = self.at, self.carriers, order.target
        power, given = at[order.place].power, 1
        for attacker in self.movers[order.place]:
            if at[attacker].power != power:
                if attacker != aim and attacker not in carriers:
                    return 0
                given = OPEN
        return given

    def _enter_empty(self) -> list[int]:
        """Decide the moves that are alone; return where the others lead."""
        at, carriers, values = self.at, self.carriers, self.values
        crowded = []
        for province, movers in self.movers.items():
            mover = movers[0]
            if province in at or len(movers) > 1 or mover in carriers:
                crowded.append(province)
            else:
                values[mover] = 1
                self.entered[province] = mover
        return crowded

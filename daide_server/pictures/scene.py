"""What a picture shows: a position, and what became of the orders given in it."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Final

from attrs import define

from daide_server.board.names import Location, Power, Province, Unit
from daide_server.board.orders import Build
from daide_server.board.position import Position
from daide_server.board.results import OrderResult, Report
from daide_server.board.turns import Phase, Season
from daide_server.board.variant import Variant

from .colours import colours
from .geometry import plus
from .picture import Picture, Point

SEASON_NAMES: Final[Mapping[Season, str]] = {
    Season.SPRING: "Spring",
    Season.SUMMER: "Summer",
    Season.FALL: "Fall",
    Season.AUTUMN: "Autumn",
    Season.WINTER: "Winter",
}
PHASE_NAMES: Final[Mapping[Phase, str]] = {
    Phase.MOVEMENT: "movement",
    Phase.RETREATS: "retreats",
    Phase.ADJUSTMENTS: "adjustments",
}
BESIDE: Final = (18.0, -14.0)
"""Where a dislodged unit stands, seen from the one that took its place."""


@define(eq=False, slots=False)
class Scene:
    """One turn on one picture.

    `reports` are empty where there are no orders to show; a report without a result
    shows an order of which nothing more is known.
    """

    variant: Variant
    picture: Picture
    position: Position
    reports: tuple[Report, ...] = ()

    @property
    def heading(self) -> str:
        """Return such as `Spring 1901, movement`."""
        turn = self.position.turn
        return f"{SEASON_NAMES[turn.season]} {turn.year}, {PHASE_NAMES[turn.phase]}"

    @cached_property
    def colours(self) -> Mapping[Power, str]:
        """The colour of each power."""
        return colours(self.variant)

    @cached_property
    def standing(self) -> Mapping[Province, Unit]:
        """The units in place."""
        return {unit.province: unit for unit in self.position.units}

    def title(self, name: str) -> str:
        """Return the full name of a power or province."""
        return self.variant.titles.get(name, name)

    def owner_shown(self, province: Province) -> Power | None:
        """Return whose colour the ground of *province* has."""
        centre = self.picture.follows.get(province, province)
        return self.position.owners.get(centre)

    def place(self, location: Location) -> Point:
        """Return where units at *location* are drawn."""
        return self.picture.unit_spot(location)

    def unit_place(self, unit: Unit) -> Point:
        """Return where *unit* is drawn, aside if it was dislodged from there."""
        spot = self.place(unit.location)
        if unit in self.position.dislodged and unit.province in self.standing:
            return plus(spot, BESIDE)
        return spot

    def builds(self) -> Iterator[Unit]:
        """Return the units that are built."""
        for report in self.reports:
            if isinstance(report.order, Build) and succeeded(report):
                yield report.order.unit


def succeeded(report: Report) -> bool:
    """Return whether the order was carried out, as far as is known."""
    return report.result in {None, OrderResult.SUCCEEDED}

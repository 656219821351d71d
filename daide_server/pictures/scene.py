"""The content of a picture: a position, and the results of its orders."""

from collections.abc import Iterator, Mapping
from functools import cached_property

from attrs import frozen

from daide_server.board.map import Position, Variant
from daide_server.board.names import Location, Power, Province, Unit
from daide_server.board.orders import Build
from daide_server.board.results import OrderResult, Report

from .palette import PowerColours, letters, palette
from .picture import Picture, Point, plus

DISLODGED_OFFSET = (18.0, -14.0)
"""The offset from a unit to the dislodged unit that is drawn beside it."""


@frozen(eq=False, slots=False)
class Scene:
    """One turn on one picture.

    `reports` are the orders to draw, if any; one without a result is an order that is
    not adjudicated yet.
    """

    variant: Variant
    picture: Picture
    position: Position
    reports: tuple[Report, ...] = ()

    @property
    def heading(self) -> str:
        """Return the turn in words, such as `Spring 1901, movement`."""
        turn = self.position.turn
        return f"{turn.season.name.title()} {turn.year}, {turn.phase.value}"

    @cached_property
    def palette(self) -> Mapping[Power, PowerColours]:
        """The colours of the powers, as the page has them by day."""
        return palette(self.variant)

    @cached_property
    def colours(self) -> Mapping[Power, str]:
        """The colour of each power."""
        return {power: pair.light for power, pair in self.palette.items()}

    @cached_property
    def letters(self) -> Mapping[Power, str]:
        """The letters on the badges of each power."""
        return letters(self.variant)

    @cached_property
    def occupants(self) -> Mapping[Province, Unit]:
        """The units that are not dislodged, by province."""
        return {unit.province: unit for unit in self.position.units}

    def title(self, name: str) -> str:
        """Return the full name of a power or province."""
        return self.variant.titles.get(name, name)

    def owner_shown(self, province: Province) -> Power | None:
        """Return the power in whose colour *province* is painted."""
        centre = self.picture.follows.get(province, province)
        return self.position.owners.get(centre)

    def place(self, location: Location) -> Point:
        """Return the place of units at *location*."""
        return self.picture.unit_spot(location)

    def unit_place(self, unit: Unit) -> Point:
        """Return the place of *unit*: beside the new occupant if it is dislodged."""
        spot = self.place(unit.location)
        if unit in self.position.dislodged and unit.province in self.occupants:
            return plus(spot, DISLODGED_OFFSET)
        return spot

    def builds(self) -> Iterator[Unit]:
        """Yield the units that are built."""
        for report in self.reports:
            if isinstance(report.order, Build) and succeeded(report):
                yield report.order.unit


def succeeded(report: Report) -> bool:
    """Return whether the order succeeded, or has no result yet."""
    return report.result in {None, OrderResult.SUCCEEDED}

"""Orders as lines between units and places, in the colours of their powers.

A solid line is an order that succeeded, a dashed line with a cross one that failed.
Supports are dotted and end at the supported unit or its arrow; convoys are dashed and
end at the arrow of the army.
"""

import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import assert_never

from attrs import frozen

from daide_server.board import orders
from daide_server.board.names import Location, Province, Unit
from daide_server.board.notation import COMMON
from daide_server.board.results import Report

from . import shapes
from .picture import Point, Polyline, bow, curve, middle, toward, trimmed
from .scene import Scene, succeeded

UNIT_GAP = shapes.SIZE + 4.0
"""The distance of a line from the middle of a unit where it begins or ends."""
MEETING = 0.55
"""The share of an arrow's length at which supports and convoys meet it."""
BEND = 0.07
"""The bulge of moves in opposite directions, as a share of their length."""
FREE_GAP = 2.0
"""The gap at the end of an arrow to an empty province."""
MARK_SIZE = 9.0
"""Half the width of the cross on a unit, on an arrow, on other lines."""
ARROW_CROSS = 4.6
LINE_CROSS = 4.0
CONVOY_GAP = UNIT_GAP + 4
"""The same as `UNIT_GAP` outside the ring around a convoying fleet."""


def order_lines(scene: Scene) -> Iterator[str]:
    """Yield the orders, moves on top of supports and convoys."""
    artist = _Artist(scene)
    drawn = [(report, list(artist.strokes(report))) for report in scene.reports]
    under = [each for each in drawn if not isinstance(each[0].order, _ARROWS)]
    over = [each for each in drawn if isinstance(each[0].order, _ARROWS)]
    for report, strokes in (*under, *over):
        yield shapes.group(
            [shapes.title(artist.caption(report)), *strokes] if strokes else []
        )


def marks(scene: Scene) -> Iterator[str]:
    """Yield the marks on units: dislodged, disbanded, built, removed."""
    for report in scene.reports:
        match report.order:
            case orders.Disband(unit=unit) | orders.Remove(unit=unit):
                yield from shapes.cross(scene.unit_place(unit), MARK_SIZE)
            case orders.Build(unit=unit) if succeeded(report):
                yield from shapes.plus_sign(scene.unit_place(unit))
            case orders.Retreat(unit=unit) if not succeeded(report):
                yield from shapes.cross(scene.unit_place(unit), MARK_SIZE)
            case order if report.dislodged and not isinstance(order, orders.Waive):
                yield shapes.burst(scene.unit_place(order.unit))


_ARROWS = orders.Move | orders.ConvoyedMove | orders.Retreat


@frozen(eq=False, slots=False)
class _Artist:
    """Draws the orders of one scene."""

    scene: Scene

    @cached_property
    def _moves(self) -> dict[Unit, Polyline]:
        return {
            report.order.unit: self._line(report.order)
            for report in self.scene.reports
            if isinstance(report.order, orders.Move | orders.ConvoyedMove)
        }

    def caption(self, report: Report) -> str:
        """Return the order and its result as text."""
        result = "" if report.result is None else f": {report.result.name.lower()}"
        dislodged = ", dislodged" if report.dislodged else ""
        power = self.scene.title(orders.owner(report.order))
        return f"{power}: {COMMON.order(report.order)}{result}{dislodged}"

    def strokes(self, report: Report) -> Iterator[str]:
        """Yield the strokes of one order."""
        order = report.order
        match order:
            case orders.Hold():
                yield from shapes.ring(self._spot(order.unit), self._colour(order.unit))
            case orders.Move() | orders.ConvoyedMove():
                yield from self._arrow(report, self._moves[order.unit])
            case orders.SupportHold():
                line = self._spot(order.unit), self._spot(order.supported)
                yield from self._support(report, trimmed(line, UNIT_GAP, UNIT_GAP))
            case orders.SupportMove():
                at = self._meeting(order.supported, order.destination)
                line = self._spot(order.unit), at
                yield from self._support(report, trimmed(line, UNIT_GAP, 0))
            case orders.Convoy():
                at = self._meeting(order.convoyed, order.destination)
                yield from self._convoy(report, at)
            case orders.Retreat():
                line = self._spot(order.unit), self.scene.place(order.destination)
                yield from self._arrow(report, line, shapes.RETREAT_DASHES)
            case orders.Disband() | orders.Build() | orders.Remove() | orders.Waive():
                return
            case _:
                assert_never(order)

    def _spot(self, unit: Unit) -> Point:
        return self.scene.unit_place(unit)

    def _line(self, order: orders.Move | orders.ConvoyedMove) -> Polyline:
        start, end = self._spot(order.unit), self.scene.place(order.destination)
        if isinstance(order, orders.Move):
            return self._bent(order.unit, order.destination, start, end)
        seas = _route(self.scene, order)
        return curve([start, *(self.scene.place(Location(sea)) for sea in seas), end])

    def _bent(
        self, unit: Unit, destination: Location, start: Point, end: Point
    ) -> Polyline:
        """Return a straight line, or a bent one if a unit moves the other way."""
        opposite = any(
            isinstance(report.order, orders.Move)
            and report.order.destination.province == unit.province
            and report.order.unit.province == destination.province
            for report in self.scene.reports
        )
        return bow(start, end, BEND) if opposite else (start, end)

    def _meeting(self, unit: Unit, destination: Location) -> Point:
        """Return where the line of a support or convoy meets the move of *unit*."""
        line = self._moves.get(unit)
        if line is None:
            line = self._spot(unit), self.scene.place(destination)
        return middle(line, MEETING)

    def _arrow(self, report: Report, line: Polyline, dashes: str = "") -> Iterator[str]:
        assert isinstance(report.order, _ARROWS)
        good = succeeded(report)
        is_taken = report.order.destination.province in self.scene.occupants
        end_gap = UNIT_GAP if is_taken else FREE_GAP
        shown = trimmed(line, UNIT_GAP, end_gap)
        style = dashes or ("" if good else shapes.FAILED_DASHES)
        yield from shapes.arrow(shown, self._colour(report.order.unit), style)
        if not good:
            yield from shapes.cross(middle(shown), ARROW_CROSS)

    def _support(self, report: Report, line: Polyline) -> Iterator[str]:
        colour = self.scene.colours[orders.owner(report.order)]
        yield from shapes.stroke(
            line, colour, shapes.SUPPORT_WIDTH + 0.6, shapes.SUPPORT_DASHES
        )
        yield shapes.dot(line[-1], colour)
        if not succeeded(report):
            yield from shapes.cross(middle(line), LINE_CROSS)

    def _convoy(self, report: Report, at: Point) -> Iterator[str]:
        assert isinstance(report.order, orders.Convoy)
        spot, colour = self._spot(report.order.unit), self._colour(report.order.unit)
        yield shapes.circle(
            spot,
            shapes.SIZE + 7,
            fill="none",
            stroke=colour,
            stroke_width=2,
            stroke_dasharray=shapes.CONVOY_DASHES,
        )
        line = trimmed((spot, at), CONVOY_GAP, 0)
        if math.dist(spot, at) > 3 * UNIT_GAP:
            yield from shapes.stroke(
                line, colour, shapes.SUPPORT_WIDTH, shapes.CONVOY_DASHES
            )
        if not succeeded(report):
            yield from shapes.cross(toward(spot, at, CONVOY_GAP), LINE_CROSS)

    def _colour(self, unit: Unit) -> str:
        return self.scene.colours[unit.power]


def _route(scene: Scene, order: orders.ConvoyedMove) -> Sequence[Province]:
    """Return the seas of the convoy: its route, or the convoying fleets by distance."""
    if order.route is not None:
        return order.route
    start = scene.place(order.unit.location)
    fleets = {
        report.order.unit.province
        for report in scene.reports
        if isinstance(report.order, orders.Convoy)
        and report.order.convoyed == order.unit
        and report.order.destination.province == order.destination.province
    }
    return sorted(fleets, key=lambda sea: math.dist(start, scene.place(Location(sea))))

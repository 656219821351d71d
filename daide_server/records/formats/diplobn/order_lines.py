"""DiploBN's orders as lists (place of the unit, action, result), units and owners."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import assert_never

from attrs import Factory, frozen
from msgspec.structs import replace

from daide_server.board import orders
from daide_server.board.map import Phase, Position
from daide_server.board.names import Location, Power, Province, Unit, UnitType
from daide_server.board.notation import move_to, named_places
from daide_server.board.orders import Order, UnitOrder, owner
from daide_server.board.results import OrderResult, Report
from daide_server.records.consequences import Consequence, Consequences, consequences_of
from daide_server.records.formats.errors import FormatError, within
from daide_server.records.record import PlayedTurn
from daide_server.records.turn_results import ResultSource, TurnResults

from .schema import (
    Action,
    BoardNames,
    DiplobnSeason,
    OrdersByCountry,
    PlaceName,
    Result,
)

# Reasons of failed orders. The first part of a reason is one of DiploBN's own site.
# Our marks follow after semicolons: that a move went by convoy, or that the order
# is not a player's.

BY_CONVOY = "via convoy"
NOT_ORDERED = "no order"
NO_ROUTE = "No route"
NOT_ADJACENT = "Not adjacent"
DISLODGED_REASON = "Dislodged"
STAND_OFF = "Stand off with another mover"
SUPPORT_CUT = "Support is cut"
NO_MOVE = "No matching move order"
NO_STATIONARY_UNIT = "No stationary unit"

REASON_OF: Mapping[Consequence, str] = {
    Consequence.BOUNCED: STAND_OFF,
    Consequence.CUT: SUPPORT_CUT,
    Consequence.NO_CONVOY: NO_ROUTE,
    Consequence.DISRUPTED: NO_ROUTE,
    Consequence.VOID: NOT_ADJACENT,
    Consequence.DISLODGED: DISLODGED_REASON,
}
"""The reason for each consequence that is a failure, the more specific one first."""

MEANING: Mapping[str, Consequence] = {
    STAND_OFF: Consequence.BOUNCED,
    "Overpowered by another mover": Consequence.BOUNCED,
    "Insufficient attack strength in head-to-head": Consequence.BOUNCED,
    "Power insufficient to dislodge existing unit": Consequence.BOUNCED,
    SUPPORT_CUT: Consequence.CUT,
    NO_ROUTE: Consequence.NO_CONVOY,
    DISLODGED_REASON: Consequence.DISLODGED,
    NO_MOVE: Consequence.VOID,
    NO_STATIONARY_UNIT: Consequence.VOID,
    NOT_ADJACENT: Consequence.VOID,
    "Self-move not allowed": Consequence.VOID,
    "Armies cannot convoy": Consequence.VOID,
    "Fleets in coastal provinces cannot convoy": Consequence.VOID,
    "Duplicate order": Consequence.VOID,
}
"""The consequence for each reason that DiploBN's site gives."""


def result_of(
    report: Report, consequences: Consequences, given: Collection[Order]
) -> Result:
    """Return the result of an order, which had *consequences*.

    *given* are the orders of the players; any other was made by the rules.
    """
    order = report.order
    reasons = (text for each, text in REASON_OF.items() if each in consequences)
    reason = next(reasons, None)
    if reason == NOT_ADJACENT and report.result is OrderResult.NO_SUCH_ORDER:
        holds = isinstance(order, orders.SupportHold)
        reason = NO_STATIONARY_UNIT if holds else NO_MOVE
    if isinstance(order, orders.Convoy) and Consequence.NO_CONVOY in consequences:
        reason = NO_MOVE
    marks = [reason] if reason else []
    if isinstance(order, orders.ConvoyedMove):
        marks.append(BY_CONVOY)
    if order not in given and not isinstance(order, orders.Build | orders.Waive):
        marks.append(NOT_ORDERED)
    letter = "f" if reason else "s"
    return [letter, "; ".join(marks)] if marks else letter


def marks_in(result: object) -> tuple[str, ...]:
    """Return the parts of the reason that *result* gives."""
    match result:
        case [_, reason, *_]:
            return tuple(part.strip() for part in str(reason).split(";"))
        case _:
            return ()


def consequences_in(order: Order, result: object) -> list[Consequence]:
    """Return the consequences of *result*; without a known reason, a bounce."""
    marks = marks_in(result)
    known = [MEANING[mark] for mark in marks if mark in MEANING]
    if isinstance(order, orders.Convoy) and NO_ROUTE in marks:
        return [Consequence.DISRUPTED]
    failed = result == "f" or (isinstance(result, list) and result[:1] == ["f"])
    if not failed or known:
        return known
    supports = isinstance(order, orders.SupportHold | orders.SupportMove)
    return [Consequence.CUT if supports else Consequence.BOUNCED]


def line_of(
    order: UnitOrder, names: BoardNames, *result: object
) -> list[object] | None:
    """Return the line of *order*, `None` if it names a place that is not on the map."""
    if not names.provinces.keys() >= {place.province for place in named_places(order)}:
        return None
    return [names.provinces[order.unit.province], _action(order, names), *result]


def _action(order: UnitOrder, names: BoardNames) -> Action:
    place = names.place
    match order:
        case orders.Hold():
            return "h"
        case orders.Disband() | orders.Remove():
            return "d"
        case orders.Move() | orders.ConvoyedMove() | orders.Retreat():
            return ["m", place(order.destination)]
        case orders.SupportHold():
            return ["sh", place(order.supported.location)]
        case orders.SupportMove():
            return ["sm", place(order.supported.location), place(order.destination)]
        case orders.Convoy():
            return ["c", place(order.convoyed.location), place(order.destination)]
        case orders.Build():
            return ["b", names.unit(order.unit)]
        case _:
            assert_never(order)


class DiplobnOrderReader:
    """Reads the lines of one turn; those for no unit are left out.

    The units in *via* move by convoy, even if the result does not say so.
    """

    def __init__(
        self, names: BoardNames, position: Position, via: Collection[str] = ()
    ) -> None:
        self._names = names
        self._via = {names.province(place) for place in via}
        self._map = names.map
        self._phase = position.turn.phase
        self._others = {unit.province: unit for unit in position.units}
        self._own = self._others
        if self._phase is Phase.RETREATS:
            self._own = {unit.province: unit for unit in position.dislodged}

    def orders(self, written: OrdersByCountry) -> Iterator[tuple[Order, object]]:
        """Yield the orders with their results; those without one have `None`.

        Raises `FormatError` for a value that is no order.
        """
        for country, lines in written.items():
            power = self._names.power(country)
            for line in lines:
                at, action, result, *_ = (*line, None, None, None)
                order = self._order(power, at, action, result)
                if order is not None:
                    yield order, result

    def _order(
        self, power: Power, at: object, action: object, result: object
    ) -> Order | None:
        """Return the order of a line; `None` if there is no unit."""
        parts = action if isinstance(action, list) else [action]
        if parts[:1] == ["b"]:
            return self._build(power, parts[1:])
        there = self._own.get(self._names.province(at))
        if there is None:
            return None
        unit = self._map.unit(power, there.type, there.location)
        by_convoy = BY_CONVOY in marks_in(result) or unit.province in self._via
        order = self._order_of(unit, parts, by_convoy=by_convoy)
        if order is None:
            expected = "an action such as 'h' or ['m', 'Vie']"
            raise FormatError(f"order {action!r}: expected {expected}")
        return order

    def _order_of(
        self, unit: Unit, parts: Sequence[object], *, by_convoy: bool
    ) -> Order | None:
        """Return the order that *unit* is given; `None` if *parts* are none."""
        location = self._names.location
        match parts:
            case ["h"]:
                return orders.Hold(unit)
            case ["d"]:
                adjusting = self._phase is Phase.ADJUSTMENTS
                return orders.Remove(unit) if adjusting else orders.Disband(unit)
            case ["m", place]:
                return self._move(unit, location(place), by_convoy=by_convoy)
            case ["sh", other]:
                return orders.SupportHold(unit, self._other(unit.power, other))
            case ["sm", other, place]:
                there = self._other(unit.power, other)
                return orders.SupportMove(unit, there, location(place))
            case ["c", other, place]:
                there = self._other(unit.power, other)
                return orders.Convoy(unit, there, location(place))
            case _:
                return None

    def _move(self, unit: Unit, destination: Location, *, by_convoy: bool) -> Order:
        if self._phase is not Phase.RETREATS:
            if by_convoy:
                return orders.ConvoyedMove(unit, destination, route=None)
            return move_to(self._map, unit, destination)
        if by_convoy:
            message = f"retreat of {unit}: {BY_CONVOY!r} found, expected one by land"
            raise FormatError(message)
        return orders.Retreat(unit, destination)

    def _build(self, power: Power, places: Sequence[object]) -> Order:
        match places:
            case [["A" | "F" as kind, place]]:
                at = self._names.location(place)
                return orders.Build(self._map.unit(power, UnitType(kind), at))
            case _:
                expected = "a unit such as ['A', 'Vie']"
                raise FormatError(f"build {places!r}: expected {expected}")

    def _other(self, power: Power, place: object) -> Unit:
        """Return the unit at *place*, or an army of *power* if there is none."""
        there = self._others.get(self._names.province(place))
        names = self._names
        return there or names.map.unit(power, UnitType.ARMY, names.location(place))


# The lines of a turn: its orders, what was lost without one, and computed results.


@frozen
class TurnLines:
    """The lines by country; see `schema.SeasonExtension` for those besides `orders`."""

    orders: OrdersByCountry = Factory(dict)
    via: list[str] = Factory(list)
    disorder: OrdersByCountry = Factory(dict)
    computed: OrdersByCountry = Factory(dict)

    def of(
        self, report: Report, source: ResultSource, turn: PlayedTurn
    ) -> OrdersByCountry:
        """Return the table that the line of *report* belongs to."""
        if source is ResultSource.COMPUTED:
            return self.computed
        is_loss = isinstance(report.order, orders.Disband | orders.Remove)
        is_disorder = is_loss and report.order not in turn.orders
        return self.disorder if is_disorder else self.orders


def turn_lines(turn: PlayedTurn, results: TurnResults, names: BoardNames) -> TurnLines:
    """Return the lines of *turn*; an order without a recorded result has none."""
    lines = TurnLines()
    consequences = consequences_of(results.reports, turn.orders)
    recorded = {report.order for report in results.recorded}
    # Of several orders for a unit the last one counts, which is the reported one.
    for order in turn.orders:
        if order not in recorded and not isinstance(order, orders.Waive):
            _add(lines.orders, names, order)
            if isinstance(order, orders.ConvoyedMove):
                lines.via.append(names.provinces[order.unit.province])
    for report, source in _in_order(turn, results):
        order = report.order
        if not isinstance(order, orders.Waive):
            result = result_of(report, consequences[order.unit], turn.orders)
            _add(lines.of(report, source, turn), names, order, result)
    return lines


def _in_order(
    turn: PlayedTurn, results: TurnResults
) -> list[tuple[Report, ResultSource]]:
    """Return the results; of builds and removals the first ones ordered come first."""
    found = list(results.sources())
    if turn.position.turn.phase is Phase.ADJUSTMENTS:
        given = {order: at for at, order in enumerate(turn.orders)}
        found.sort(key=lambda each: given.get(each[0].order, len(given)))
    return found


def _add(
    found: OrdersByCountry, names: BoardNames, order: UnitOrder, *result: object
) -> None:
    """Add *order* to those *found*, if its places are on the map."""
    line = line_of(order, names, *result)
    if line is not None:
        found.setdefault(names.countries[owner(order)], []).append(line)


def units_in(
    names: BoardNames, units: Mapping[str, Iterable[tuple[str, PlaceName]]]
) -> tuple[Unit, ...]:
    """Return the units, in the order of the map.

    Raises `FormatError` for a unit that cannot be, or two in one province.
    """
    found: dict[Province, Unit] = {}
    for country, placed in units.items():
        power = names.power(country)
        with within(f"Units of {country!r}"):
            for kind, place in placed:
                unit = names.map.unit(power, *names.standing(kind, place))
                if unit.province in found:
                    raise FormatError(f"two units in {place!r}, expected one at most")
                found[unit.province] = unit
    return tuple(sorted(found.values(), key=names.map.sort_key))


def owners_in(
    names: BoardNames, centres: Mapping[str, Sequence[str]]
) -> dict[Province, Power]:
    """Return the owner of each supply centre, in the order of the map.

    Raises `FormatError` for a name that is not a supply centre, or has two owners.
    """
    owners: dict[Province, Power] = {}
    for country, owned in centres.items():
        power = names.power(country)
        with within(f"SupplyCenters of {country!r}"):
            for place in owned:
                centre = names.centre(place)
                if owners.setdefault(centre, power) != power:
                    first = names.countries[owners[centre]]
                    raise FormatError(f"{place!r} belongs to {first} as well")
    return {place: owners[place] for place in names.map.provinces if place in owners}


# Retreat turns, which DiploBN's seasons do not show: the orders before are adjudicated.
# What the file says of the dislodged units takes precedence: which they are, where they
# may go by our own key, and where they went.

_Ways = Mapping[Province, tuple[Location, ...]]
"""The places to which the units of provinces may go."""


def retreats_of(position: Position, names: BoardNames) -> dict[str, list[PlaceName]]:
    """Return the places that *position* leaves open to each dislodged unit."""
    return {
        names.provinces[unit.province]: [names.place(place) for place in places]
        for unit, places in position.dislodged.items()
    }


def with_recorded_retreats(
    season: DiplobnSeason, before: Position, after: Position, names: BoardNames
) -> Position:
    """Return *after*, the position after the orders of *season*, as the file has it.

    *before* is the position before the orders. Raises `FormatError` for a place that
    is unknown.
    """
    if after.turn.phase is not Phase.RETREATS:
        if not _stated(season, names):
            return after
        after = replace(after, turn=before.turn.next(), owners=before.owners)
    opened, taken = _places(season, names)
    stated = [u for u in before.units if u.province in _stated(season, names)]
    # Our own key has all of them; some recorders remove others in the same turn.
    dislodged = {} if opened else dict(after.dislodged)
    for unit in stated:
        own = opened.get(unit.province, dislodged.get(unit, ()))
        dislodged[unit] = _united(own, taken.get(unit.province, ()), names)
    return replace(
        after,
        units=tuple(unit for unit in after.units if unit not in dislodged),
        dislodged={u: dislodged[u] for u in sorted(dislodged, key=names.map.sort_key)},
    )


def _stated(season: DiplobnSeason, names: BoardNames) -> set[Province]:
    """Return the provinces of the units that *season* says were dislodged."""
    named = season.extension.retreats or season.DislodgedUnits or ()
    ordered = (line[0] for line in _lines(season))
    return {names.province(each) for each in (*named, *ordered)}


def _lines(season: DiplobnSeason) -> Iterator[list[object]]:
    """Yield the lines of the retreats that are no empty lists."""
    for lines in (season.RetreatOrders or {}).values():
        yield from filter(None, lines)


def _places(season: DiplobnSeason, names: BoardNames) -> tuple[_Ways, _Ways]:
    """Return the places that the file opens to units, and those that they took."""
    opened = {
        names.province(at): tuple(map(names.location, places))
        for at, places in season.extension.retreats.items()
    }
    taken: dict[Province, tuple[Location, ...]] = {}
    for at, action, result, *_ in ([*line, None, None] for line in _lines(season)):
        match action:
            case ["m", place] if _was_open(result):
                taken[names.province(at)] = (names.location(place),)
            case _:
                pass
    return opened, taken


def _was_open(result: object) -> bool:
    """Return whether a retreat had *result* because its place was open to it."""
    return (
        result == "s"
        or (isinstance(result, list) and result[:1] == ["s"])
        or STAND_OFF in marks_in(result)
    )


def _united(
    one: tuple[Location, ...], other: tuple[Location, ...], names: BoardNames
) -> tuple[Location, ...]:
    index = names.map.index
    places = dict.fromkeys((*one, *other))
    return tuple(sorted(places, key=lambda place: index[place.province]))

"""The table of orders."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from attrs import frozen

from daide_server.board.names import Unit
from daide_server.board.orders import (
    Build,
    Convoy,
    ConvoyedMove,
    Disband,
    Hold,
    Move,
    Order,
    Remove,
    Retreat,
    SupportHold,
    SupportMove,
    Waive,
    owner,
)
from daide_server.board.results import Report
from daide_server.formats.phase_json.map_names import Names
from daide_server.formats.phase_json.result_words import result_words
from daide_server.records.record import GameRecord, PlayedTurn

ORDER_KINDS: Final[Mapping[type, str]] = {
    Hold: "hold",
    Move: "move",
    ConvoyedMove: "move via convoy",
    SupportHold: "support hold",
    SupportMove: "support move",
    Convoy: "convoy",
    Retreat: "retreat",
    Disband: "disband",
    Build: "build",
    Remove: "remove",
    Waive: "waive",
}


@frozen
class OrderRow:
    """One order, or what a unit did without one (`ordered` is false then).

    `target` is the unit that is supported or convoyed. `result` has DAIDE's words,
    `words` those of the `diplomacy` package.
    """

    game: str
    phase: str
    year: int
    season: str
    power: str
    unit: str
    kind: str
    order: str
    target: str
    destination: str
    ordered: bool
    result: str
    dislodged: bool
    words: str


def order_rows(record: GameRecord, names: Names) -> Iterator[OrderRow]:
    """Yield what was ordered and done, turn by turn."""
    for turn in record.turns:
        words = result_words(turn.reports, turn.orders)
        reported = [each.order for each in turn.reports]
        for report in turn.reports:
            yield _row(record, names, turn, report.order, report, words)
        for order in turn.orders:
            if order not in reported:
                yield _row(record, names, turn, order, None, words)


def _row(  # noqa: PLR0913, PLR0917 - what a row is made of
    record: GameRecord,
    names: Names,
    turn: PlayedTurn,
    order: Order,
    report: Report | None,
    words: Mapping[Unit, Sequence[str]],
) -> OrderRow:
    at = turn.position.turn
    result = report.result.value if report and report.result else ""
    target = getattr(order, "supported", None) or getattr(order, "convoyed", None)
    place = getattr(order, "destination", None)
    unit = None if isinstance(order, Waive) else order.unit
    return OrderRow(
        game=record.id,
        phase=names.phase_text(at),
        year=at.year,
        season=at.season.value,
        power=names.powers[owner(order)],
        unit=names.unit_text(unit) if unit else "",
        kind=ORDER_KINDS[type(order)],
        order=names.order_text(order),
        target=names.unit_text(target) if target else "",
        destination=names.location_text(place) if place else "",
        ordered=order in turn.orders,
        result=result,
        dislodged=bool(report and report.dislodged),
        words=" ".join(words.get(unit, ()) if report and unit else ()),
    )

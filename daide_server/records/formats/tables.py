"""Flat tables, for people who count: one row per order, per power, per message.

What a row holds is its class. The same tables are written as CSV, as JSON Lines or,
outside of the pure floors, as Parquet. Names are dipcc's.
"""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final

import attrs
import msgspec
from attrs import frozen

from daide_server.board.names import Power, Unit
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
from daide_server.board.position import Position
from daide_server.board.results import Report
from daide_server.board.turns import Turn
from daide_server.records.phase_json.names import COMPLETED, Names, names_of
from daide_server.records.phase_json.results import results_of
from daide_server.records.phase_json.state import builds_of
from daide_server.records.record import DrawVote, GameRecord, Message, PlayedTurn


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


@frozen
class PowerRow:
    """A power at the start of a phase; `share` is its part by the squares.

    `builds` are those that may be ordered, or removals as a negative number.
    """

    game: str
    phase: str
    year: int
    season: str
    power: str
    agent: str
    centres: int
    units: int
    dislodged: int
    builds: int
    share: float


@frozen
class MessageRow:
    """Press or a vote: `kind` is press, draw or nodraw; `head` its first tokens."""

    game: str
    phase: str
    number: int
    seconds: float
    sender: str
    recipients: str
    kind: str
    head: str
    text: str


Row = OrderRow | PowerRow | MessageRow

ROWS: Final[Mapping[str, type[Row]]] = {
    "orders": OrderRow,
    "powers": PowerRow,
    "messages": MessageRow,
}
"""The tables by name."""

KINDS: Final[Mapping[type, str]] = {
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
HEAD_TOKENS: Final = 2


def rows(record: GameRecord) -> Mapping[str, Iterator[Row]]:
    """Return the rows of each table for one game, in order of time."""
    names = names_of(record.variant.map)
    return {
        "orders": _orders(record, names),
        "powers": _powers(record, names),
        "messages": _messages(record, names),
    }


def columns(table: str) -> Sequence[str]:
    """Return the names of the columns of *table*."""
    return [field.name for field in attrs.fields(ROWS[table])]


# As text


def to_csv(table: Iterable[Row]) -> str:
    """Return rows as CSV, without the line of names."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(map(attrs.astuple, table))
    return text.getvalue()


def to_json_lines(table: Iterable[Row]) -> str:
    """Return rows as JSON, an object a line."""
    return "".join(f"{msgspec.json.encode(row).decode()}\n" for row in table)


TEXTS: Final[Mapping[str, Callable[[Iterable[Row]], str]]] = {
    "csv": to_csv,
    "jsonl": to_json_lines,
}
"""Name of a format of tables to what writes it."""

HEADED: Final = frozenset({"csv"})
"""The formats whose first line names the columns."""


# Orders


def _orders(record: GameRecord, names: Names) -> Iterator[OrderRow]:
    for turn in record.turns:
        words = results_of(turn.reports, turn.orders)
        reported = [each.order for each in turn.reports]
        for report in turn.reports:
            yield _order(record, names, turn, report.order, report, words)
        for order in turn.orders:
            if order not in reported:
                yield _order(record, names, turn, order, None, words)


def _order(  # noqa: PLR0913, PLR0917 - what a row is made of
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
        kind=KINDS[type(order)],
        order=names.order_text(order),
        target=names.unit_text(target) if target else "",
        destination=names.location_text(place) if place else "",
        ordered=order in turn.orders,
        result=result,
        dislodged=bool(report and report.dislodged),
        words=" ".join(words.get(unit, ()) if report and unit else ()),
    )


# Powers


def _powers(record: GameRecord, names: Names) -> Iterator[PowerRow]:
    for position in record.positions:
        over = position is record.last and record.ending is not None
        phase = COMPLETED if over else names.phase_text(position.turn)
        builds = builds_of(names, position)
        squares = _squares(record, position)
        for power, text in names.powers.items():
            sitting = record.sitting(power)
            yield PowerRow(
                game=record.id,
                phase=phase,
                year=position.turn.year,
                season=position.turn.season.value,
                power=text,
                agent=f"{sitting.name} {sitting.version}".strip() if sitting else "",
                centres=len(position.centres_of(power)),
                units=len(position.units_of(power)),
                dislodged=len(position.dislodged_of(power)),
                builds=0 if over else builds[text].count,
                share=float(squares[power]),
            )


def _squares(record: GameRecord, position: Position) -> Mapping[Power, Fraction]:
    counts = {
        power: len(position.centres_of(power)) ** 2
        for power in record.variant.map.powers
    }
    whole = sum(counts.values()) or 1
    return {power: Fraction(count, whole) for power, count in counts.items()}


# Messages


def _messages(record: GameRecord, names: Names) -> Iterator[MessageRow]:
    said: list[Message | DrawVote] = [*record.messages, *record.votes]
    said.sort(key=lambda each: each.seconds)
    for number, each in enumerate(said):
        phase = _phase(names, each.turn)
        if isinstance(each, DrawVote):
            kind = "nodraw" if each.withdrawn else "draw"
            shared = _list(names, each.powers or ())
            sender = names.powers[each.power]
            yield MessageRow(
                record.id, phase, number, each.seconds, sender, shared, kind, "", ""
            )
            continue
        yield MessageRow(
            record.id,
            phase,
            number,
            each.seconds,
            names.powers[each.sender],
            _list(names, each.recipients),
            "press",
            _head(each.text),
            each.text,
        )


def _phase(names: Names, turn: Turn | None) -> str:
    return names.phase_text(turn) if turn else COMPLETED


def _list(names: Names, powers: Iterable[Power]) -> str:
    return " ".join(names.powers[power] for power in powers)


def _head(text: str) -> str:
    """Return the first words of DAIDE press, such as `PRP PCE`."""
    words = text.replace("(", " ").replace(")", " ").split()
    if text[:1] == "'" or not all(word.isupper() for word in words[:1]):
        return ""
    return " ".join(words[:HEAD_TOKENS])

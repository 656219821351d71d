"""What a type checker sees of the judge and of records. It is checked, not run."""

from collections.abc import Iterator, Mapping
from typing import assert_never, assert_type

import daide_server
from daide_server.board import orders
from daide_server.board.map import Position, Turn, Variant
from daide_server.board.names import Location, Power, Province, Unit
from daide_server.board.results import Report
from daide_server.judge.adjudication import adjudicate
from daide_server.judge.resolution import Resolution
from daide_server.library.variants import load_variant
from daide_server.reading import Games
from daide_server.records.formats.tables import Row
from daide_server.records.record import GameRecord


def judged(given: list[orders.Order]) -> Position:
    """Return what follows from orders."""
    variant = load_variant("standard")
    assert_type(variant, Variant)
    resolution = adjudicate(variant, variant.start, given)
    assert_type(resolution, Resolution)
    assert_type(resolution.reports, tuple[Report, ...])
    assert_type(resolution.dislodged, Mapping[Unit, Unit])
    assert_type(resolution.retreats, Mapping[Unit, tuple[Location, ...]])
    assert_type(resolution.standoffs, frozenset[Province])
    assert_type(resolution.winner, Power | None)
    assert_type(resolution.next.turn, Turn)
    adjudicate("standard", variant.start, given)  # type: ignore[arg-type]
    return resolution.next


def moves(order: orders.MovementOrder) -> bool:
    """Return whether it moves: the union of orders is closed, a match exhaustive."""
    match order:
        case orders.Move() | orders.ConvoyedMove():
            return True
        case (
            orders.Hold()
            | orders.SupportHold()
            | orders.SupportMove()
            | orders.Convoy()
        ):
            return False
        case _:
            assert_never(order)


def read() -> Games:
    """Return some of the records: a sequence, as its slices are."""
    games = daide_server.read("records", "more")
    assert_type(games[0], GameRecord)
    assert_type(games[1:], Games)
    assert_type(games.rows("powers"), Iterator[Row])
    daide_server.read(1)  # type: ignore[arg-type]
    return games.where(lambda record: len(record.turns) > 1)

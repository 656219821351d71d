"""A turn as a phase: which orders are among the tables, which under our own key."""

from collections.abc import Callable

from msgspec.structs import replace

from daide_server.board.names import Location, Province
from daide_server.board.orders import ConvoyedMove, Hold, Move, Waive
from daide_server.board.variant import Variant
from daide_server.formats.phase_json.map_names import names_of
from daide_server.formats.phase_json.position_state import state_of
from daide_server.formats.phase_json.writing import empty_phase, played_phase
from daide_server.records.record import GameRecord, PlayedTurn
from daide_server.records.turn_results import TurnResults

Recorded = Callable[..., GameRecord]


def first_turn(record: GameRecord) -> PlayedTurn:
    return replace(record.turns[0], reports=())


def test_a_phase_without_orders_has_a_table_for_every_power(standard: Variant) -> None:
    names = names_of(standard.map)
    phase = empty_phase(names, state_of(names, standard.start), 3.0)
    assert phase.orders == {text: [] for text in names.powers.values()}
    assert (phase.name, phase.results, phase.daide.seconds) == ("S1901M", {}, 3.0)


def test_orders_are_listed_with_their_power(record_of: Recorded) -> None:
    record = record_of(turns=1)
    names = names_of(record.variant.map)
    unit = record.variant.start.units[0]
    turn = replace(first_turn(record), orders=(Hold(unit),))
    phase = played_phase(names, turn, TurnResults(turn.reports))
    assert phase.orders[names.powers[unit.power]] == [f"{names.unit_text(unit)} H"]
    assert sum(map(len, phase.orders.values())) == 1


def test_waives_and_routes_are_under_our_own_key(record_of: Recorded) -> None:
    record = record_of(turns=1)
    names = names_of(record.variant.map)
    unit = record.variant.start.units[0]
    route = (Province("ADR"), Province("ION"))
    move = ConvoyedMove(unit, Location(Province("TUN")), route)
    waive = Waive(unit.power)
    turn = replace(first_turn(record), orders=(move, waive, waive))
    phase = played_phase(names, turn, TurnResults(turn.reports))
    text = names.unit_text(unit)
    assert phase.orders[names.powers[unit.power]] == [f"{text} - TUN VIA"]
    assert phase.daide.routes == {text: ["ADR", "ION"]}
    assert phase.daide.waives == {names.powers[unit.power]: 2}


def test_orders_off_the_map_or_of_no_unit_are_left_out(record_of: Recorded) -> None:
    record = record_of(turns=1)
    unit = record.variant.start.units[0]
    elsewhere = Location(Province("XXX"))
    stranger = replace(unit, location=Location(Province("BOH")))
    turn = replace(first_turn(record), orders=(Move(unit, elsewhere), Hold(stranger)))
    phase = played_phase(names_of(record.variant.map), turn, TurnResults(turn.reports))
    assert not any(phase.orders.values())

"""A phase of a file as a played turn, and its retreats."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from daide_server.board.map import Variant
from daide_server.board.names import Location, Power, Province
from daide_server.board.orders import ConvoyedMove, Hold, Move, Order, Waive
from daide_server.board.results import OrderResult
from daide_server.formats.errors import FormatError
from daide_server.formats.phase_json.map_names import Names, names_of, phase_turn
from daide_server.formats.phase_json.position_state import (
    StateTables,
    dislodged_in,
    expect_free,
    expect_gone,
    position_of,
    state_of,
)
from daide_server.formats.phase_json.reading import (
    final_position,
    outline_game,
    played,
    position_in,
    read,
    read_outline,
)
from daide_server.formats.phase_json.shapes import ReadPhase
from daide_server.formats.phase_json.writing import empty_phase, played_phase
from daide_server.records.record import GameRecord, PlayedTurn
from daide_server.records.turn_results import TurnResults
from daide_server.storage.variants import load_variant

UNITS = {"ENGLAND": ["A LON", "F NTH"], "FRANCE": ["*A PAR"]}


@pytest.fixture
def names(standard: Variant) -> Names:
    return names_of(standard.map)


def phase(name: str = "S1901M", **keys: object) -> ReadPhase:
    state = {"units": {"ENGLAND": ["A LON", "F NTH"]}, "centers": {}}
    return msgspec.convert({"name": name, "state": state, **keys}, ReadPhase)


def turn_of(names: Names, read: ReadPhase) -> PlayedTurn:
    position = position_in(names, phase_turn(read.name), read)
    return played(load_variant("standard"), position, read, 1.0)


def order_of(names: Names, text: str, daide: object = None) -> Order:
    read = phase(orders={"ENGLAND": [text]}, daide=daide)
    [order] = turn_of(names, read).orders
    return order


def test_a_route_is_put_back_where_our_own_key_has_it(names: Names) -> None:
    ours = {"seconds": 1.0, "routes": {"A LON": ["NTH"]}}

    order = order_of(names, "A LON - NWY VIA", daide=ours)

    assert isinstance(order, ConvoyedMove)
    assert order.route == (Province("NTH"),)


def test_elsewhere_the_route_is_open(names: Names) -> None:
    order = order_of(names, "A LON - NWY VIA")

    assert isinstance(order, ConvoyedMove)
    assert order.route is None


def test_a_move_over_sea_without_via_is_by_convoy_but_not_in_our_files(
    names: Names,
) -> None:
    """Others leave VIA out where only a convoy can be meant; we never do."""
    assert isinstance(order_of(names, "A LON - NWY"), ConvoyedMove)
    assert isinstance(order_of(names, "A LON - NWY", daide={"seconds": 1.0}), Move)


def test_waives_are_kept_in_our_own_key(names: Names) -> None:
    ours = {"seconds": 1.0, "waives": {"FRANCE": 2}}

    turn = turn_of(names, phase("W1901A", daide=ours))

    assert turn.orders == (Waive(Power("FRA")), Waive(Power("FRA")))


def test_numbers_before_words_and_results_of_nobody_are_dropped(names: Names) -> None:
    results = {"F NTH": ["10002:bounce"], "A LON": [""], "WAIVE": ["void"]}
    orders = {"ENGLAND": ["F NTH - EDI", "A LON H"]}

    turn = turn_of(names, phase(results=results, orders=orders))

    assert {str(each.order): each.result for each in turn.reports} == {
        str(turn.orders[0]): OrderResult.BOUNCED,
        str(turn.orders[1]): OrderResult.SUCCEEDED,
    }


def test_nobody_is_dislodged_after_the_end(names: Names) -> None:
    state = {"units": UNITS, "centers": {}}

    position = final_position(names, phase_turn("S1901R"), phase(state=state))

    assert [str(unit) for unit in position.units] == ["F NTH", "A LON"]
    assert position.dislodged == {}


def test_a_complaint_tells_the_phase(names: Names) -> None:
    state = {"units": UNITS, "centers": {}}

    with pytest.raises(FormatError, match=r"^F1904M: unit '\*A PAR' is not in the"):
        position_in(names, phase_turn("F1904M"), phase("F1904M", state=state))


# A turn as a phase: which orders are among the tables, which under our own key


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


def test_the_dislodged_are_in_the_order_of_the_board(names: Names) -> None:
    mixed: dict[str, dict[str, list[str]]] = {
        "RUSSIA": {"F STP/NC": ["NWY"]},
        "ITALY": {"F ROM": ["TUS", "TYS"], "A VEN": []},
        "AUSTRIA": {"*A VIE": []},
    }

    found = dislodged_in(names, mixed)

    assert list(found) == sorted(found, key=names.map.sort_key)
    assert {names.unit_text(unit) for unit in found} == {
        "A VIE", "F ROM", "A VEN", "F STP/NC",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("unit", "place"),
    [
        ("A VEN", "NAP"),
        ("A VEN", "VEN"),
        ("A VEN", "ADR"),
        ("F ROM", "APU"),
        ("F FIN", "STP"),
        ("F STP/SC", "NWY"),
        ("A FIN", "STP/SC"),
    ],
)
def test_a_place_that_is_not_next_to_the_unit_is_refused(
    names: Names, unit: str, place: str
) -> None:
    message = f"retreats of 'ITALY': {unit} cannot reach {place}, expected some of "
    with pytest.raises(FormatError, match=re.escape(message)):
        dislodged_in(names, {"ITALY": {unit: [place]}})


def test_the_dislodged_of_a_question_are_not_in_place(names: Names) -> None:
    turn, retreats = phase_turn("S1901R"), {"ITALY": {"A VEN": ["TUS"]}}
    listed: list[dict[str, list[str]]] = [
        {"AUSTRIA": ["A VEN"]},
        {"AUSTRIA": ["A VEN"], "ITALY": ["*A VEN"]},
    ]
    for units in listed:
        expect_gone(
            names, position_of(names, turn, StateTables(units, retreats=retreats))
        )

    both = position_of(
        names, turn, StateTables({"ITALY": ["A VEN"]}, retreats=retreats)
    )
    message = "units of 'ITALY': A VEN found, expected *A VEN or nothing"
    with pytest.raises(FormatError, match=re.escape(message)):
        expect_gone(names, both)


@pytest.mark.parametrize(
    ("order", "is_refused"),
    [("A VEN R TRI", True), ("A VEN R TUS", False), ("A VEN D", False)],
)
def test_nobody_is_sent_where_somebody_stands(
    names: Names, order: str, *, is_refused: bool
) -> None:
    """`diplomacy` offers such places; without the offer the order is illegal."""
    turn, units = phase_turn("S1901R"), {"AUSTRIA": ["A VEN", "A TRI"]}
    offered = position_of(
        names, turn, StateTables(units, retreats={"ITALY": {"A VEN": ["TRI", "TUS"]}})
    )
    given = [names.order(order, names.power("ITALY"), {}, turn.phase)]

    if is_refused:
        with pytest.raises(FormatError, match="found where A TRI of AUSTRIA is"):
            expect_free(names, offered, given)
    else:
        expect_free(names, offered, given)

    kept = position_of(
        names, turn, StateTables(units, retreats={"ITALY": {"A VEN": ["TUS"]}})
    )
    expect_free(names, kept, given)


# What has no outline is read as a whole, with the errors of reading


RECORD = Path(__file__).parents[2] / "records" / "games" / "year_limit.json"


def changed(change: Callable[[Any], object]) -> str:
    game = json.loads(RECORD.read_text("utf-8"))
    change(game)
    return json.dumps(game)


def test_a_game_has_an_outline() -> None:
    assert outline_game(RECORD.read_bytes()) is not None


def test_phases_in_another_order_are_read_as_a_whole() -> None:
    text = changed(lambda game: game["phases"].reverse())
    assert outline_game(text) is None
    assert read_outline(text, load_variant) == read(text, load_variant)


@pytest.mark.parametrize(
    "change",
    [
        lambda game: game["phases"][0]["state"].pop("centers"),
        lambda game: game["phases"][0].update(name="X1901M"),
        lambda game: game["phases"][0]["state"]["centers"].update(FRANCE=["MOON"]),
        lambda game: game["phases"][0]["state"]["centers"].update(FRANCE=["PAR", 3]),
        lambda game: game["phases"][0]["state"]["centers"].update(MOON=[]),
        lambda game: game["phases"][0]["state"].update(centers=[]),
        lambda game: (
            game["phases"][0]["state"]["centers"].update(MOON=[]),
            game["phases"][0]["state"].update(units=[]),
        ),
        lambda game: game["phases"][-1]["state"]["units"].update(FRANCE=["A MOON"]),
        lambda game: game.update(phases=[]),
        lambda game: game.update(id=3),
    ],
)
def test_a_fault_is_refused_as_reading_refuses_it(
    change: Callable[[Any], object],
) -> None:
    text = changed(change)
    with pytest.raises(FormatError) as whole:
        read(text, load_variant)
    with pytest.raises(FormatError) as outline:
        read_outline(text, load_variant)
    assert str(outline.value) == str(whole.value)

"""DiploBN's JSON: valid under its schema, and the same game when it is read again."""

import json
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from daide_server.board.map import Phase, Variant
from daide_server.board.names import Location, Power, Province, UnitType
from daide_server.board.orders import (
    Convoy,
    ConvoyedMove,
    Hold,
    Move,
    Order,
    SupportHold,
    Waive,
)
from daide_server.board.results import OrderNote, Report
from daide_server.judge.rules import DAIDE_RULES, IllegalOrders
from daide_server.library.variants import load_variant
from daide_server.records.consequences import Consequence
from daide_server.records.formats.diplobn import DIPLOBN, order_lines
from daide_server.records.formats.diplobn.checks import check
from daide_server.records.formats.diplobn.schema import (
    OUR_SYSTEMS,
    SYSTEM_NAMES,
    BoardNames,
    Result,
    board_names,
)
from daide_server.records.formats.errors import FormatError
from daide_server.records.record import FOREIGN_EDITION, Ending, GameRecord, PlayedTurn
from daide_server.records.replay import replay
from daide_server.records.standings import game_result
from tests.formats.phase_json.files import file_of as file_in
from tests.support.boards import position as position_with
from tests.support.random_games import Recorded

SCHEMA = Path(__file__).parent / "schemas" / "diplobn.json"
FRANCE, ITALY = Power("FRA"), Power("ITA")


def file_of(record: GameRecord) -> dict[str, Any]:
    return file_in(record, "diplobn")


@pytest.fixture(scope="session")
def names(standard: Variant) -> BoardNames:
    return board_names(standard.map)


@cache
def validator() -> Any:  # noqa: ANN401 (of a package without types)
    validator = import_module("jsonschema").Draft202012Validator
    published = json.loads(SCHEMA.read_text(encoding="utf-8"))
    validator.check_schema(published)
    return validator(published)


def validate(record: GameRecord) -> None:
    validator().validate(file_of(record))


def test_a_running_game_awaits_orders(record_of: Recorded) -> None:
    record = replace(record_of(turns=4), ending=None, ended=None, winners=())

    validate(record)
    file = file_of(record)
    assert file["GamePhases"][-1]["Status"].startswith("Awaiting")
    assert "EndedBy" not in file
    assert "ResultSummary" not in file


def plain_order(order: Order) -> Order:
    """Return *order* without the route that the format has no place for."""
    return replace(order, route=None) if isinstance(order, ConvoyedMove) else order


def plain_report(report: Report) -> Report:
    result = report.result
    if isinstance(result, OrderNote) and result is not OrderNote.OK:
        result = OrderNote.NOT_ADJACENT
    return replace(report, order=plain_order(report.order), result=result)


def plain_turn(turn: PlayedTurn) -> tuple[object, ...]:
    reports = {
        plain_report(each) for each in turn.reports if not isinstance(each.order, Waive)
    }
    orders = {plain_order(o) for o in turn.orders if not isinstance(o, Waive)}
    return turn.position, orders, reports


@pytest.mark.parametrize("ending", Ending)
@settings(max_examples=3, deadline=None)
@example(seed=1337, turns=28)
@given(seed=st.integers(0, 10_000), turns=st.integers(0, 30))
def test_a_file_is_valid_under_the_schema_and_the_same_game_is_read_again(
    record_of: Recorded, seed: int, turns: int, ending: Ending
) -> None:
    """All but press, waives, routes, times and who withdrew a vote.

    The stalemate rule has no word in DiploBN: such a game was drawn.
    """
    record = record_of(seed, turns=turns, ending=ending)
    drawn = Ending.DRAW if record.ending is Ending.STALEMATE else record.ending

    validate(record)
    found = DIPLOBN.read(DIPLOBN.write(record), load_variant)

    assert [plain_turn(t) for t in found.turns] == [plain_turn(t) for t in record.turns]
    assert found.last == record.last
    assert (found.id, found.ending, found.edition, found.level) == (
        record.id,
        drawn,
        record.edition,
        record.level,
    )
    assert found.variant is record.variant
    if record.ending is Ending.DRAW:
        assert found.winners == record.winners[:2]
    elif record.ending is Ending.YEAR_LIMIT:
        # In winter a power may have a unit and no centre: it is out of the game.
        assert frozenset(found.winners) == game_result(record).sharing
    assert {s.power: s.name for s in found.sittings} == {
        s.power: s.name for s in record.sittings
    }
    # Not every game of chance that says so was a solo.
    assert list(replay(found)) == (
        list(replay(record)) if ending is Ending.SOLO else []
    )


def test_orders_that_could_not_be_carried_out_are_kept(record_of: Recorded) -> None:
    """The format has fewer reasons than there are notes, but has every order."""
    rules = evolve(DAIDE_RULES, illegal_orders=IllegalOrders.REPORTED)
    record = record_of(3, turns=12, rules=rules)
    results = {each.result for turn in record.turns for each in turn.reports}

    found = DIPLOBN.read(DIPLOBN.write(record), load_variant)

    validate(record)
    assert any(isinstance(each, OrderNote) for each in results)
    assert [plain_turn(turn)[:2] for turn in found.turns] == [
        plain_turn(turn)[:2] for turn in record.turns
    ]


def test_a_failed_vote_names_the_powers_that_kept_playing(record_of: Recorded) -> None:
    record = record_of(turns=6)
    early = replace(record.votes[-1], turn=record.turns[0].position.turn)
    written = DIPLOBN.write(replace(record, votes=(early,)))
    vote = json.loads(written)["GamePhases"][0]["DrawVote"]

    assert vote["Passed"] is False
    assert vote["ProposedBy"] == "France"
    assert vote["NumberOfKeepPlayingVotes"] == 6
    assert "France" not in vote["KeepPlayingVoters"]
    [found] = DIPLOBN.read(written, load_variant).votes
    assert (found.turn, found.power, found.withdrawn) == (early.turn, FRANCE, False)


def test_the_shapes_of_the_schema_are_all_read() -> None:
    """Orders as bare letters or in a list, results with and without a reason."""
    text = json.dumps(
        {
            "GamePhases": [
                {
                    "Phase": 19011,
                    "Status": "Completed",
                    "CenterCounts": {},
                    "Orders": {
                        "Austria": [["Vie", ["h"]], ["Bud", "h", "s"]],
                        "Russia": [["Stp", ["m", ["BOT"]], ["s"]]],
                        "France": [["Yor", "h", ["f", "no unit there"]]],
                        "Italy": [["Rom", ["sh", "Mar"]], ["Ven", ["sh", "Bur"]]],
                    },
                },
                {"Phase": 19012, "Status": "AwaitingOrders", "CenterCounts": {}},
            ]
        }
    )

    record = DIPLOBN.read(text, load_variant)

    orders = record.turns[0].orders
    assert [str(order.unit) for order in orders if hasattr(order, "unit")] == [
        "A VIE",
        "A BUD",
        "F STP/SCS",
        "A ROM",
        "A VEN",
    ]
    # A unit that is not there is an army of the same power.
    others = [each.supported for each in orders if isinstance(each, SupportHold)]
    assert [(each.power, str(each)) for each in others] == [
        ("FRA", "A MAR"),
        ("ITA", "A BUR"),
    ]
    assert {str(unit) for unit in record.last.units} >= {"F GOB", "A VIE"}


def units(**standing: object) -> dict[str, object]:
    return {"Units": standing, "SupplyCenters": {}}


def centres(**owned: object) -> dict[str, object]:
    return {"Units": {}, "SupplyCenters": owned}


@pytest.mark.parametrize(
    ("season", "problem"),
    [
        ({"Phase": 0}, "phase 0: expected five digits"),
        ({"Phase": 1901}, "phase 1901: expected five digits"),
        ({"Phase": 190111}, "phase 190111: expected five digits"),
        ({"Phase": 19010}, "expected a number such as 19011, 19012 or 19013"),
        ({"Phase": 19015}, "expected a number such as 19011, 19012 or 19013"),
        ({"Orders": {"Spain": []}}, "unknown country 'Spain'"),
        ({"Orders": {"Austria": [["Vie", ["x"]]]}}, "order \\['x'\\]: expected"),
        ({"Orders": {"Austria": [["Vie", []]]}}, "19011: order \\[\\]: expected"),
        ({"Orders": {"Austria": [["VIE", "h"]]}}, "unknown province 'VIE'"),
        ({"Orders": {"Austria": [[]]}}, "unknown province None"),
        ({"Orders": {"Austria": [["Vie", ["b", 3]]]}}, "build \\[3\\]: expected"),
        ({"RetreatOrders": {}}, "nobody was dislodged"),
        (units(Austria=[["A", "NTH"]]), "cannot stand"),
        (centres(Austria=["VIE"]), "19011: SupplyCenters of 'Austria': unknown prov"),
        (units(Russia=[["F", ["Stp", "xc"]]]), "unknown coast"),
        (units(Russia=[["F", ["Stp", "nc", "sc"]]]), "unknown coast"),
        (
            units(Austria=[["A", "Ven"]], Italy=[["A", "Ven"]]),
            "Units of 'Italy': two units in 'Ven'",
        ),
        (centres(Austria=["Ven"], Italy=["Ven"]), "'Ven' belongs to Austria as well"),
        (centres(Austria=["Boh"]), "not a supply centre"),
        (centres(Austria=["NTH"]), "not a supply centre"),
    ],
)
def test_errors_name_the_place_and_the_value(
    season: dict[str, object], problem: str
) -> None:
    whole = {"Phase": 19011, "Status": "Completed", "CenterCounts": {}, **season}

    with pytest.raises(FormatError, match=problem):
        DIPLOBN.read(json.dumps({"GamePhases": [whole]}), load_variant)


def test_another_board_cannot_be_written(record_of: Recorded) -> None:
    record = replace(record_of(turns=1), variant=load_variant("pure"))

    with pytest.raises(FormatError, match="only the standard map can be written"):
        DIPLOBN.write(record)


def test_a_game_that_begins_with_retreats_is_refused(record_of: Recorded) -> None:
    """The format has them with the movements before, which nobody knows."""
    record = record_of(3, turns=30)
    phases = [turn.position.turn.phase for turn in record.turns]
    later = record.turns[phases.index(Phase.RETREATS) :]
    with pytest.raises(FormatError, match="begins with the retreats of"):
        DIPLOBN.write(replace(record, turns=later))


# The data of the whole game: the note, the days, how it ended, and who was left


def record_with(
    status: str = "GameEnded", vote: object = (), **keys: object
) -> GameRecord:
    """Return the record of a file of one season, which has *keys*."""
    last = {"Phase": 19013, "Status": status, "CenterCounts": {}}
    last |= {"DrawVote": vote} if vote else {}
    return DIPLOBN.read(json.dumps({"GamePhases": [last], **keys}), load_variant)


@pytest.mark.parametrize("text", ["", "a fine game", "variant: standard"])
def test_a_file_without_our_note_is_foreign(text: str) -> None:
    record = record_with(Note=text, ScoringSystem="DrawSize")

    assert (record.foreign, record.edition, record.level) == (True, FOREIGN_EDITION, 0)
    assert record.metadata["scoring_system"] == "draw_size"


@pytest.mark.parametrize(
    ("seconds", "ended", "days"),
    [
        (0.0, 60.0, {}),
        (86400.0, 60.0, {"DatePlayed": "1970-01-02"}),
        (86400.0, None, {"DateBegan": "1970-01-02"}),
        (86400.0, 90000.0, {"DateBegan": "1970-01-02", "DateEnded": "1970-01-03"}),
    ],
)
def test_days_are_written_as_far_as_they_are_known(
    record_of: Recorded, seconds: float, ended: float | None, days: dict[str, str]
) -> None:
    record = replace(record_of(turns=0), started=seconds, ended=ended)
    file = file_of(record)
    assert {key: file[key] for key in file if key.startswith("Date")} == days
    assert DIPLOBN.read(json.dumps(file), load_variant).started == seconds


def test_an_invalid_day_is_unknown() -> None:
    assert record_with(DateBegan="soon").started == 0.0


def test_metadata_that_are_not_the_usual_come_back(record_of: Recorded) -> None:
    metadata = {"Language": "French", "scoring_system": "dixie"}
    record = replace(record_of(turns=0), metadata=metadata)

    assert file_of(record)["ScoringSystem"] == "Dixie"
    assert DIPLOBN.read(DIPLOBN.write(record), load_variant).metadata == metadata


PASSED = {"Passed": True, "PlayersInDraw": ["France", "Italy"]}
LEFT = {
    "Turkey": {
        "CenterCount": 3,
        "YearOfElimination": None,
        "InGameAtEnd": True,
        "Score": 0.0,
        "Rank": 1,
    }
}
ALL = "AUS ENG FRA GER ITA RUS TUR"


@pytest.mark.parametrize(
    ("given", "ending", "winners"),
    [
        ({"status": "AwaitingOrders"}, None, ""),
        # Without a word an ended game was drawn.
        ({}, Ending.DRAW, ALL),
        ({"EndedBy": "Draw"}, Ending.DRAW, ALL),
        ({"EndedBy": "Solo"}, Ending.SOLO, "RUS"),
        ({"EndedBy": "GameManager"}, Ending.ABORTED, ""),
        ({"EndedBy": "Draw", "ResultSummary": LEFT}, Ending.DRAW, "TUR"),
        ({"vote": PASSED, "ResultSummary": LEFT}, Ending.DRAW, "FRA ITA"),
        # A ballot without a name is nobody's vote.
        ({"vote": {"Passed": True}}, Ending.DRAW, ALL),
    ],
)
def test_the_vote_decides_then_the_results_then_the_position(
    given: dict[str, Any], ending: Ending | None, winners: str
) -> None:
    record = record_with(**given)

    assert record.ending is ending
    assert record.winners == tuple(winners.split())
    assert record.votes == ()


# Reasons of failures, and the consequences that they stand for


@pytest.mark.parametrize("result", ["f", ["f"], ["f", "nobody knows"]])
def test_a_failure_without_a_known_reason_is_a_cut_or_a_bounce(
    standard: Variant, result: Result
) -> None:
    first, second, *_ = standard.start.units_of(FRANCE)
    convoy = Convoy(first, second, Location(Province("POR")))

    assert order_lines.consequences_in(SupportHold(first, second), result) == [
        Consequence.CUT
    ]
    assert order_lines.consequences_in(Hold(first), result) == [Consequence.BOUNCED]
    assert order_lines.consequences_in(convoy, ["f", order_lines.NO_ROUTE]) == [
        Consequence.DISRUPTED
    ]


def test_every_name_that_is_read_is_written_again() -> None:
    assert all(SYSTEM_NAMES[ours] == theirs for theirs, ours in OUR_SYSTEMS.items())


# DiploBN's names, and the way back from them


def test_every_place_and_power_is_found_by_its_name(names: BoardNames) -> None:
    for location in names.map.locations.values():
        assert names.location(names.place(location)) == location
    for power, country in names.countries.items():
        assert names.power(country) == power


def test_every_unit_that_can_stand_is_found_by_its_name(names: BoardNames) -> None:
    for kind, location in names.map.neighbours:
        unit = names.map.unit(FRANCE, kind, location)
        assert names.standing(*names.unit(unit)) == (kind, location)


def test_an_order_with_a_place_off_the_map_has_no_line(names: BoardNames) -> None:
    army = names.map.unit(FRANCE, UnitType.ARMY, Location(Province("PAR")))
    assert order_lines.line_of(Move(army, Location(Province("XXX"))), names) is None


def test_nobody_retreats_by_convoy(standard: Variant, names: BoardNames) -> None:
    board = position_with(standard, "S1901R", {}, {}, {"FRANCE": {"A BUR": ["PAR"]}})
    line: list[object] = ["Bur", ["m", "Par"], ["s", order_lines.BY_CONVOY]]
    with pytest.raises(FormatError, match="expected one by land"):
        list(order_lines.DiplobnOrderReader(names, board).orders({"France": [line]}))


# Faults that reading accepts, and the schema or good sense does not


Change = Callable[[dict[str, Any]], object]


def faults(file: dict[str, Any]) -> list[str]:
    return [str(each) for each in check(json.dumps(file).encode(), load_variant)]


@pytest.fixture
def file(record_of: Recorded) -> dict[str, Any]:
    return file_of(record_of(turns=6))


def test_our_own_files_have_no_faults(file: dict[str, Any]) -> None:
    assert faults(file) == []


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda file: file.update(Modality="Zoom"), "Modality: found 'Zoom'"),
        (lambda file: file.update(URL=7), "URL: found 7, expected a text"),
        (lambda file: file["Players"].update(Spain="x"), "Players.Spain: found"),
        (lambda file: file["GamePhases"].append(1), "found 1, expected an object"),
        (lambda file: file["GamePhases"].reverse(), "found 19011 after 19012"),
        (
            lambda file: file["GamePhases"][0].update(Status="Over"),
            "GamePhases[0].Status: found 'Over'",
        ),
        (
            lambda file: file["GamePhases"][0]["CenterCounts"].update(Italy=4),
            "found 3 centres, CenterCounts has 4",
        ),
        (
            lambda file: file["GamePhases"][0]["Units"].update(Spain=[]),
            "GamePhases[0].Units.Spain: found 'Spain'",
        ),
        (
            lambda file: file["GamePhases"][0]["CenterCounts"].update(Italy=0),
            "found 3 centres, CenterCounts has 0",
        ),
        (
            lambda file: file["GamePhases"][0]["SupplyCenters"].pop("Italy"),
            "found 0 centres, CenterCounts has 3",
        ),
        (
            lambda file: file["ResultSummary"]["Italy"].update(CenterCount=-1),
            "ResultSummary.Italy.CenterCount: found -1, the last season has ",
        ),
    ],
)
def test_a_fault_is_reported_with_its_place(
    file: dict[str, Any], change: Change, fault: str
) -> None:
    change(file)
    assert any(fault in each for each in faults(file))


@pytest.mark.parametrize(
    "line",
    [
        "Vie",
        ["Vie"],
        ["Vie", "h", "s", "s"],
        ["VIE", "h", "s"],
        ["Vie", "hold", "s"],
        ["Vie", [], "s"],
        ["Vie", ["m"], "s"],
        ["Vie", ["m", "Tri", "VIA"], "s"],
        ["Vie", "h", True],
        ["Vie", "h", "bounce"],
        ["Vie", "h", ["f", 7]],
        ["Vie", "h", ["f", "Dislodged", "again"]],
        # As the schema has them:
        ["Vie", "h"],
        ["Vie", ["h"], ["s"]],
        ["Stp", ["b", ["F", ["Stp", "nc"]]], "s"],
        ["Vie", ["sm", "Bud", "Gal"], ["f", "Support is cut"]],
    ],
)
@pytest.mark.parametrize("table", ["Orders", "RetreatOrders"])
def test_a_line_is_as_the_schema_has_it(
    file: dict[str, Any], table: str, line: object
) -> None:
    file["GamePhases"][0][table] = {"Austria": [line]}

    found = faults(file)

    assert len(found) == (not validator().is_valid(file))
    assert all(each.startswith(f"GamePhases[0].{table}.Austria[0]") for each in found)

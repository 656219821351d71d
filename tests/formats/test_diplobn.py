"""DiploBN's JSON: valid under its schema, and the same game when it is read again."""

import json
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from daide_server.board.map import Phase
from daide_server.board.orders import ConvoyedMove, Order, Waive
from daide_server.board.results import OrderNote, Report
from daide_server.formats.diplobn import DIPLOBN as DIPLOBN
from daide_server.formats.errors import FormatError
from daide_server.judge.rules import DAIDE_RULES, IllegalOrders
from daide_server.records.record import Ending, GameRecord, PlayedTurn
from daide_server.records.replay import replay
from daide_server.records.turn_results import game_result
from daide_server.storage.variants import load_variant

Recorded = Callable[..., GameRecord]
SCHEMA = Path(__file__).parent / "schemas" / "diplobn.json"


def file_of(record: GameRecord) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(DIPLOBN.write(record))
    return loaded


def validate(record: GameRecord) -> None:
    jsonschema = import_module("jsonschema")
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(file_of(record), schema)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("ending", list(Ending))
def test_files_are_valid_under_the_schema(
    record_of: Recorded, seed: int, ending: Ending
) -> None:
    validate(record_of(seed, turns=12, ending=ending))


def test_a_game_that_goes_on_awaits_orders(record_of: Recorded) -> None:
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


@settings(max_examples=15, deadline=None)
@example(seed=1337, turns=28, ending=Ending.YEAR_LIMIT)
@given(
    seed=st.integers(0, 10_000),
    turns=st.integers(0, 30),
    ending=st.sampled_from([Ending.DRAW, Ending.YEAR_LIMIT, Ending.ABORTED]),
)
def test_the_same_game_is_read_again(
    record_of: Recorded, seed: int, turns: int, ending: Ending
) -> None:
    """All but press, waives, routes, times and who withdrew a vote."""
    record = record_of(seed, turns=turns, ending=ending)

    found = DIPLOBN.read(DIPLOBN.write(record), load_variant)

    assert [plain_turn(t) for t in found.turns] == [plain_turn(t) for t in record.turns]
    assert found.last == record.last
    assert (found.id, found.ending, found.edition, found.level) == (
        record.id,
        record.ending,
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
    assert list(replay(found)) == []


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


def test_failures_have_reasons(record_of: Recorded) -> None:
    file = file_of(record_of(1, turns=25))
    reasons = {
        str(line[2][1]).partition(";")[0]
        for season in file["GamePhases"]
        for lines in season.get("Orders", {}).values()
        for line in lines
        if len(line) == 3 and line[2][0] == "f"
    }

    assert {"Stand off with another mover", "Support is cut", "Dislodged"} <= reasons


def test_a_draw_is_a_vote_that_passed(record_of: Recorded) -> None:
    vote = file_of(record_of(turns=6))["GamePhases"][-1]["DrawVote"]

    assert vote == {
        "Passed": True,
        "PlayersInDraw": ["Austria", "France"],
        "ProposedBy": "France",
    }


def test_a_vote_that_did_not_carry_names_who_kept_playing(record_of: Recorded) -> None:
    record = record_of(turns=6)
    early = replace(record.votes[-1], turn=record.turns[0].position.turn)
    vote = file_of(replace(record, votes=(early,)))["GamePhases"][0]["DrawVote"]

    assert vote["Passed"] is False
    assert vote["ProposedBy"] == "France"
    assert vote["NumberOfKeepPlayingVotes"] == 6
    assert "France" not in vote["KeepPlayingVoters"]


def test_the_result_has_rank_score_and_years(record_of: Recorded) -> None:
    record = replace(record_of(turns=9), metadata={"scoring_system": "dixie"})
    file = file_of(record)
    result = file["ResultSummary"]

    assert file["ScoringSystem"] == "Dixie"
    assert result["Austria"]["InGameAtEnd"] is True
    assert result["England"]["InGameAtEnd"] is False
    largest = max(result.values(), key=lambda line: line["CenterCount"])
    assert largest["Rank"] == 1
    assert {line["YearOfElimination"] for line in result.values()} >= {None}


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
                    },
                },
                {"Phase": 19012, "Status": "AwaitingOrders", "CenterCounts": {}},
            ]
        }
    )

    record = DIPLOBN.read(text, load_variant)

    assert [
        str(order.unit) for order in record.turns[0].orders if hasattr(order, "unit")
    ] == [
        "A VIE",
        "A BUD",
        "F STP/SCS",
    ]
    assert {str(unit) for unit in record.last.units} >= {"F GOB", "A VIE"}


@pytest.mark.parametrize(
    ("season", "problem"),
    [
        ({"Phase": 1901}, "phase 1901: found, expected five digits"),
        ({"Phase": 19015}, "expected such as 19011, 19012 or 19013"),
        ({"Orders": {"Spain": []}}, "unknown country 'Spain'"),
        ({"Orders": {"Austria": [["Vie", ["x"]]]}}, "order \\['x'\\]: expected"),
        ({"Orders": {"Austria": [["Vie", []]]}}, "19011: order \\[\\]: expected"),
        ({"Orders": {"Austria": [["VIE", "h"]]}}, "unknown province 'VIE'"),
        ({"Orders": {"Austria": [[]]}}, "unknown province None"),
        ({"Orders": {"Austria": [["Vie", ["b", 3]]]}}, "build \\[3\\]: expected"),
        ({"RetreatOrders": {}}, "nobody was dislodged"),
        ({"Units": {"Austria": [["A", "NTH"]]}, "SupplyCenters": {}}, "cannot stand"),
        (
            {"Units": {}, "SupplyCenters": {"Austria": ["VIE"]}},
            "19011: SupplyCenters of 'Austria': unknown prov",
        ),
    ],
)
def test_what_is_wrong_is_told(season: dict[str, object], problem: str) -> None:
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

import json
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from daide_server.formats.phase_json.dialects import DIPCC as DIPCC
from daide_server.judge.rules import DAIDE_RULES, EDITIONS, Rules
from daide_server.records.record import GameRecord
from daide_server.reports.queries import QueryAdjudicator
from daide_server.storage.variants import load_variant

Recorded = Callable[..., GameRecord]
Json = dict[str, Any]
POWERS = ["AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY"]
GALICIA: Json = {
    "id": "x",
    "phase": "S1901M",
    "units": {"AUSTRIA": ["A VIE", "A BUD"], "RUSSIA": ["A WAR"]},
    "centers": {"AUSTRIA": ["VIE", "BUD"]},
    "orders": {
        "AUSTRIA": ["A VIE - GAL", "A BUD S A VIE - GAL"],
        "RUSSIA": ["A WAR - GAL"],
    },
}
VENICE: Json = {
    "phase": "F1901R",
    "units": {"AUSTRIA": ["A VEN", "A TRI"], "ITALY": ["*A VEN", "F ION"]},
    "centers": {"AUSTRIA": ["TRI", "VIE"], "ITALY": ["VEN", "ROM"]},
    "retreats": {"ITALY": {"A VEN": ["TUS", "APU"]}},
    "orders": {"ITALY": ["A VEN R APU"]},
}


def ask(line: object, rules: Rules = DAIDE_RULES) -> Json:
    """Return the answer to a line that is right."""
    reply = QueryAdjudicator(load_variant, rules).answer(json.dumps(line).encode(), 1)
    assert reply.good, reply.text
    loaded: Json = json.loads(reply.text)
    return loaded


@pytest.mark.parametrize(
    ("named", "powers"), [({}, ["AUSTRIA", "FRANCE"]), ({"map": "standard"}, POWERS)]
)
def test_a_line_that_names_no_board_is_on_the_one_that_is_told(
    named: Json, powers: list[str]
) -> None:
    line = {"phase": "S1901M", "units": {}, "centers": {}, "orders": {}, **named}

    reply = QueryAdjudicator(load_variant, DAIDE_RULES, "fva").answer(
        json.dumps(line).encode(), 1
    )

    assert list(json.loads(reply.text)["state"]["units"]) == powers


def test_a_supported_attack() -> None:
    reply = ask(GALICIA)

    assert list(reply) == ["id", "results", "state"]
    assert reply["id"] == "x"
    assert reply["results"] == {"A VIE": [], "A BUD": [], "A WAR": ["bounce"]}
    state = reply["state"]
    assert state["name"] == "F1901M"
    assert state["units"]["AUSTRIA"] == ["A BUD", "A GAL"]
    assert state["centers"]["AUSTRIA"] == ["BUD", "VIE"]
    assert state["homes"]["AUSTRIA"] == ["BUD", "VIE"]
    for table in ("units", "centers", "homes", "retreats", "builds"):
        assert list(state[table]) == POWERS
    assert state["retreats"]["AUSTRIA"] == {}
    assert state["builds"]["AUSTRIA"] == {"count": 0, "homes": []}


@pytest.mark.parametrize("echoed", ["x", 7, None, {"game": [1, 2]}, 1.5])
def test_the_id_is_echoed_whatever_it_is(echoed: object) -> None:
    assert ask({**GALICIA, "id": echoed})["id"] == echoed


def test_without_an_id_there_is_none_in_the_answer() -> None:
    assert "id" not in ask(VENICE)


def test_a_dislodged_unit_is_starred_and_told_where_it_may_go() -> None:
    reply = ask({
        "phase": "F1901M",
        "units": {"AUSTRIA": ["A TYR", "F TRI"], "ITALY": ["A VEN", "A PIE"]},
        "centers": {"ITALY": ["VEN"]},
        "orders": {"AUSTRIA": ["A TYR - VEN", "F TRI S A TYR - VEN"]},
    })  # fmt: skip

    assert reply["results"]["A VEN"] == ["dislodged"]
    state = reply["state"]
    assert state["name"] == "F1901R"
    assert state["units"]["ITALY"] == ["*A VEN", "A PIE"]
    assert state["retreats"]["ITALY"] == {"A VEN": ["APU", "ROM", "TUS"]}
    assert state["centers"]["ITALY"] == ["VEN"]


def test_a_retreat_ends_the_year() -> None:
    reply = ask(VENICE)

    assert reply["results"] == {"A VEN": []}
    assert reply["state"]["name"] == "W1901A"
    assert reply["state"]["units"]["ITALY"] == ["A APU", "F ION"]
    assert reply["state"]["centers"]["AUSTRIA"] == ["TRI", "VEN", "VIE"]
    assert reply["state"]["builds"]["AUSTRIA"] == {"count": 1, "homes": ["VIE"]}
    assert reply["state"]["builds"]["ITALY"] == {"count": -1, "homes": []}


def test_phases_in_which_nothing_is_due_are_not_next() -> None:
    units = {"AUSTRIA": ["A TRI", "A VIE"]}
    centers = {"AUSTRIA": ["TRI", "VIE"]}
    fall = {"phase": "F1901M", "units": units, "centers": centers, "orders": {}}

    assert ask(fall)["state"]["name"] == "S1902M"


def test_builds_removals_and_civil_disorder() -> None:
    reply = ask({
        "phase": "W1901A",
        "units": {"ITALY": ["A VEN", "A TUS"], "RUSSIA": ["A MOS", "A SIL"]},
        "centers": {"AUSTRIA": ["VIE"], "ITALY": ["VEN"], "RUSSIA": ["MOS"]},
        "orders": {"AUSTRIA": ["A VIE B", "A BUD B"], "ITALY": ["A TUS D"]},
    })  # fmt: skip

    assert reply["results"] == {
        "A VIE": [],
        "A BUD": ["void"],
        "A TUS": [],
        "A SIL": ["disband"],
    }
    assert reply["state"]["name"] == "S1902M"


def test_the_edition_decides_whether_an_idle_adjustment_phase_is_played() -> None:
    """Austria is owed a unit, but owns none of its homes."""
    fall = {
        "phase": "F1901M",
        "units": {},
        "centers": {"AUSTRIA": ["SER"]},
        "orders": {},
    }

    assert ask(fall)["state"]["name"] == "W1901A"
    assert ask(fall, EDITIONS["dipcc"])["state"]["name"] == "S1902M"


def test_a_solo_completes_the_game() -> None:
    centers = sorted(load_variant("standard").map.centres - {"GOL"})[:18]
    reply = ask({
        "phase": "F1907M",
        "units": {"FRANCE": []},
        "centers": {"FRANCE": centers},
        "orders": {},
    })  # fmt: skip

    assert reply["state"]["name"] == "COMPLETED"
    assert reply["state"]["centers"]["FRANCE"] == centers
    assert reply["state"]["builds"]["FRANCE"] == {"count": 0, "homes": []}


@pytest.mark.parametrize(
    ("orders", "words"),
    [
        (["A PAR - LON"], ["void"]),
        (["A PAR - MOS", "A PAR - BUR"], []),
        (["A PAR - BUR", "A PAR - MOS"], []),
        (["A PAR S A MAR"], ["void"]),
        (["A PAR R BUR"], ["void"]),
        ([], []),
    ],
)
def test_an_illegal_order_is_void_unless_another_stands(
    orders: list[str], words: list[str]
) -> None:
    line = {
        "phase": "S1901M",
        "units": {"FRANCE": ["A PAR"]},
        "centers": {},
        "orders": {"FRANCE": orders},
    }

    assert ask(line)["results"] == {"A PAR": words}


def test_an_order_for_no_unit_has_no_result() -> None:
    line = {**GALICIA, "orders": {"FRANCE": ["A PAR - BUR", "A VIE - TYR"]}}

    assert ask(line)["results"] == {"A VIE": [], "A BUD": [], "A WAR": []}


def test_the_unit_that_took_a_province_is_not_taken_for_the_dislodged_one() -> None:
    """Both are called A VEN; only the Italian one can be ordered."""
    orders = {"AUSTRIA": ["A VEN R TYR"], "ITALY": ["A VEN R APU"]}

    assert ask({**VENICE, "orders": orders})["results"] == {"A VEN": []}


def test_an_illegal_retreat_is_void_and_its_unit_gone() -> None:
    line = {**VENICE, "orders": {"ITALY": ["A VEN R PIE"]}}
    reply = ask(line)

    assert reply["results"] == {"A VEN": ["void", "disband"]}
    assert reply["state"]["units"]["ITALY"] == ["F ION"]


@pytest.mark.parametrize("seed", range(4))
def test_a_game_can_be_played_by_answers(record_of: Recorded, seed: int) -> None:
    """Each answer's state is the next question, and the record agrees with it."""
    phases = json.loads(DIPCC.write(record_of(seed, turns=30)))["phases"][:-2]
    for phase, after in pairwise(phases):
        state = phase["state"]
        line = {
            "phase": state["name"],
            "units": state["units"],
            "centers": state["centers"],
            "retreats": state["retreats"],
            "orders": phase["orders"],
        }

        reply = ask(line)

        assert reply["state"] == after["state"]
        words = {unit: [each for each in said if each]
                 for unit, said in phase["results"].items()}  # fmt: skip
        assert reply["results"] == words

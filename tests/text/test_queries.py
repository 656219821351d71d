"""Questions about records: positions, lines, and wrong ones."""

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from daide_server.judge.rules import DAIDE_RULES
from daide_server.library.variants import load_variant, variant_names
from daide_server.records.formats.phase_json.dialects import DIPCC
from daide_server.text.queries import QueryAdjudicator, query_line
from tests.support.boards import by_power
from tests.support.random_games import Recorded

Json = dict[str, Any]
JUDGE = QueryAdjudicator(load_variant, DAIDE_RULES)
GALICIA: Json = {
    "phase": "S1901M",
    "units": {"AUSTRIA": ["A VIE", "A BUD"], "RUSSIA": ["A WAR"]},
    "centers": {"AUSTRIA": ["VIE", "BUD"]},
    "orders": by_power(
        "AUSTRIA: A VIE - GAL, A BUD S A VIE - GAL; RUSSIA: A WAR - GAL"
    ),
}
VENICE: Json = {
    "phase": "F1901R",
    "units": {"AUSTRIA": ["A VEN", "A TRI"], "ITALY": ["*A VEN", "F ION"]},
    "centers": {"AUSTRIA": ["TRI", "VIE"], "ITALY": ["VEN", "ROM"]},
    "retreats": {"ITALY": {"A VEN": ["TUS", "APU"]}},
    "orders": {"ITALY": ["A VEN R APU"]},
}


def ask(line: object) -> Json:
    """Return the answer to a line that is right."""
    reply = JUDGE.answer(json.dumps(line).encode(), 1)
    assert reply.good, reply.text
    loaded: Json = json.loads(reply.text)
    return loaded


@pytest.mark.parametrize("echoed", ["x", 7, None, {"game": [1, 2]}, 1.5])
def test_the_id_is_echoed_whatever_it_is(echoed: object) -> None:
    reply = ask({**GALICIA, "id": echoed})

    assert list(reply) == ["id", "results", "state"]
    assert reply["id"] == echoed
    assert reply["results"] == {"A VIE": [], "A BUD": [], "A WAR": ["bounce"]}
    assert list(ask(VENICE)) == ["results", "state"]


def test_a_solo_completes_the_game() -> None:
    centers = sorted(load_variant("standard").map.centres - {"GOL"})[:18]
    owned = {"FRANCE": centers}
    reply = ask({"phase": "F1907M", "units": {}, "centers": owned, "orders": {}})

    assert reply["state"]["name"] == "COMPLETED"
    assert reply["state"]["centers"]["FRANCE"] == centers
    assert reply["state"]["builds"]["FRANCE"] == {"count": 0, "homes": []}


def paris(*orders: str) -> Json:
    """Return a question about an army in Paris."""
    given = {"orders": {"FRANCE": orders}}
    return {"phase": "S1901M", "units": {"FRANCE": ["A PAR"]}, "centers": {}, **given}


@pytest.mark.parametrize(
    ("line", "results"),
    [
        # An illegal order is void unless another stands.
        (paris("A PAR - LON"), {"A PAR": ["void"]}),
        (paris("A PAR - MOS", "A PAR - BUR"), {"A PAR": []}),
        (paris("A PAR - BUR", "A PAR - MOS"), {"A PAR": []}),
        (paris("A PAR S A MAR"), {"A PAR": ["void"]}),
        (paris("A PAR R BUR"), {"A PAR": ["void"]}),
        (paris(), {"A PAR": []}),
        # An order for no unit has no result.
        (
            {**GALICIA, "orders": {"FRANCE": ["A PAR - BUR", "A VIE - TYR"]}},
            {"A VIE": [], "A BUD": [], "A WAR": []},
        ),
        # Both are called A VEN; only the Italian one can be ordered.
        (
            {**VENICE, "orders": by_power("AUSTRIA: A VEN R TYR; ITALY: A VEN R APU")},
            {"A VEN": []},
        ),
    ],
)
def test_results_are_those_of_the_units_that_were_ordered(
    line: Json, results: Json
) -> None:
    assert ask(line)["results"] == results


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
        tables = {key: state[key] for key in ("units", "centers", "retreats")}
        line = {**tables, "phase": state["name"], "orders": phase["orders"]}

        reply = ask(line)

        assert reply["state"] == after["state"]
        words = {unit: [each for each in said if each]
                 for unit, said in phase["results"].items()}  # fmt: skip
        assert reply["results"] == words


# A position is asked about in the line that the judge's answers read


@pytest.mark.parametrize("name", variant_names())
def test_a_question_is_answered(name: str) -> None:
    """Everybody holds, so that units stay; before the first turn all wait to build."""
    variant = load_variant(name)

    asked = query_line(variant, variant.start)
    reply = JUDGE.answer(asked, 1)

    assert reply.good
    assert json.loads(reply.text)["state"]["units"] == json.loads(asked)["units"]
    assert json.loads(asked)["map"] == name


# Lines that `adjudicate` is asked and cannot answer, or only just


def asked(line: bytes | Json) -> Json:
    """Return the answer to a line, right or wrong."""
    text = line if isinstance(line, bytes) else json.dumps(line).encode()
    loaded: Json = json.loads(JUDGE.answer(text, 7).text)
    return loaded


def complaint(line: bytes | Json) -> str:
    """Return what is wrong with a line."""
    refusal = asked(line)
    assert refusal.keys() - {"id"} == {"line", "error"}
    assert refusal["line"] == 7
    message: str = refusal["error"]
    return message


WRONG: list[tuple[bytes | Json, str]] = [
    (b"", "Input data was truncated"),
    (b"[]", "Expected `object`, got `array`"),
    ({}, "missing required field `phase`"),
    ({**GALICIA, "phase": 1901}, "$.phase: Expected `str`, got `int`"),
    ({**GALICIA, "phase": "X1901M"}, "found 'X1901M', expected a phase such as"),
    ({**GALICIA, "map": "mars"}, "no variant is called 'mars'; there are:"),
    (
        {**GALICIA, "orders": {"FRANCE": ["A PAR ?"]}},
        "orders of 'FRANCE': order 'A PAR ?': found",
    ),
    ({**GALICIA, "orders": {"GAUL": []}}, "orders of 'GAUL': unknown power 'GAUL'"),
    ({**GALICIA, "phase": "S1901R"}, "no 'retreats' found, expected in this phase"),
    ({**VENICE, "phase": "S1901M"}, "'retreats' found, expected in R phases only"),
    ({**GALICIA, "phase": "W9999A"}, "year 10000: "),
    (
        {**VENICE, "retreats": {"ITALY": {"A VEN": ["NAP"]}}},
        "retreats of 'ITALY': A VEN cannot reach NAP, expected some of APU, PIE",
    ),
    (
        {**VENICE, "units": {"ITALY": ["A VEN"]}},
        "units of 'ITALY': A VEN found, expected *A VEN or nothing",
    ),
]


@pytest.mark.parametrize(("line", "message"), WRONG)
def test_a_wrong_line_is_answered_with_what_was_found(
    line: bytes | Json, message: str
) -> None:
    assert message in complaint(line)


def test_a_retreat_to_an_occupied_place_is_refused() -> None:
    """Even if it is offered; else two units would stand in one place."""
    line = {**VENICE, "retreats": {"ITALY": {"A VEN": ["TRI"]}}}

    assert complaint({**line, "orders": {"ITALY": ["A VEN R TRI"]}}) == (
        "orders of 'ITALY': A VEN R TRI found where A TRI of AUSTRIA is, "
        "expected a free place"
    )


def test_an_occupied_place_that_is_only_offered_does_no_harm() -> None:
    """Recorded states offer such places."""
    line = {**VENICE, "retreats": {"ITALY": {"A VEN": ["TRI", "APU"]}}}

    assert asked(line) == asked(VENICE)


VENETIAN = ["VEN", "TRI", "TYR", "PIE", "TUS", "ROM", "APU"]
"""Venice and what is next to it."""


@given(
    armies=st.sets(st.sampled_from(VENETIAN)),
    places=st.lists(st.sampled_from(VENETIAN), max_size=3),
    to=st.sampled_from(VENETIAN),
)
@example(armies={"VEN", "TRI"}, places=["TRI"], to="TRI")
@example(armies={"VEN"}, places=["APU"], to="APU")
def test_the_state_that_is_answered_can_be_asked(
    armies: set[str], places: list[str], to: str
) -> None:
    units = {"AUSTRIA": [f"A {at}" for at in armies], "ITALY": ["*A VEN"]}
    retreats = {"ITALY": {"A VEN": places}}
    orders = {"ITALY": [f"A VEN R {to}"]}
    line = {**VENICE, "units": units, "retreats": retreats, "orders": orders}

    reply = asked(line)

    if "state" in reply:
        state = reply["state"]
        tables = {key: state[key] for key in ("units", "centers", "retreats")}
        assert "state" in asked({**tables, "phase": state["name"], "orders": {}})
    else:
        assert "retreats" in reply["error"] or "orders" in reply["error"]


@pytest.mark.parametrize("wrong", [{"phase": "X"}, {"units": 3}, {"map": "mars"}])
def test_the_answer_to_a_wrong_line_has_its_id(wrong: Json) -> None:
    assert asked({**GALICIA, "id": "x", **wrong})["id"] == "x"


@pytest.mark.parametrize(
    "line", [b'{"id": "x"', b'{"id": "\xff"}', b'{"id": [' + b"[" * 100_000]
)
def test_an_id_that_cannot_be_read_is_left_out(line: bytes) -> None:
    assert asked(line).keys() == {"line", "error"}


@pytest.mark.parametrize(
    "line",
    [
        b'{"id": "\xff", "phase": "S1901M", "units": {}, "centers": {}, "orders": {}}',
        b'{"phase": "\xff", "units": {}, "centers": {}, "orders": {}}',
        b'{"phase": "S1901M", "units": {"\xff": []}, "centers": {}, "orders": {}}',
    ],
)
def test_what_is_no_utf_8_is_told_with_its_byte(line: bytes) -> None:
    at = line.index(b"\xff")

    assert complaint(line).startswith(f"byte {at}: invalid UTF-8")
    told = JUDGE.explain(line, 7)
    assert told.text.startswith(f"line 7: byte {at}: ".encode())


def test_an_answer_is_one_line_for_every_reader() -> None:
    """CR is a blank in JSON, and the end of a line to many readers."""
    spread = (
        b'{"id": [1,\r2], "phase": "S1901M", "units": {}, "centers": {}, "orders": {}}'
    )
    reply = JUDGE.answer(spread, 1)

    assert reply.good
    assert len(reply.text.splitlines()) == 1
    assert json.loads(reply.text)["id"] == [1, 2]


def test_an_explanation_is_headed_by_one_line_with_the_id() -> None:
    line = json.dumps(GALICIA).replace("{", '{"id": [1,\r2], ', 1).encode()

    told = JUDGE.explain(line, 1)

    assert told.text.splitlines()[0] == b"S1901M [1, 2]"


@pytest.mark.parametrize(
    ("identity", "place"), [('"x"', 'line 7 "x"'), ("[1,\r2]", "line 7 [1, 2]")]
)
def test_what_cannot_be_explained_is_told_with_its_id(
    identity: str, place: str
) -> None:
    line = f'{{"id": {identity}, "phase": "S1901M"}}'.encode()

    told = JUDGE.explain(line, 7)

    assert not told.good
    assert told.text.decode() == f"{place}: Object missing required field `units`"


LONG = "A" * 100_000


@pytest.mark.parametrize(
    "line", [{**GALICIA, "map": LONG}, {**GALICIA, "units": {LONG: 3}}]
)
def test_what_is_quoted_is_cut(line: Json) -> None:
    assert len(complaint(line)) < 1000


def test_powers_of_the_full_board_may_be_told_with_nothing() -> None:
    """Other programs tell all seven, on smaller boards too."""
    nothing: Json = {"ITALY": []}
    line = {**GALICIA, "map": "fva", "units": nothing, "centers": nothing}

    assert "state" in asked({**line, "orders": nothing})


KEYS = ["id", "map", "phase", "units", "centers", "orders", "retreats", "AUSTRIA"]
TEXTS = ["S1901M", "F1901R", "W1901A", "A VIE", "*A VIE", "VIE", "A VIE - GAL", "?"]
JSON = st.recursive(
    st.none()
    | st.integers()
    | st.sampled_from(TEXTS)
    | st.text("AEIV *-/\n\0é", max_size=6),
    lambda each: (
        st.lists(each, max_size=3) | st.dictionaries(st.sampled_from(KEYS), each)
    ),
    max_leaves=10,
)


@given(change=st.dictionaries(st.sampled_from(KEYS), JSON, max_size=3))
@example(change={})
def test_any_json_is_answered(change: Json) -> None:
    reply = asked({**VENICE, **change})

    assert "state" in reply or "error" in reply


@given(data=st.data())
def test_any_fault_of_a_line_is_answered(data: st.DataObject) -> None:
    line = json.dumps({**VENICE, "id": "x"}).encode()
    at = data.draw(st.integers(0, len(line)))
    put = data.draw(st.binary(max_size=2))
    left_out = data.draw(st.integers(0, 2))

    reply = asked(line[:at] + put + line[at + left_out :])

    assert "state" in reply or "error" in reply


def test_a_line_nested_too_deeply_is_answered() -> None:
    deep = b'{"id": ' + b"[" * 100_000 + b"]" * 100_000 + b', "phase": 3}'

    assert complaint(deep) == "nested too deeply"

import re

import pytest

from daide_server.board.variant import Variant
from daide_server.formats.errors import FormatError
from daide_server.formats.phase_json.map_names import Names, names_of, phase_turn
from daide_server.formats.phase_json.position_state import (
    StateTables,
    dislodged_in,
    expect_free,
    expect_gone,
    position_of,
)


@pytest.fixture
def names(standard: Variant) -> Names:
    return names_of(standard.map)


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

"""What of a phase can be looked at, whatever is in the file."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daide_server.board.variant import Variant
from daide_server.formats.phase_json.map_names import names_of, phase_turn
from daide_server.formats.phase_json.phase_checks import RawPhase

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["units", "FRANCE", "x"]), inner, max_size=3)
    ),
    max_leaves=8,
)


def raw(standard: Variant, held: dict[str, object], phase: str = "S1901M") -> RawPhase:
    return RawPhase(names_of(standard.map), "phases[0]", held, phase_turn(phase))


@given(st.dictionaries(st.sampled_from(["state", "orders"]), JSON))
def test_any_content_can_be_looked_at(
    standard: Variant, held: dict[str, object]
) -> None:
    phase = raw(standard, held)
    assert isinstance(phase.state, dict)
    assert len(list(phase.units())) <= len(list(phase.unit_texts))


@pytest.mark.parametrize(
    ("phase", "ordered"), [("S1901M", ["A PAR"]), ("S1901R", ["A BUR"])]
)
def test_the_units_are_those_that_are_ordered(
    standard: Variant, phase: str, ordered: list[str]
) -> None:
    units = {"FRANCE": ["A PAR", "*A BUR", "A NTH", 3], "SPAIN": ["A SPA"]}
    found = raw(standard, {"state": {"units": units}}, phase).units()
    assert [str(unit) for _, unit in found] == ordered

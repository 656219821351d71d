"""A fault is one line: file, line, problem."""

import pytest

from daide_server.atlas.checking import AtlasError, MapFault


@pytest.mark.parametrize(
    ("fault", "text"),
    [
        (MapFault("is wrong", "x.mdf", 3), "x.mdf:3: is wrong"),
        (MapFault("is wrong", "x.mdf"), "x.mdf: is wrong"),
        (MapFault("is wrong"), "is wrong"),
    ],
)
def test_a_fault_has_the_place_that_is_known(fault: MapFault, text: str) -> None:
    assert str(fault) == text


def test_an_error_has_a_line_for_each_fault() -> None:
    error = AtlasError(MapFault("one"), MapFault("two", "x"))

    assert str(error) == "one\nx: two"
    assert len(error.faults) == 2

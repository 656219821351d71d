"""All errors of a map file are reported, but none that follows from another."""

import pytest

from daide_server.board.variant import errors_in
from tests.atlas.boards import isle


def test_a_good_board_has_none() -> None:
    assert list(errors_in(isle())) == []


def test_each_fault_is_reported_once() -> None:
    data = isle()
    data["provinces"]["ONE"] |= {"army": ["XXX"], "center": True}
    data["provinces"]["TWO"]["token"] = 7
    data["powers"]["RED"] |= {"colour": "red", "homes": ["SEA"]}
    data["powers"]["BLU"]["units"] = ["A YYY", "A SEA"]

    found = [error.keys for error in errors_in(data)]

    assert sorted(found) == [
        ("powers", "BLU", "units"),
        ("powers", "RED", "colour"),
        ("powers", "RED", "homes"),
        ("provinces", "ONE", "army"),
        ("provinces", "ONE", "center"),
        ("provinces", "TWO", "token"),
    ]


@pytest.mark.parametrize("key", ["name", "first_turn", "powers", "provinces"])
def test_an_error_that_the_rest_depends_on_is_reported_alone(key: str) -> None:
    data = isle()
    del data[key]
    (error,) = errors_in(data)
    assert key in str(error)


def test_a_fault_of_fleets_hides_what_may_follow_from_it() -> None:
    """Without its coasts no fleet could stand in TWO."""
    data = isle()
    data["provinces"]["TWO"]["fleet"] = {"NCS": ["XXX"]}
    (error,) = errors_in(data)
    assert "XXX" in str(error)

"""All errors of a map file are reported, but none that follows from another."""

import pytest

from daide_server.board.map import VariantError
from daide_server.board.map_reading import MAX_ERRORS, errors_in, from_mapping
from tests.atlas.boards import isle


def test_each_fault_is_reported_once() -> None:
    data = isle(
        ("provinces ONE army", ["XXX"]),
        ("provinces ONE center", True),
        ("provinces TWO token", 7),
        ("powers RED colour", "red"),
        ("powers RED homes", ["SEA"]),
        ("powers BLU units", ["A YYY", "A SEA"]),
    )

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
    (error,) = errors_in(isle(("provinces TWO fleet", {"NCS": ["XXX"]})))
    assert "XXX" in str(error)


def test_the_first_error_is_raised_with_the_others() -> None:
    data = isle(("provinces ONE army", ["XXX"]), ("powers RED colour", "red"))

    with pytest.raises(VariantError) as caught:
        from_mapping(data)

    assert caught.value.keys == ("provinces", "ONE", "army")
    assert [error.keys for error in caught.value.others] == [
        ("powers", "RED", "colour")
    ]


def test_no_error_follows_from_homes_that_are_wrong() -> None:
    """Without `owns`, a power owns its homes: they are read again."""
    data = isle(("powers RED homes", ["XXX"]), ("powers BLU homes", ["ONE", "TWO"]))

    assert [error.keys for error in errors_in(data)] == [("powers", "RED", "homes")]


def test_at_most_fifty_errors_are_kept() -> None:
    wrong = ((f"provinces ONE key{number}", 1) for number in range(60))

    assert len(errors_in(isle(*wrong))) == MAX_ERRORS

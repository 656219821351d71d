"""The retreat phase."""

import pytest
from attrs import evolve

from daide_server.board.map import Position, Variant
from daide_server.judge.rules import DAIDE_RULES, IllegalOrders
from tests.judge.scenes import listed, play, reported, scene


@pytest.fixture
def position(standard: Variant) -> Position:
    dislodged: dict[str, dict[str, list[str]]] = {
        "FRA": {"A BUR": ["BEL", "GAS"]},
        "GER": {"A RUH": ["BEL", "HOL"]},
        "RUS": {"F ANK": []},
    }
    return scene(standard, "SUM 1901", {"ENG": ["F LON"]}, dislodged=dislodged)


def test_units_reach_different_places(standard: Variant, position: Position) -> None:
    orders = {"FRA": ["A BUR R BEL"], "GER": ["A RUH R HOL"], "RUS": ["F ANK D"]}
    resolution = play(standard, position, orders)

    assert reported(resolution) == {
        "A BUR R BEL": "SUC",
        "A RUH R HOL": "SUC",
        "F ANK D": "SUC",
    }
    assert listed(resolution.units) == {
        "ENG": ["F LON"],
        "FRA": ["A BEL"],
        "GER": ["A HOL"],
    }


def test_two_units_that_choose_one_place_are_lost(
    standard: Variant, position: Position
) -> None:
    orders = {"FRA": ["A BUR R BEL"], "GER": ["A RUH R BEL"]}
    resolution = play(standard, position, orders)

    assert reported(resolution)["A BUR R BEL"] == "BNC"
    assert listed(resolution.units) == {"ENG": ["F LON"]}


def test_a_unit_without_an_order_is_disbanded(
    standard: Variant, position: Position
) -> None:
    resolution = play(standard, position, {})

    assert reported(resolution) == {
        "A BUR D": "SUC",
        "A RUH D": "SUC",
        "F ANK D": "SUC",
    }


def test_an_illegal_retreat_does_not_replace_a_legal_one(
    standard: Variant, position: Position
) -> None:
    resolution = play(standard, position, {"FRA": ["A BUR R GAS", "A BUR R MUN"]})

    assert listed(resolution.units)["FRA"] == ["A GAS"]


def test_under_aoa_an_illegal_retreat_disbands_and_is_reported_with_its_note(
    standard: Variant, position: Position
) -> None:
    rules = evolve(DAIDE_RULES, illegal_orders=IllegalOrders.REPORTED)
    orders = {"FRA": ["A BUR R GAS", "A BUR R MUN"]}

    resolution = play(standard, position, orders, rules)

    assert reported(resolution)["A BUR R MUN"] == "NVR"
    assert "FRA" not in listed(resolution.units)

"""The retreat phase."""

import pytest
from attrs import evolve

from daide_server.board.map import Position, Variant
from daide_server.judge.rules import DAIDE_RULES, IllegalOrders
from tests.judge.scenes import Texts, listed, play, reported, scene


@pytest.fixture
def position(standard: Variant) -> Position:
    dislodged: dict[str, dict[str, list[str]]] = {
        "FRA": {"A BUR": ["BEL", "GAS"]},
        "GER": {"A RUH": ["BEL", "HOL"]},
        "RUS": {"F ANK": []},
    }
    return scene(standard, "SUM 1901", {"ENG": ["F LON"]}, dislodged=dislodged)


@pytest.mark.parametrize(
    ("orders", "results", "units"),
    [
        (
            {"FRA": ["A BUR R BEL"], "GER": ["A RUH R HOL"], "RUS": ["F ANK D"]},
            {"A BUR R BEL": "SUC", "A RUH R HOL": "SUC", "F ANK D": "SUC"},
            {"ENG": ["F LON"], "FRA": ["A BEL"], "GER": ["A HOL"]},
        ),
        # Two that choose one place are lost, one without an order is disbanded.
        (
            {"FRA": ["A BUR R BEL"], "GER": ["A RUH R BEL"]},
            {"A BUR R BEL": "BNC", "A RUH R BEL": "BNC", "F ANK D": "SUC"},
            {"ENG": ["F LON"]},
        ),
        (
            {},
            {"A BUR D": "SUC", "A RUH D": "SUC", "F ANK D": "SUC"},
            {"ENG": ["F LON"]},
        ),
    ],
)
def test_retreats(
    standard: Variant, position: Position, orders: Texts, results: Texts, units: Texts
) -> None:
    resolution = play(standard, position, orders)

    assert reported(resolution) == results
    assert listed(resolution.units) == units


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

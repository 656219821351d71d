"""Orders whose coasts are missing, wrong or needless, where the rules correct them."""

import pytest
from attrs import evolve

from daide_server.board.variant import Variant
from daide_server.judge.coasts import corrects_coasts
from daide_server.judge.rules import (
    DAIDE_RULES,
    EDITIONS,
    MissingCoast,
    Rules,
    WrongCoast,
)
from tests.judge.scenes import listed, play, scene

ONLY_ONE = evolve(DAIDE_RULES, missing_coast=MissingCoast.ONLY_ONE)
IGNORED = evolve(DAIDE_RULES, wrong_coast=WrongCoast.IGNORED)


def test_only_the_edition_datc_repairs_orders() -> None:
    assert [name for name, rules in EDITIONS.items() if corrects_coasts(rules)] == [
        "datc"
    ]


@pytest.mark.parametrize(
    ("rules", "unit", "order", "after"),
    [
        (DAIDE_RULES, "F GAS", "F GAS - SPA", "F GAS"),
        (ONLY_ONE, "F GAS", "F GAS - SPA", "F SPA/NC"),
        (ONLY_ONE, "F POR", "F POR - SPA", "F POR"),
        (ONLY_ONE, "F GAS", "F GAS - SPA/SC", "F GAS"),
        (ONLY_ONE, "A GAS", "A GAS - SPA/NC", "A GAS"),
        (DAIDE_RULES, "F SPA/NC", "F SPA/SC - POR", "F SPA/NC"),
        (IGNORED, "F SPA/NC", "F SPA/SC - POR", "F POR"),
        (IGNORED, "F SPA/NC", "F SPA - GOL", "F SPA/NC"),
        (IGNORED, "A GAS", "A GAS - SPA/NC", "A SPA"),
    ],
)
def test_moves(
    standard: Variant, rules: Rules, unit: str, order: str, after: str
) -> None:
    position = scene(standard, "SPR 1901", {"FRA": [unit]})
    resolution = play(standard, position, {"FRA": [order]}, rules)
    assert listed(resolution.units) == {"FRA": [after]}

"""Builds, removals, and what is done for powers that order too little."""

import pytest

from daide_server.board.map import Variant
from daide_server.board.names import Power
from daide_server.board.notation import COMMON
from daide_server.judge.adjustments import by_urgency
from daide_server.judge.resolution import Void
from daide_server.judge.rules import EDITIONS, CivilDisorder
from daide_server.library.variants import load_variant
from tests.judge.scenes import listed, play, scene


@pytest.mark.parametrize(
    ("edition", "orders", "built", "outcomes"),
    [
        ("daide", ["A BRE B", "F BRE B"], "A BRE", ["Adjusted", "NMB"]),
        ("dipcc", ["A BRE B", "F BRE B"], "F BRE", ["Superseded", "Adjusted"]),
        # The last build takes the place of the first, before that in MAR.
        (
            "dipcc",
            ["A BRE B", "A MAR B", "F BRE B"],
            "F BRE",
            ["Superseded", "NMB", "Adjusted"],
        ),
        # What is illegal replaces nothing.
        ("dipcc", ["A PAR B", "F PAR B"], "A PAR", ["Adjusted", "CST"]),
    ],
)
def test_which_of_two_builds_in_one_centre_counts(
    standard: Variant, edition: str, orders: list[str], built: str, outcomes: list[str]
) -> None:
    units = ["A BUR", "A GAS"]
    position = scene(standard, "WIN 1901", {"FRA": units}, "FRA: BRE, MAR, PAR")

    resolution = play(standard, position, {"FRA": orders}, EDITIONS[edition])

    assert listed(resolution.units) == {"FRA": sorted([*units, built])}
    found = [
        outcome.note.value if isinstance(outcome, Void) else type(outcome).__name__
        for _, outcome in resolution.outcomes
    ]
    assert found == outcomes


HOME, BORDER, OWNED = CivilDisorder


@pytest.mark.parametrize(
    ("policy", "units", "first"),
    [
        # Farther first; a fleet before an army as far; then by name.
        (HOME, ["A GAS", "A RUH"], "A RUH"),
        (HOME, ["A SPA", "F SPA/SC"], "F SPA/SC"),
        (HOME, ["F ECH", "F GOL"], "F ECH"),
        # The usual name of ECH is ENG, after EDI.
        (HOME, ["F LVP", "F WAL"], "F LVP"),
        (BORDER, ["A SPA", "A PIC"], "A SPA"),
        (OWNED, ["A SPA", "A KIE"], "A SPA"),
        (HOME, ["A SPA", "A KIE"], "A KIE"),
    ],
)
def test_the_farthest_units_are_removed_first(
    standard: Variant, policy: CivilDisorder, units: list[str], first: str
) -> None:
    centres = "FRA: MUN; ITA: BRE, MAR, PAR"
    position = scene(standard, "WIN 1901", {"FRA": units}, centres)
    ranked = by_urgency(standard.map, position, Power("FRA"), policy)
    assert COMMON.unit(ranked[0]) == first


@pytest.mark.parametrize(
    ("centres", "first"), [("FRA: PAR", "A RUH"), ("FRA: PAR; ITA: MAR", "F GOL")]
)
def test_a_home_centre_counts_as_owned_until_somebody_takes_it(
    standard: Variant, centres: str, first: str
) -> None:
    """The fleet is farther from Paris, and next to Marseilles (DATC 6.J.2)."""
    position = scene(standard, "WIN 1901", "FRA: A RUH, F GOL", centres)
    ranked = by_urgency(standard.map, position, Power("FRA"), OWNED)
    assert COMMON.unit(ranked[0]) == first


def test_names_are_compared_as_they_are_usually_spelled(standard: Variant) -> None:
    """ECH is ENG elsewhere, so that EDI comes before it."""
    units = "ITA: F ECH, F EDI, F GOB, F BAL"
    position = scene(standard, "WIN 1901", units, "FRA: NAP, ROM, VEN")
    ranked = by_urgency(standard.map, position, Power("ITA"), OWNED)
    assert list(map(COMMON.unit, ranked)) == ["F BAL", "F GOB", "F EDI", "F ECH"]


def test_names_of_another_board_are_compared_as_they_are() -> None:
    """On `modern` nobody calls GOB BOT, which would come before CAI."""
    modern = load_variant("modern")
    position = scene(modern, "WIN 1995", "FRN: F CAI, F GOB")
    ranked = by_urgency(modern.map, position, Power("FRN"), HOME)
    assert list(map(COMMON.unit, ranked)) == ["F CAI", "F GOB"]

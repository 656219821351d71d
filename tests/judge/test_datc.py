"""The Diplomacy Adjudicator Test Cases, in each edition of the rules."""

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from daide_server.board.map import Position, Variant
from daide_server.board.names import Power
from daide_server.board.notation import reader_of
from daide_server.board.orders import Order
from daide_server.judge.legality import Legality
from daide_server.judge.rules import EDITIONS
from tests.judge.scenes import listed, play, retreats, scene

Case = Mapping[str, Any]

CASES: list[Case] = [
    case
    for path in sorted(Path(__file__).parent.joinpath("datc").glob("*.toml"))
    for case in tomllib.loads(path.read_text(encoding="utf-8"))["case"]
]


def name(case: Case) -> str:
    """Return such as `6.D.4`, and `6.J.9/3.0#2` where a number has several forms."""
    forms = [other for other in CASES if other["number"] == case["number"]]
    version = f"/{case['since']}" if len({form["since"] for form in forms}) > 1 else ""
    part = f"#{case['part']}" if "part" in case else ""
    return f"{case['number']}{version}{part}"


def rulings() -> Iterator[Any]:
    """Yield each case with each edition that decides it."""
    for case in CASES:
        for result in case["result"]:
            for edition in result["editions"]:
                test_id = name(case) + ("" if edition == "daide" else f"-{edition}")
                yield pytest.param(case, result, edition, id=test_id)


@pytest.mark.parametrize(("case", "result", "edition"), list(rulings()))
def test_each_case_ends_with_the_units_of_its_edition(
    standard: Variant, case: Case, result: Case, edition: str
) -> None:
    position = start(standard, case)

    resolution = play(standard, position, case.get("orders", {}), EDITIONS[edition])

    assert listed(resolution.units) == tidy(result["after"])
    assert retreats(resolution) == {
        power: {unit: sorted(places) for unit, places in units.items()}
        for power, units in result.get("dislodged", {}).items()
    }
    if "after_retreats" in result:
        following = resolution.next
        after = play(standard, following, case["retreat_orders"], EDITIONS[edition])
        assert listed(after.units) == tidy(result["after_retreats"])


@pytest.mark.parametrize(
    "case",
    [case for case in CASES if "daide" in case["result"][0]["editions"]],
    ids=name,
)
def test_each_order_has_the_outcome_of_its_case(standard: Variant, case: Case) -> None:
    position = start(standard, case)

    resolution = play(standard, position, case.get("orders", {}))

    outcomes = [type(outcome).__name__ for _, outcome in resolution.outcomes]
    expected = [word for words in case.get("outcomes", {}).values() for word in words]
    assert [
        outcome in WORDS[word] for outcome, word in zip(outcomes, expected, strict=True)
    ] == [True] * len(expected), outcomes


WORDS = {
    "moves": {"Moved"},
    "bounces": {"Bounced"},
    "holds": {"Held", "Dislodged"},
    "given": {"Supported"},
    "cut": {"Cut"},
    "void": {"Unmatched"},
    "convoys": {"Convoyed"},
    "disrupted": {"Dislodged"},
    "no-convoy": {"NoConvoy"},
    "convoy-disrupted": {"Disrupted"},
    # Other judges refuse the order of a fleet that cannot be part of any route.
    "illegal": {"Void", "Convoyed", "Unmatched", "Dislodged", "NoConvoy"},
    "builds": {"Adjusted"},
    "disbands": {"Adjusted"},
    "fails": {"Void"},
}


@pytest.mark.parametrize("case", [case for case in CASES if "notes" in case], ids=name)
def test_each_order_has_the_note_of_its_case(standard: Variant, case: Case) -> None:
    position = start(standard, case)
    legality = Legality(standard.map, position)

    for power, notes in case["notes"].items():
        accepted: list[Order] = []
        for text, expected in zip(case["orders"][power], notes, strict=True):
            order = reader_of(position, standard.map).order(text, Power(power))
            note = legality.note(order, Power(power), accepted)
            assert note.value == expected, text
            if expected == "MBV":
                accepted.append(order)


def start(variant: Variant, case: Case) -> Position:
    return scene(variant, case["turn"], case["units"], case.get("centres", {}))


def tidy(lists: Mapping[str, list[str]]) -> dict[str, list[str]]:
    return {key: sorted(texts) for key, texts in sorted(lists.items()) if texts}

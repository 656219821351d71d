"""The editions, and single choices."""

import subprocess
import sys
from pathlib import Path

import pytest
from attrs import evolve, fields

from daide_server.board.map import Variant
from daide_server.judge.rules import (
    DAIDE_RULES,
    DATC_RULES,
    DIPCC_RULES,
    EDITIONS,
    ISSUES,
    AdjacentConvoy,
    RuleError,
    Rules,
    choose,
    table,
)
from tests.judge.scenes import listed, retreats, spring


def test_the_default_edition_is_daide() -> None:
    assert EDITIONS["daide"] == DAIDE_RULES == Rules()
    assert list(EDITIONS) == ["daide", "aiserver", "dipcc", "diplomacy", "datc"]


@pytest.mark.parametrize(
    ("choice", "german"),
    [
        (AdjacentConvoy.EXPLICIT, "A BEL"),
        (AdjacentConvoy.INTENT, "A BEL"),
        (AdjacentConvoy.FALLBACK, "A HOL"),
        (AdjacentConvoy.OWN_FLEET, "A HOL"),
    ],
)
def test_a_convoyed_move_without_its_convoy(
    standard: Variant, choice: AdjacentConvoy, german: str
) -> None:
    rules = evolve(DAIDE_RULES, adjacent_convoy=choice)
    resolution = spring(standard, "GER: A BEL, F NTH", "GER: A BEL - HOL VIA", rules)
    assert german in listed(resolution.units)["GER"]


@pytest.mark.parametrize(("via", "german"), [("", "A HOL"), (" VIA", "A BEL")])
def test_an_army_walks_whose_own_fleet_took_it_unasked_and_is_dislodged(
    standard: Variant, via: str, german: str
) -> None:
    resolution = spring(
        standard,
        "GER: A BEL, F NTH; ENG: F LON, F EDI",
        f"GER: F NTH C A BEL - HOL, A BEL - HOL{via}; "
        "ENG: F LON - NTH, F EDI S F LON - NTH",
        EDITIONS["diplomacy"],
    )
    assert german in listed(resolution.units)["GER"]


@pytest.mark.parametrize(
    ("fleet", "edition", "trade"),
    [("AUS", "diplomacy", True), ("AUS", "dipcc", False), ("TUR", "diplomacy", False)],
)
def test_armies_trade_places_if_a_fleet_of_their_own_power_carries_one(
    standard: Variant, fleet: str, edition: str, *, trade: bool
) -> None:
    units = {"AUS": ["A TRI"], "ITA": ["A VEN"]}
    units[fleet] = [*units.get(fleet, ()), "F ADR"]
    orders = {"AUS": ["A TRI - VEN"], "ITA": ["A VEN - TRI"]}
    orders[fleet] = [*orders.get(fleet, ()), "F ADR C A TRI - VEN"]
    after = listed(spring(standard, units, orders, EDITIONS[edition]).units)
    assert ("A VEN" in after["AUS"]) is trade


@pytest.mark.parametrize(
    ("edition", "places"), [("diplomacy", ["BEL", "RUH"]), ("datc", ["RUH"])]
)
def test_the_package_lets_an_own_fleet_take_an_army_that_meets_nobody(
    standard: Variant, edition: str, places: list[str]
) -> None:
    units = "GER: A BEL, F NTH, A KIE; ENG: A HOL"
    orders = "GER: F NTH C A BEL - HOL, A BEL - HOL, A KIE S A BEL - HOL"
    resolution = spring(standard, units, orders, EDITIONS[edition])
    assert retreats(resolution) == {"ENG": {"A HOL": places}}


@pytest.mark.parametrize("supporter", ["ITA", "RUS"])
def test_an_army_that_fell_back_to_land_came_by_land(
    standard: Variant, supporter: str
) -> None:
    """As dipcc, also where the army saves its convoy by cutting a support."""
    resolution = spring(
        standard,
        f"TUR: F GOL; ENG: A PIE, A BUR; {supporter}: F MAR; AUS: F TYS, F WES",
        "TUR: F GOL C A PIE - MAR; ENG: A PIE - MAR VIA, A BUR S A PIE - MAR; "
        f"{supporter}: F MAR S F TYS - GOL; AUS: F TYS - GOL, F WES H",
        DIPCC_RULES,
    )
    assert retreats(resolution)[supporter] == {"F MAR": ["SPA/SC"]}


PAGE = Path(__file__).parents[2] / "docs" / "rules.md"


def test_every_choice_of_the_rules_is_an_issue() -> None:
    assert sorted(issue.field for issue in ISSUES) == sorted(
        field.name for field in fields(Rules)
    )
    for issue in ISSUES:
        assert list(issue.choices) == list(type(issue.chosen(DAIDE_RULES)))


def test_every_edition_can_be_made_of_single_choices() -> None:
    for rules in EDITIONS.values():
        texts = [f"{issue.number}={issue.chosen(rules).value}" for issue in ISSUES]
        assert choose(DAIDE_RULES, texts) == choose(DATC_RULES, texts) == rules


@pytest.mark.parametrize(
    "text", ["4.D.8=2023", "4.d.8 = 2023", "civil_disorder=2023", "civil-disorder=2023"]
)
def test_an_issue_has_its_number_and_its_name(text: str) -> None:
    assert choose(DAIDE_RULES, [text]).civil_disorder is DATC_RULES.civil_disorder


def test_the_last_of_several_choices_counts() -> None:
    assert choose(DAIDE_RULES, ["4.A.4=b", "4.A.4=a"]) == DAIDE_RULES


@pytest.mark.parametrize("text", ["4.A.2=szykman", "4.A.4", "", "=b", "colour=red"])
def test_an_unknown_issue_is_refused_with_the_known_ones(text: str) -> None:
    with pytest.raises(RuleError) as raised:
        choose(DAIDE_RULES, [text])
    assert repr(text) in str(raised.value)
    assert all(issue.number in str(raised.value) for issue in ISSUES)


def test_an_unknown_choice_is_refused_with_the_known_ones() -> None:
    with pytest.raises(RuleError, match=r"found 'c' for 4\.A\.4.*a \(.*; b \("):
        choose(DAIDE_RULES, ["4.A.4=c"])


def test_the_documentation_holds_the_editions() -> None:
    """If not: put the first table of `daide-server adjudicate --list-rules` there."""
    editions, _, _ = table().partition("\n\n")
    assert editions in PAGE.read_text(encoding="utf-8")


def test_python_without_docstrings_knows_the_issues() -> None:
    code = "from daide_server.judge.rules import table; print(table(), end='')"
    run = subprocess.run(
        [sys.executable, "-OO", "-c", code], capture_output=True, text=True, check=True
    )
    assert run.stdout == table()

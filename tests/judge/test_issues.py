"""The table of choices: complete, choosable one by one, and in the documentation."""

from pathlib import Path

import pytest
from attrs import fields

from daide_server.judge.issues import ISSUES, RuleError, choose, table
from daide_server.judge.rules import DAIDE_RULES, DATC_RULES, EDITIONS, Rules

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
def test_an_unknown_issue_is_answered_with_those_there_are(text: str) -> None:
    with pytest.raises(RuleError) as raised:
        choose(DAIDE_RULES, [text])
    assert repr(text) in str(raised.value)
    assert all(issue.number in str(raised.value) for issue in ISSUES)


def test_an_unknown_choice_is_answered_with_those_there_are() -> None:
    with pytest.raises(RuleError, match=r"found 'c' for 4\.A\.4.*a \(.*; b \("):
        choose(DAIDE_RULES, ["4.A.4=c"])


def test_the_documentation_holds_the_table() -> None:
    """If not: put what `daide-server adjudicate --list-rules` prints there."""
    assert table() in PAGE.read_text(encoding="utf-8")

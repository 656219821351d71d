"""Sentences drawn from a grammar end, and are sentences of it."""

from random import Random
from typing import Final

import pytest

from daide_server.language.commands import CLIENT_MESSAGES, TERMINALS, TERMS
from daide_server.language.grammar import Grammar, Level, Productions, rules_up_to
from daide_server.language.press import PRESS_LEVELS
from daide_server.language.tokens import BRA, KET, Tokens, number

from .derivations import DEEPEST, Derivations, endings

MARGIN: Final = 3
"""So many brackets a sentence may take to its end."""


def rules_of(lines: str) -> Productions:
    return rules_up_to(0, [Level(0, "", lines)])


def depth(tokens: Tokens) -> int:
    """Return how deep the brackets of *tokens* nest."""
    deepest = now = 0
    for token in tokens:
        now += (token == BRA) - (token == KET)
        deepest = max(deepest, now)
    return deepest


@pytest.mark.parametrize(
    "lines",
    [
        "press = AND (press) (press) ...\n press = DRW",
        "press = operator (more)\n more = (press)\n more = DRW\n operator = PRP",
        "press = PRP [(press)] [(press)]",
        "press = NOT (item) (item)\n item = (press)\n item = QRY (press)\n press = DRW",
    ],
)
def test_rules_of_any_names_may_hold_each_other(lines: str) -> None:
    """Which composition leads out follows from the rules, not from what they hold."""
    rules = rules_of(lines)
    drawn = Derivations(rules, {}, Random(1))
    grammar = Grammar(rules, {}, "press")

    for _ in range(50):
        tokens = tuple(drawn.of("press"))
        assert grammar.error_index(tokens) is None
        assert depth(tokens) <= DEEPEST + MARGIN


def test_rules_that_never_end_are_named() -> None:
    with pytest.raises(AssertionError, match=r"\['more', 'press'\]"):
        endings(rules_of("press = PRP (more)\n more = (press)\n word = DRW"))


def test_the_ends_of_our_own_rules_are_near() -> None:
    """However deep a message of any level has come, a few brackets end it."""
    rules = rules_up_to(8000, (TERMS, *CLIENT_MESSAGES, *PRESS_LEVELS))
    spelt = ("try_token", "sign", "digit", "point", "letter_e")
    terminals = dict.fromkeys((*TERMINALS, *spelt), lambda: number(1))
    drawn = Derivations(rules, terminals, Random(1))

    for rule in rules:
        if rule not in terminals:
            assert depth(tuple(drawn.of(rule, DEEPEST + 1))) <= MARGIN, rule

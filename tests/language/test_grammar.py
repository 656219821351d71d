from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daide_server.language.brackets import parts
from daide_server.language.grammar import Grammar
from daide_server.language.productions import Level, rules_up_to
from daide_server.language.terminals import categories
from daide_server.language.text import from_text
from daide_server.language.tokens import BRA, KET, NOT, PRP, Token
from daide_server.language.vocabulary import Vocabulary

RULES = """
    start = PRP (thing)
    start = PRP (AND (thing) (thing) ...)
    start = NOW (NOT power) (number number ...)
    start = NOW (NOT) [power]
    thing = NOT (thing)
    thing = DRW
    thing = PCE (power power power ...)
    thing = HUH (quoted)
    quoted = [part part ...]
    part = any
    part = (quoted)
"""
GRAMMAR = Grammar(
    rules_up_to(0, [Level(0, "test", RULES)]),
    {
        "power": categories(0x41),
        "number": categories(*range(0x40)),
        "any": categories(*(code for code in range(0x100) if code != 0x40)),
    },
    "start",
)


def error_index(text: str) -> int | None:
    return GRAMMAR.error_index(from_text(text, Vocabulary.standard()))


@pytest.mark.parametrize(
    "text",
    [
        "PRP (DRW)",
        "PRP (NOT (NOT (DRW)))",
        "PRP (PCE (ENG FRA))",
        "PRP (PCE (ENG FRA GER))",
        "PRP (AND (DRW))",
        "PRP (AND (DRW) (NOT (DRW)) (PCE (ENG FRA)))",
        "PRP (HUH (SUB (1 (YES)) () OFF))",
        "PRP (HUH ())",
        "NOW (NOT ENG) (1 2)",
        "NOW (NOT)",
        "NOW (NOT) ENG",
    ],
)
def test_sentences(text: str) -> None:
    tokens = from_text(text, Vocabulary.standard())

    assert GRAMMAR.error_index(tokens) is None
    assert GRAMMAR.parts(tokens) == parts(tokens)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", 0),
        ("DRW", 0),
        ("(PRP (DRW))", 0),
        ("PRP", 1),
        ("PRP (", 2),
        ("PRP (DRW", 3),
        ("PRP ()", 2),
        ("PRP (SLO)", 2),
        ("PRP (DRW) GOF", 4),
        ("PRP (PCE (ENG))", 5),
        ("PRP (PCE (ENG (FRA)))", 5),
        ("PRP (AND)", 3),
        ("PRP (AND (DRW) DRW)", 6),
        ("NOW (NOT ENG)", 5),
        ("NOW (NOT) (1)", 4),
        ("NOW (NOT ENG) ENG", 5),
        ("PRP (DRW))", 4),
        ("NOW (NOT ENG) (1 YES)", 7),
    ],
)
def test_the_fault_is_at_the_first_token_that_no_sentence_goes_on_with(
    text: str, place: int
) -> None:
    """Where something is missing in a part, that is its close bracket."""
    assert error_index(text) == place


def test_depth_is_limited_by_nothing_but_the_length_of_the_message() -> None:
    depth = 5000
    sentence = (PRP, BRA, *(NOT, BRA) * depth, Token(0x4801), *(KET,) * (depth + 1))

    assert GRAMMAR.error_index(sentence) is None
    assert GRAMMAR.error_index(sentence[:-1]) == len(sentence) - 1


@given(st.data())
def test_what_precedes_the_fault_could_have_gone_on(data: st.DataObject) -> None:
    """The longest faultless beginning does not depend on what follows it."""
    words = ["PRP", "NOW", "AND", "NOT", "DRW", "PCE", "HUH", "ENG", "1", *"()()"]
    chosen = data.draw(st.lists(st.sampled_from(words), max_size=12))
    tokens = from_text(" ".join(chosen), Vocabulary.standard())
    place = GRAMMAR.error_index(tokens)

    if place is not None and place < len(tokens):
        assert GRAMMAR.error_index(tokens[: place + 1]) == place
        assert GRAMMAR.error_index(tokens[:place]) in {None, place}


def test_words_that_are_no_rules_must_be_tokens() -> None:
    with pytest.raises(KeyError):
        Grammar({"start": (("XXX",),)}, {}, "start")


POWERS = [Token(0x4100 + place) for place in range(3)]
INLAND, COASTAL = Token(0x5000), Token(0x5100)


def grammar_of_names() -> Grammar:
    """Return a grammar with names that some rules tell apart, and others do not."""
    rules = """
        start = PRP (power NOT place) (left)
        start = PRP (left) seen (place)
        start = NOT (place right) inland
    """
    terminals = {
        "power": frozenset(POWERS),
        "left": frozenset(POWERS[:2]),
        "right": frozenset(POWERS[1:]),
        "place": frozenset({INLAND, COASTAL}),
        "inland": categories(INLAND >> 8),
        "seen": categories(COASTAL >> 8),
    }
    return Grammar(rules_up_to(0, [Level(0, "test", rules)]), terminals, "start")


def test_what_was_read_before_makes_no_difference() -> None:
    """Messages of one form are told apart wherever a rule does so."""
    used, accepted = grammar_of_names(), 0
    for a, b, c in [*product([*POWERS, INLAND, COASTAL], repeat=3)] * 2:
        for tokens in (
            (PRP, BRA, a, NOT, b, KET, BRA, c, KET),
            (PRP, BRA, a, KET, b, BRA, c, KET),
            (NOT, BRA, a, b, KET, c),
        ):
            found = grammar_of_names().parts(tokens)
            assert used.parts(tokens) == found
            accepted += not isinstance(found, int)
    assert accepted == 2 * (3 * 2 * 2 + 2 * 1 * 2 + 2 * 2 * 1)

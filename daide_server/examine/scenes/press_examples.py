"""Press of every kind, derived from the document's appendix. Pure."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from daide_server.language.commands import TERMS
from daide_server.language.grammar import (
    BracketedPart,
    OptionalPart,
    Part,
    Productions,
    Repeat,
    rules_up_to,
)
from daide_server.language.grammar import Sequence as Items
from daide_server.language.press import APPENDIX
from daide_server.language.press_grammar import PressGrammar
from daide_server.language.text import from_text
from daide_server.language.tokens import TOKENS_BY_NAME, Tokens
from daide_server.language.vocabulary import Vocabulary

LIFELIKE: Final = (
    ("ENG ENG", "ENG FRA"),
    ("SPR 1", "SPR 1902"),
    ("ENG WVE", "( ENG FLT LON ) MTO NTH"),
)
"""The shortest words are replaced by others that occur in games."""
FRAMES_OF_RULES: Final[Mapping[str, str]] = {
    "press_message": "{}",
    "reply": "{}",
    "arrangement": "PRP ( {} )",
    "plain_arrangement": "PRP ( {} )",
    "logical_operator": "PRP ( {} )",
    "future_offer": "PRP ( FOR ( SPR 1902 ) ( {} ) )",
    "message": "{}",
}
"""How what a rule allows becomes a whole message."""
TERMINALS_AS_TEXT: Final[Mapping[str, str]] = {
    "power": "ENG",
    "province": "BUR",
    "number": "1",
    "character": "'x'",
    "coast": "NCS",
    "unit_type": "AMY",
    "season": "SPR",
    "any_token": "YES",
    "try_token": "PRP",
    "sign": "'+'",
    "digit": "'1'",
    "point": "'.'",
    "letter_e": "'e'",
    "order_note": "MBV",
}


def press_examples(level: int, vocabulary: Vocabulary) -> Iterator[Tokens]:
    """Yield a message for each composition of the rules of press up to *level*."""
    rules = rules_up_to(level, (TERMS, *APPENDIX))
    shortest = _shortest(rules)
    grammar = PressGrammar(level, vocabulary, partial_draws=False)
    seen: set[str] = set()
    for rule, frame in FRAMES_OF_RULES.items():
        for items in rules.get(rule, ()):
            found = _text(items, shortest)
            text = _lifelike("" if found is None else frame.format(found))
            if text and text not in seen:
                seen.add(text)
                yield from _if_valid(text, grammar, vocabulary)


def _lifelike(text: str) -> str:
    for short, usual in LIFELIKE:
        text = re.sub(rf"{short}\b", usual, text)
    return text


def _if_valid(
    text: str, grammar: PressGrammar, vocabulary: Vocabulary
) -> Iterator[Tokens]:
    sent = from_text(f"SND ( FRA ) ( {text} )", vocabulary)
    if grammar.error_index(sent) is None:
        yield from_text(text, vocabulary)


def _shortest(rules: Productions) -> dict[str, str]:
    """Return the shortest text that each rule allows."""
    found = dict(TERMINALS_AS_TEXT)
    while True:
        before = dict(found)
        for rule, choices in rules.items():
            if rule in TERMINALS_AS_TEXT:
                continue
            texts = [
                text for each in choices if (text := _text(each, found)) is not None
            ]
            if texts:
                found[rule] = min(texts, key=len)
        if found == before:
            return found


def _text(items: Items, known: Mapping[str, str]) -> str | None:
    """Return the text of *items*; `None` if a rule in them is not known yet."""
    texts = [_part(each, known) for each in items]
    return None if None in texts else " ".join(filter(None, texts))


def _part(part: Part, known: Mapping[str, str]) -> str | None:
    match part:
        case BracketedPart(items):
            inner = _text(items, known)
            return None if inner is None else f"( {inner} )"
        case OptionalPart():
            return ""
        case Repeat(item):
            return _part(item, known)
        case _ if part in known:
            return known[part]
        case _:
            return part if part in TOKENS_BY_NAME else None

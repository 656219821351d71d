"""Whether SND, and what it carries, is syntax: the tables of `press`, on one map."""

from functools import cached_property
from typing import Final

from .commands import TERMINALS, TERMS
from .grammar import Grammar, Terminals
from .press import APPENDIX, MULTIPART, NESTED, PARTIAL_DRAWS, PRESS_LEVELS, TRY_LEVELS
from .productions import rules_up_to
from .tokens import (
    AND,
    BRA,
    CCL,
    FCT,
    FOR,
    FWD,
    HUH,
    KET,
    NAR,
    ORR,
    TEXT_CATEGORY,
    TRY,
    Token,
    Tokens,
)
from .vocabulary import Vocabulary

_READINGS: Final[Terminals] = {
    # Programs differ in these codes; what heads what tells the readings apart.
    "CCL": frozenset({CCL, NAR}),
    "NAR": frozenset({CCL, NAR}),
    "FCT": frozenset({FCT, FOR}),
    "FOR": frozenset({FOR, FWD}),
    "FWD": frozenset({FWD, FCT}),
}

_DOUBTFUL: Final = frozenset().union(*_READINGS.values())


def _spelt(characters: str) -> frozenset[int]:
    return frozenset(
        Token(TEXT_CATEGORY << 8 | ord(character)) for character in characters
    )


_TERMINALS: Final[Terminals] = {
    **TERMINALS,
    "try_token": frozenset(TRY_LEVELS) - {HUH, TRY},
    "sign": _spelt("+-"),
    "digit": _spelt("0123456789"),
    "point": _spelt("."),
    "letter_e": _spelt("Ee"),
}


class PressGrammar:
    """Tells whether SND, and what it carries, is syntax of a level of one variant."""

    def __init__(
        self,
        level: int,
        vocabulary: Vocabulary,
        *,
        partial_draws: bool,
        strict: bool = False,
    ) -> None:
        levels = APPENDIX if strict else PRESS_LEVELS
        drawn = (PARTIAL_DRAWS,) if partial_draws else ()
        self._rules: Final = rules_up_to(level, (TERMS, *levels, *drawn))
        self._terminals: Final = {
            **_TERMINALS,
            # Here, unlike in orders, powers and provinces must be of the map.
            "power": frozenset(vocabulary.powers),
            "province": frozenset(vocabulary.provinces),
        }
        self._grammar: Final = self._grammar_with(_READINGS)
        self._combines_once: Final = MULTIPART <= level < NESTED

    def fault(self, tokens: Tokens) -> int | None:
        """Return the place of the first token that is wrong, as `Grammar.fault`."""
        place = self._fault(tokens)
        if not self._combines_once:
            return place
        second = _second_combination(tokens[:place])
        return place if second is None else second

    def _fault(self, tokens: Tokens) -> int | None:
        place = self._grammar.fault(tokens)
        if place is None or not _is_right_after_doubtful(tokens, place):
            return place
        # It began like another word of that code; what it says itself counts.
        usual = self._usual.fault(tokens)
        return usual if usual == place - 2 else place

    @cached_property
    def _usual(self) -> Grammar:
        """The same grammar for the usual dialect alone."""
        return self._grammar_with({})

    def _grammar_with(self, readings: Terminals) -> Grammar:
        return Grammar(self._rules, {**self._terminals, **readings}, "send_message")


def _is_right_after_doubtful(tokens: Tokens, place: int) -> bool:
    """Return whether *place* begins what a word of several readings encloses."""
    before = tokens[max(place - 2, 0) : place]
    return before[1:] == (BRA,) and before[0] in _DOUBTFUL


def _second_combination(tokens: Tokens) -> int | None:
    """Return the place of the second AND or ORR: level 30 has no place for it.

    Those that HUH quotes and TRY lists do not count.
    """
    found = depth = 0
    quoted_at: int | None = None
    for place, token in enumerate(tokens):
        depth += (token == BRA) - (token == KET)
        if quoted_at is not None:
            quoted_at = None if depth == quoted_at else quoted_at
        elif token in (HUH, TRY):
            quoted_at = depth
        elif token in (AND, ORR):
            found += 1
            if found > 1:
                return place
    return None

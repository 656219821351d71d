"""Checks SND and its content: the grammar of `press` for one variant and level."""

from functools import cached_property
from typing import Final

from .commands import TERMINALS, TERMS
from .grammar import Grammar
from .press import APPENDIX, MULTIPART, NESTED, PARTIAL_DRAWS, PRESS_LEVELS, TRY_LEVELS
from .productions import rules_up_to
from .terminals import Terminals
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

_VARIANT_CODES: Final[Terminals] = {
    # The codes of these differ (see `dialects`); the context shows which is meant.
    "CCL": frozenset({CCL, NAR}),
    "NAR": frozenset({CCL, NAR}),
    "FCT": frozenset({FCT, FOR}),
    "FOR": frozenset({FOR, FWD}),
    "FWD": frozenset({FWD, FCT}),
}

_AMBIGUOUS: Final = frozenset().union(*_VARIANT_CODES.values())


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
    """Checks the syntax of SND at one level, for one variant."""

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
            # Unlike in orders, powers and provinces must be those of the variant.
            "power": frozenset(vocabulary.powers),
            "province": frozenset(vocabulary.provinces),
        }
        self._grammar: Final = self._grammar_with(_VARIANT_CODES)
        self._combines_once: Final = MULTIPART <= level < NESTED

    def error_index(self, tokens: Tokens) -> int | None:
        """Return the index of the first wrong token, as `Grammar.error_index`."""
        found = self.parts(tokens)
        return found if isinstance(found, int) else None

    def parts(self, tokens: Tokens) -> list[Tokens] | int:
        """Return the recipients, the content and the turn, if any; or that index."""
        found = self._grammar.parts(tokens)
        if isinstance(found, int) and _is_first_inside_ambiguous(tokens, found):
            # In the codes of the original server, that token may itself be wrong.
            usual = self._norman.error_index(tokens)
            found = usual if usual == found - 2 else found
        if self._combines_once:
            checked = tokens[:found] if isinstance(found, int) else tokens
            second = _second_combination(checked)
            return found if second is None else second
        return found

    @cached_property
    def _norman(self) -> Grammar:
        """The same grammar, for the codes of the original server only."""
        return self._grammar_with({})

    def _grammar_with(self, codes: Terminals) -> Grammar:
        return Grammar(self._rules, {**self._terminals, **codes}, "send_message")


def _is_first_inside_ambiguous(tokens: Tokens, index: int) -> bool:
    """Return whether *index* is the first token inside an ambiguous one's brackets."""
    before = tokens[max(index - 2, 0) : index]
    return before[1:] == (BRA,) and before[0] in _AMBIGUOUS


def _second_combination(tokens: Tokens) -> int | None:
    """Return the index of the second AND or ORR, which levels below 50 forbid.

    Those inside HUH and TRY do not count.
    """
    found = depth = 0
    quoted_at: int | None = None
    for index, token in enumerate(tokens):
        depth += (token == BRA) - (token == KET)
        if quoted_at is not None:
            quoted_at = None if depth == quoted_at else quoted_at
        elif token in (HUH, TRY):
            quoted_at = depth
        elif token in (AND, ORR):
            found += 1
            if found > 1:
                return index
    return None

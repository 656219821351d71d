"""Press as a server forwards it: the grammar of SND, TRY, and who must not be named.

The grammar is that of `press`, for one variant and level.
"""

from collections.abc import Container, Mapping
from functools import cached_property
from typing import Final

from .commands import TERMINALS, TERMS
from .grammar import Grammar, Terminals, rules_up_to
from .press import APPENDIX, MULTIPART, NESTED, PARTIAL_DRAWS, PRESS_LEVELS
from .tokens import (
    AND,
    BRA,
    CCL,
    FCT,
    FOR,
    FWD,
    HOW,
    HUH,
    INS,
    KET,
    NAR,
    NOT,
    ORR,
    PRP,
    QRY,
    SUG,
    TEXT_CATEGORY,
    THK,
    TOKENS_BY_NAME,
    TRY,
    Token,
    Tokens,
)
from .vocabulary import Vocabulary

# TRY

_TRY_WORDS: Final[Mapping[int, str]] = {
    10: "PRP PCE ALY VSS DRW SLO NOT NAR YES REJ BWX CCL FCT HUH TRY",
    20: "XDO DMZ",
    30: "AND ORR",
    40: "SCD OCC UNT",
    50: "CHO",
    60: "INS QRY THK IDK SUG",
    70: "WHT HOW",
    80: "EXP SRY",
    90: "FOR",
    100: "IFF THN ELS",
    110: "XOY YDO",
    120: "FRM FWD BCC SND",
    130: "WHY POB",
    140: "UHY HPY ANG",
    150: "ROF",
    160: "ULB UUB",
}

TRY_LEVELS: Final[Mapping[Token, int]] = {
    **{
        TOKENS_BY_NAME[word]: level
        for level, words in _TRY_WORDS.items()
        for word in words.split()
    },
    # Parlance and its bots use the code of FOR for FCT, and that of FWD for FOR.
    TOKENS_BY_NAME["FOR"]: 10,
    TOKENS_BY_NAME["FWD"]: 90,
}
"""The lowest level at which a server forwards each token in TRY."""


def forwarded(content: Tokens, level: int) -> Tokens:
    """Return *content* as forwarded: without the tokens above *level* in TRY.

    Message Syntax, "TRY".
    """
    if content[0] != TRY:
        return content
    _, _, *listed, _ = content
    allowed = (token for token in listed if TRY_LEVELS.get(token, level + 1) <= level)
    return TRY, BRA, *allowed, KET


# Eliminated powers: Message Syntax, Level 10

RESTRICTED_PRESS: Final = frozenset({PRP, INS, QRY, SUG, THK, FCT, HOW})
"""The kinds of press that the document restricts."""

_QUERIES: Final = ((BRA, QRY), (BRA, NOT, BRA, QRY))


def eliminated_place(content: Tokens, eliminated: Container[Token]) -> int | None:
    """Return the index of the first eliminated power that *content* must not name.

    Answers quote what they answer, so they may name any power.
    """
    if content[0] not in RESTRICTED_PRESS or _answers_query(content):
        return None
    indices = (index for index, token in enumerate(content) if token in eliminated)
    return next(indices, None)


def _answers_query(content: Tokens) -> bool:
    return any(content[1 : 1 + len(query)] == query for query in _QUERIES)


# The grammar of SND

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

"""Press must not name eliminated powers. Message Syntax, Level 10."""

from collections.abc import Container
from typing import Final

from .tokens import BRA, FCT, HOW, INS, NOT, PRP, QRY, SUG, THK, Token, Tokens

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

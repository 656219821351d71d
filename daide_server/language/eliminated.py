"""Eliminated powers, which press must not name: Message Syntax, Level 10."""

from collections.abc import Container
from typing import Final

from .tokens import BRA, FCT, HOW, INS, NOT, PRP, QRY, SUG, THK, Token, Tokens

ABOUT_THE_LIVING: Final = frozenset({PRP, INS, QRY, SUG, THK, FCT, HOW})
"""Press about which the document says that it must not name eliminated powers."""

_QUERIES: Final = ((BRA, QRY), (BRA, NOT, BRA, QRY))


def eliminated_place(content: Tokens, eliminated: Container[Token]) -> int | None:
    """Return the place in press of the first power that it must not name.

    Answers have to repeat what they answer, and may name anybody.
    """
    if content[0] not in ABOUT_THE_LIVING or _answers_query(content):
        return None
    places = (place for place, token in enumerate(content) if token in eliminated)
    return next(places, None)


def _answers_query(content: Tokens) -> bool:
    return any(content[1 : 1 + len(query)] == query for query in _QUERIES)

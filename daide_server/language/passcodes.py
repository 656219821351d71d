"""Passcodes in messages: what is logged, kept or shown has 0 in their place.

Message Syntax: HLO, IAM. Servers quote IAM in YES, REJ, PRN and HUH, however it was
misspelt.
"""

from typing import Final

from .tokens import HLO, IAM, Token, Tokens, is_number

HIDDEN: Final = Token(0)
TOKENS_BEFORE_PASSCODE: Final = 8
"""A passcode is the first number of so many tokens after HLO or IAM: the power, the
brackets around both, and ERR come before it."""


def without_passcodes(tokens: Tokens) -> Tokens:
    """Return *tokens* with 0 in the place of each passcode."""
    if HLO not in tokens and IAM not in tokens:
        return tokens
    shown = list(tokens)
    for place, token in enumerate(tokens):
        if token in (HLO, IAM):
            _hide(shown, place + 1)
    return tuple(shown)


def _hide(tokens: list[Token], begin: int) -> None:
    for place in range(begin, min(begin + TOKENS_BEFORE_PASSCODE, len(tokens))):
        if is_number(tokens[place]):
            tokens[place] = HIDDEN
            return

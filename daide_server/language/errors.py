"""Syntax errors, each with the reply to the sender: PRN or HUH.

A message with correct syntax that the game does not allow is not an error here; its
answer is REJ. Message Syntax, "HUH and PRN Messages".
"""

from .messages import BracketsRefused, SyntaxRefused
from .tokens import ERR, Tokens


class LanguageError(Exception):
    """A message is not correct syntax at the level of the game."""

    def __init__(self, reply: BracketsRefused | SyntaxRefused) -> None:
        super().__init__()
        self.reply = reply


class BracketError(LanguageError):
    """The brackets of *tokens* are not paired (PRN)."""

    def __init__(self, tokens: Tokens) -> None:
        super().__init__(BracketsRefused(tokens))


class GrammarError(LanguageError):
    """No message continues with the token at *index* (HUH, with ERR before it)."""

    def __init__(self, tokens: Tokens, index: int) -> None:
        super().__init__(SyntaxRefused((*tokens[:index], ERR, *tokens[index:])))

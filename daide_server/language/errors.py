"""What is wrong with a message, and the reply that says so.

Messages that are understood but not allowed are no errors of the language.
"""

from .messages import BracketsRefused, SyntaxRefused
from .tokens import ERR, Tokens


class LanguageError(Exception):
    """The peer said something that is not DAIDE at this level."""

    def __init__(self, reply: BracketsRefused | SyntaxRefused) -> None:
        super().__init__()
        self.reply = reply


class BracketError(LanguageError):
    """The brackets of the message do not pair (PRN)."""

    def __init__(self, tokens: Tokens) -> None:
        super().__init__(BracketsRefused(tokens))


class GrammarError(LanguageError):
    """The message says nothing from *place* on (HUH)."""

    def __init__(self, tokens: Tokens, place: int) -> None:
        super().__init__(SyntaxRefused((*tokens[:place], ERR, *tokens[place:])))

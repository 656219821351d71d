"""Brackets: put around tokens, whether they pair, and the parts that they enclose."""

from .tokens import BRA, KET, Tokens


def bracketed(tokens: Tokens) -> Tokens:
    """Return *tokens* in brackets."""
    return BRA, *tokens, KET


def are_paired(tokens: Tokens) -> bool:
    """Return whether every bracket of *tokens* has its partner."""
    depth = 0
    for token in tokens:
        if token == BRA:
            depth += 1
        elif token == KET:
            depth -= 1
            if depth < 0:
                return False
    return depth == 0


def parts(tokens: Tokens) -> list[Tokens]:
    """Return what the outermost brackets of *tokens* enclose, part by part.

    Tokens outside all brackets are passed over; the brackets must be paired.
    """
    found: list[Tokens] = []
    depth = start = 0
    for place, token in enumerate(tokens):
        if token == BRA:
            depth += 1
            if depth == 1:
                start = place + 1
        elif token == KET:
            depth -= 1
            if depth == 0:
                found.append(tokens[start:place])
    return found


def only_parts(tokens: Tokens) -> list[Tokens] | None:
    """Return the parts of *tokens* if they are paired, with nothing in between."""
    found: list[Tokens] = []
    depth = start = 0
    for place, token in enumerate(tokens):
        if token == BRA:
            depth += 1
            if depth == 1:
                start = place + 1
        elif token == KET:
            depth -= 1
            if depth == 0:
                found.append(tokens[start:place])
            elif depth < 0:
                return None
        elif depth == 0:
            return None
    return None if depth else found

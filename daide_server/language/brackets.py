"""Add brackets, check that they are paired, and split a message at them."""

from collections.abc import Iterable
from itertools import chain

from .tokens import BRA, KET, Tokens


def bracketed(tokens: Tokens) -> Tokens:
    """Return *tokens* in brackets."""
    return BRA, *tokens, KET


def joined(groups: Iterable[Tokens]) -> Tokens:
    """Return the tokens of all *groups*, one group after another."""
    return tuple(chain.from_iterable(groups))


def are_paired(tokens: Tokens) -> bool:
    """Return whether the brackets of *tokens* are paired."""
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
    """Return the contents of each outermost pair of brackets in *tokens*.

    Tokens outside brackets are skipped; the brackets must be paired.
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
    """Return the parts of *tokens*, `None` if anything is unpaired or outside them."""
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

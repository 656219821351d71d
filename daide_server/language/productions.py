"""Parses the notation of the Message Syntax document's appendix into productions.

`(x)` is a part in brackets, `[x]` is optional, `x x ...` is one or more and
`x x x ...` two or more. Names in capitals are tokens, others are rules.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from msgspec import Struct

_SIGN: Final = re.compile(r"\.\.\.|[()\[\]]|\w+")
_CLOSING: Final = {"(": ")", "[": "]"}


class BracketedPart(Struct, frozen=True, cache_hash=True):
    """Items in brackets, which are tokens of the message."""

    items: "Sequence"


class OptionalPart(Struct, frozen=True):
    """Items that may be left out."""

    items: "Sequence"


class Repeat(Struct, frozen=True):
    """One or more of an item."""

    item: "Part"


Part = str | BracketedPart | OptionalPart | Repeat
Sequence = tuple[Part, ...]
Productions = Mapping[str, tuple[Sequence, ...]]


class Level(Struct, frozen=True):
    """The productions that a level adds, as lines of the document's appendix."""

    number: int
    title: str
    rules: str


def rules_up_to(level: int, levels: Iterable[Level]) -> Productions:
    """Return the productions of *level* and all lower levels."""
    found: dict[str, tuple[Sequence, ...]] = {}
    for lines in (each.rules for each in levels if each.number <= level):
        for line in filter(None, map(str.strip, lines.splitlines())):
            name, _, composition = line.partition(" =")
            found[name] = (*found.get(name, ()), parse(composition))
    return found


def parse(composition: str) -> Sequence:
    """Return the items of *composition*, whose brackets must be paired."""
    items, _ = _parse(_SIGN.findall(composition), None)
    return items


def _parse(signs: list[str], closing: str | None) -> tuple[Sequence, list[str]]:
    """Return the items before *closing*, and the signs after it."""
    items: list[Part] = []
    while signs and signs[0] != closing:
        sign, *signs = signs
        if sign == "...":
            # `x x ...`: the second x, before the dots, stands for the repetition.
            items[-2:] = [Repeat(items[-1])]
        elif sign in _CLOSING:
            inner, signs = _parse(signs, _CLOSING[sign])
            items.append(BracketedPart(inner) if sign == "(" else OptionalPart(inner))
        else:
            items.append(sign)
    return tuple(items), signs[1:]

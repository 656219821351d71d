"""Words and brackets of a message that is written as text, with their lines.

Words are in capitals from here on: the files mix cases, and mean nothing by it.
"""

import re
from collections.abc import Iterator
from typing import Final

from attrs import frozen

from daide_server.atlas.map_faults import AtlasError, MapFault

_PIECE: Final = re.compile(r"[()]|[^\s()]+")


@frozen
class Word:
    """A word of a message."""

    text: str
    line: int


@frozen
class Bracketed:
    """What a pair of brackets encloses."""

    items: tuple["Word | Bracketed", ...]
    line: int

    @property
    def words(self) -> tuple[Word, ...]:
        """Return the words of the group itself, and not of groups within."""
        return tuple(each for each in self.items if isinstance(each, Word))

    @property
    def groups(self) -> tuple["Bracketed", ...]:
        """Return the groups within the group."""
        return tuple(each for each in self.items if isinstance(each, Bracketed))


def read_message(text: str, file: str, head: str) -> Bracketed:
    """Return the message that begins with the word *head*, without it.

    Raises `AtlasError` if there is another message, or a bracket has no partner.
    """
    message = _grouped(text, file)
    first = message.items[0] if message.items else None
    if not isinstance(first, Word) or first.text != head:
        found = first.text if isinstance(first, Word) else "something else"
        raise AtlasError(MapFault(f"found {found}, expected {head}", file, 1))
    return Bracketed(message.items[1:], message.line)


def _grouped(text: str, file: str) -> Bracketed:
    opened: list[tuple[list[Word | Bracketed], int]] = [([], 1)]
    for piece, line in _pieces(text):
        if piece == "(":
            opened.append(([], line))
        elif piece != ")":
            opened[-1][0].append(Word(piece, line))
        elif len(opened) == 1:
            raise AtlasError(MapFault("a bracket closes that was not open", file, line))
        else:
            items, start = opened.pop()
            opened[-1][0].append(Bracketed(tuple(items), start))
    if len(opened) > 1:
        problem = "the bracket that opens here is not closed"
        raise AtlasError(MapFault(problem, file, opened[-1][1]))
    return Bracketed(tuple(opened[0][0]), 1)


def _pieces(text: str) -> Iterator[tuple[str, int]]:
    for number, line in enumerate(text.splitlines(), 1):
        for piece in _PIECE.findall(line):
            yield piece.upper(), number

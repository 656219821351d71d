"""Words and brackets of a DAIDE message that is written as text, with their lines.

Words become capitals: the files mix cases, without a difference in meaning.
"""

import re
from collections.abc import Iterator
from typing import Final

from daide_server.atlas.map_faults import AtlasError, MapFault
from daide_server.classes import frozen

_PIECE: Final = re.compile(r"[()]|[^\s()]+")


@frozen
class Word:
    """A word of a message."""

    text: str
    line: int


@frozen
class Bracketed:
    """The words and groups in a pair of brackets; `line` is that of the first."""

    items: tuple["Word | Bracketed", ...]
    line: int

    @property
    def words(self) -> tuple[Word, ...]:
        """Return the words of the group, without those of nested groups."""
        return tuple(each for each in self.items if isinstance(each, Word))

    @property
    def groups(self) -> tuple["Bracketed", ...]:
        """Return the groups nested in the group."""
        return tuple(each for each in self.items if isinstance(each, Bracketed))


def read_message(text: str, file: str, head: str) -> Bracketed:
    """Return what follows the word *head* in the message *text*.

    Raises `AtlasError` if *text* begins with another word, or brackets do not match.
    """
    message = _grouped(text, file)
    first = message.items[0] if message.items else None
    if not isinstance(first, Word) or first.text != head:
        found = first.text if isinstance(first, Word) else "something else"
        raise AtlasError(MapFault(f"found {found}, expected {head}", file, 1))
    return Bracketed(message.items[1:], message.line)


def _grouped(text: str, file: str) -> Bracketed:
    """Return *text* as one group; raises `AtlasError` if brackets do not match."""
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

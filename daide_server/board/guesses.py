"""What a misspelt name was meant to be."""

from collections.abc import Iterable
from difflib import get_close_matches


def meant(word: str, known: Iterable[str]) -> str:
    """Return the end of an error about *word*: the *known* name like it, or nothing."""
    lowered = {name.lower(): name for name in known}
    near = get_close_matches(word.lower(), lowered, 1)
    return f"; did you mean {lowered[near[0]]}?" if near else ""

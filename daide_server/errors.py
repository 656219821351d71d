"""The base classes of errors that end a command.

`cli` catches them by these classes, and need not import the modules that raise them.
"""

from collections.abc import Iterable
from difflib import get_close_matches

MAX_QUOTED = 1000
"""Characters of a wrong value that an error quotes."""


class ReportedError(Exception):
    """A command cannot continue; the message says where and why, in one line."""


class InputError(ReportedError, ValueError):
    """An input is refused; a command may read the next one."""


def quoted(found: object) -> str:
    """Return a value of TOML for an error: its beginning, or `nothing` without one."""
    if found is None:
        return "nothing"
    if isinstance(found, bool):
        return str(found).lower()
    try:
        text = repr(found)
    except ValueError:
        # Python writes no decimal numbers of more than 4,300 digits.
        text = "a number of thousands of digits"
    return text if len(text) <= MAX_QUOTED else f"{text[:MAX_QUOTED]}..."


def meant(word: str, known: Iterable[str]) -> str:
    """Return the end of an error about *word*: the *known* name like it, or nothing."""
    lowered = {name.lower(): name for name in known}
    near = get_close_matches(word.lower(), lowered, 1)
    return f"; did you mean {lowered[near[0]]}?" if near else ""

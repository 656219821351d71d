"""Tables of a map file with the path of each, and the errors found in them.

An error names the keys that lead to a value, what was found, and what was expected.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any, Final, NoReturn, TypeVar

from msgspec import Struct

from daide_server.errors import InputError, quoted

MAX_ERRORS: Final = 50
"""How many errors of one file are kept."""

TomlData = dict[str, Any]
"""A table as `tomllib` returns it."""

_T = TypeVar("_T")

_EXPECTED: Final[Mapping[type, str]] = {
    str: "a text",
    int: "a whole number",
    bool: "true or false",
    list: "a list",
    dict: "a table",
}


class VariantError(InputError):
    """A variant's data is wrong; the message says where and what was expected.

    `keys` are the names of the tables and the key that lead to the value; `others`
    are the errors found after this one.
    """

    def __init__(self, message: str, keys: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.keys = keys
        self.others: tuple[VariantError, ...] = ()


class ErrorCollector:
    """Collects the errors of one map file, one for each key, in reading order.

    What the rest of the file depends on is read outside `attempt`: its error ends the
    reading, because errors after it may only follow from it.
    """

    def __init__(self) -> None:
        self._errors: dict[tuple[str, ...], VariantError] = {}

    def add(self, error: VariantError) -> None:
        """Keep *error*, unless one with the same keys is kept already."""
        self._errors.setdefault(error.keys, error)

    def attempt(self, read: Callable[[], _T], otherwise: _T) -> _T:
        """Return what *read* returns, or keep its error and return *otherwise*."""
        try:
            return read()
        except VariantError as error:
            self.add(error)
            return otherwise

    def check(self) -> None:
        """Raise the first error, the others attached to it, if there is any."""
        if self._errors:
            first, *others = list(self._errors.values())[:MAX_ERRORS]
            first.others = tuple(others)
            raise first


class TomlTable(Struct, frozen=True):
    """A table of plain data, and the keys that lead to it from the top of the file."""

    data: Mapping[str, Any]
    keys: tuple[str, ...]

    @property
    def name(self) -> str:
        """Return the table's own key."""
        return self.keys[-1]

    def has(self, key: str) -> bool:
        """Return whether the table has *key*."""
        return key in self.data

    def get(self, key: str, kind: type[_T]) -> _T:
        """Return the value of *key*; raises `VariantError` if it is not a *kind*."""
        found = self.data.get(key)
        if type(found) is not kind:
            self.refuse(key, found, _EXPECTED[kind])
        return found

    def title(self, key: str) -> str:
        """Return the text of *key*, which people read and DAIDE sends.

        Raises `VariantError` if it is none, empty, or has characters such as tabs.
        """
        found = self.get(key, str)
        if not found or not found.isprintable():
            self.refuse(key, found, "a text of printable characters")
        return found

    def texts(self, key: str) -> tuple[str, ...]:
        """Return the texts in the list *key*; raises `VariantError`."""
        found = self.get(key, list)
        for each in found:
            if not isinstance(each, str):
                self.refuse(key, each, _EXPECTED[str])
        return tuple(found)

    def entry(self, key: str) -> "TomlTable":
        """Return the table called *key*; raises `VariantError` if it is no table."""
        return TomlTable(self.get(key, dict), (*self.keys, key))

    def entries(self) -> Iterator["TomlTable"]:
        """Yield the tables in this one; raises `VariantError` for other values."""
        return (self.entry(key) for key in self.data)

    def unknown_keys(self, known: Collection[str]) -> Iterator[VariantError]:
        """Yield an error for each key that is not among the *known*."""
        for key in self.data:
            if key not in known:
                yield self.error(key, f"no such key, expected {', '.join(known)}")

    def refuse(self, key: str, found: object, expected: str) -> NoReturn:
        """Raise the error that *key* has the value *found* instead of *expected*."""
        self.fail(key, f"found {quoted(found)}, expected {expected}")

    def fail(self, key: str, problem: str) -> NoReturn:
        """Raise the error that something is wrong with *key*."""
        raise self.error(key, problem) from None

    def error(self, key: str, problem: str) -> VariantError:
        """Return the error that something is wrong with *key*."""
        message = ": ".join((*self.keys, key, problem))
        return VariantError(message, (*self.keys[1:], key))


def meant(word: str, known: Iterable[str]) -> str:
    """Return the end of an error about *word*: the *known* name like it, or nothing."""
    lowered = {name.lower(): name for name in known}
    near = get_close_matches(word.lower(), lowered, 1)
    return f"; did you mean {lowered[near[0]]}?" if near else ""

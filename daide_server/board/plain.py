"""Plain data of a map file, entry by entry, with the place of each in the file.

What is missing or wrong is told by its keys, what was found, what was expected.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Any, NoReturn, TypeVar

from attrs import frozen

T = TypeVar("T")

_EXPECTED: Mapping[type, str] = {
    str: "a text",
    int: "a whole number",
    bool: "true or false",
    list: "a list",
    dict: "a table",
}


class VariantError(ValueError):
    """A variant's data is wrong; the message says where and what was expected.

    `keys` are the names of the tables and the key that lead to the fault.
    """

    def __init__(self, message: str, keys: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.keys = keys


@frozen
class TomlTable:
    """A table of plain data, and how it is called from the top of the file."""

    data: Mapping[str, Any]
    keys: tuple[str, ...]

    @property
    def name(self) -> str:
        """Return the entry's own name."""
        return self.keys[-1]

    def has(self, key: str) -> bool:
        """Return whether there is anything called *key*."""
        return key in self.data

    def get(self, key: str, kind: type[T]) -> T:
        """Return the value of *key*, which must be there and of that *kind*."""
        found = self.data.get(key)
        if type(found) is not kind:
            self.refuse(key, found, _EXPECTED[kind])
        return found

    def texts(self, key: str) -> tuple[str, ...]:
        """Return the texts that the list *key* holds."""
        found = self.get(key, list)
        for each in found:
            if not isinstance(each, str):
                self.refuse(key, each, _EXPECTED[str])
        return tuple(found)

    def entry(self, key: str) -> "TomlTable":
        """Return the table called *key*."""
        return TomlTable(self.get(key, dict), (*self.keys, key))

    def entries(self) -> Iterator["TomlTable"]:
        """Yield the tables that this one holds."""
        return (self.entry(key) for key in self.data)

    def holds_only(self, known: Collection[str]) -> None:
        """Raise `VariantError` if there is a key that is not among the *known*."""
        for key in self.data:
            if key not in known:
                self.fail(key, f"no such key, expected {', '.join(known)}")

    def refuse(self, key: str, found: object, expected: str) -> NoReturn:
        """Raise the error that *found* stands where *expected* should."""
        self.fail(key, f"found {found!r}, expected {expected}")

    def fail(self, key: str, problem: str) -> NoReturn:
        """Raise the error that something is wrong with *key*."""
        message = ": ".join((*self.keys, key, problem))
        raise VariantError(message, (*self.keys[1:], key)) from None

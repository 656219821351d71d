"""Faults of a file, and the checks that all formats share."""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

from .decode_errors import decoded
from .errors import FormatError, shortened

JSON_KINDS: Final = {
    dict: "an object",
    list: "an array",
    str: "a text",
    bool: "true or false",
    int: "a whole number",
}
MAX_SHOWN: Final = 40
"""Characters of a value that a fault shows."""


class RecordFault(Struct, frozen=True):
    """Something wrong: `place` is a path in the file, or a phase.

    A `remark` is a known way of another program, and no fault of the file.
    """

    place: str
    problem: str
    remark: bool = False

    def __str__(self) -> str:
        text = f"{self.place}: {self.problem}" if self.place else self.problem
        return shortened(text)


def json_object(content: bytes) -> dict[str, object]:
    """Return the JSON object *content*; raise `FormatError` if it cannot be read."""
    return decoded(content, _OBJECT)


_OBJECT: Final = msgspec.json.Decoder(dict[str, object])


def shown(value: object) -> str:
    """Return *value* as text, shortened for the message of a fault."""
    return shortened(repr(value), MAX_SHOWN)


# These return faults and do not yield them: files have thousands of right values.


def wrong_kind(place: str, value: object, kind: type) -> Sequence[RecordFault]:
    """Return a fault if *value* is not of *kind*."""
    if isinstance(value, kind) and (kind is bool or not isinstance(value, bool)):
        return ()
    problem = f"found {shown(value)}, expected {JSON_KINDS[kind]}"
    return (RecordFault(place, problem),)


def wrong_choice(
    place: str, value: object, choices: Collection[object]
) -> Sequence[RecordFault]:
    """Return a fault if *value* is none of *choices*."""
    if isinstance(value, str | int) and value in choices:
        return ()
    expected = ", ".join(map(str, choices))
    return (RecordFault(place, f"found {shown(value)}, expected one of {expected}"),)


def fault_if_unparsable(
    place: str, read: Callable[..., object], *values: object
) -> Sequence[RecordFault]:
    """Return a fault if *read* raises `FormatError` for *values*."""
    try:
        read(*values)
    except FormatError as error:
        return (RecordFault(place, str(error)),)
    return ()


def entries(place: str, table: object) -> Iterator[tuple[str, str, Any]]:
    """Yield the place, key and value of each entry, if *table* is an object."""
    if isinstance(table, dict):
        for key, value in table.items():
            yield f"{place}.{key}", key, value


def members(place: str, array: object) -> Iterator[tuple[str, Any]]:
    """Yield the place and value of each member, if *array* is one."""
    if isinstance(array, list):
        for number, value in enumerate(array):
            yield f"{place}[{number}]", value

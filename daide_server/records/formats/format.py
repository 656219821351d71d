"""A format of games as one value: recognise, read, write and check its files."""

from collections.abc import Callable, Collection, Iterator, Sequence
from importlib import import_module
from typing import Any

import msgspec
from attrs import frozen
from msgspec import Raw, Struct

from daide_server.board.map import Variant
from daide_server.records.record import GameRecord

from .errors import FormatError, decoded, shortened

# Faults of a file, and the checks that all formats share

JSON_KINDS = {
    dict: "an object",
    list: "an array",
    str: "a text",
    bool: "true or false",
    int: "a whole number",
}
MAX_SHOWN = 40
"""Maximum characters of a value that a fault shows."""


class RecordFault(Struct, frozen=True):
    """Something wrong: `place` is a path in the file, or a phase.

    A `remark` is a known convention of another program, and no fault of the file.
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


_OBJECT = msgspec.json.Decoder(dict[str, object])


def shown(value: object) -> str:
    """Return *value* as text, shortened for the message of a fault."""
    return shortened(repr(value), MAX_SHOWN)


# These return faults and do not yield them: a generator for each value is slow.


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


FindVariant = Callable[[str], Variant]
"""Finds the variant of a name; raises `VariantError` if there is none."""


def imported(module: str, name: str) -> Callable[..., Any]:
    """Return the function *name* of *module*, which is imported when it is called.

    A command reads one format, and does not wait for the others.
    """

    def call(*values: object) -> Any:  # noqa: ANN401 - what the function returns
        return getattr(import_module(module), name)(*values)

    return call


@frozen
class Format:
    """A format of games.

    `write` returns a record as text, and raises `FormatError` if the format cannot
    hold it. `read` returns the record in a text, and raises `FormatError` if it cannot
    be read. File names end with `suffix`. A file begins with `beginning`, and is a JSON
    object with `key` at the top, if that is given; of several formats with the same
    key, the first in the registry reads the file. `check` yields the faults of a file
    that reading accepts, if there can be any.
    """

    write: Callable[[GameRecord], str]
    read: Callable[[str | bytes, FindVariant], GameRecord]
    suffix: str
    key: str | None
    beginning: bytes = b"{"
    check: Callable[[bytes, FindVariant], Iterator[RecordFault]] = lambda *_: iter(())


def top_keys(content: bytes) -> frozenset[str]:
    """Return the keys of the JSON object *content*; raise `FormatError` for others."""
    try:
        return frozenset(msgspec.json.decode(content, type=dict[str, Raw]))
    except (UnicodeDecodeError, msgspec.DecodeError) as error:
        message = f"found no JSON object, expected a record of a game: {error}"
        raise FormatError(message) from None
    except RecursionError:
        message = "found JSON that is nested too deeply, expected a record of a game"
        raise FormatError(message) from None

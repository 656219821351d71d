"""The error of all readers and writers of files, and helpers for its message."""

import json
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from enum import Enum
from typing import Any, TypeVar

import msgspec

from daide_server.errors import InputError

_Value = TypeVar("_Value")
_Member = TypeVar("_Member", bound=Enum)

MAX_MESSAGE = 600
"""Maximum characters of the message about one fault."""

MAX_NAME_LENGTH = 20_000
"""Maximum characters of the name of a game or client: tables repeat it in each row."""


class FormatError(InputError):
    """A text or a record does not fit the format; the message says where and why."""

    def __init__(self, message: str) -> None:
        """Keep *message*, or its two ends if it is too long."""
        super().__init__(shortened(message))


def shortened(text: str, longest: int = MAX_MESSAGE) -> str:
    """Return *text*, without its middle if it is longer than *longest*.

    An error has the place before the quoted text and what was expected after it, so
    the middle is the least important part.
    """
    if len(text) <= longest:
        return text
    half = longest // 2
    return f"{text[:half]} ... {text[-half:]}"


@contextmanager
def within(place: object) -> Iterator[None]:
    """Put *place* before the message of a `FormatError` that is raised inside."""
    try:
        yield
    except FormatError as error:
        raise FormatError(f"{place}: {error}") from None


def look_up(table: Mapping[str, _Value], text: str, kind: str) -> _Value:
    """Return the value of *text* in *table*.

    Raises `FormatError` with the *kind* of thing and the known names.
    """
    found = table.get(text)
    if found is None:
        message = f"unknown {kind} {text!r}, expected one of {', '.join(table)}"
        raise FormatError(message)
    return found


def member(kind: type[_Member], text: str, where: str) -> _Member:
    """Return the *kind* called *text*; raise `FormatError`, which says *where*."""
    try:
        return kind(text)
    except ValueError:
        expected = ", ".join(each.value for each in kind)
        message = f"{where}: found {text!r}, expected one of {expected}"
        raise FormatError(message) from None


# Decoding JSON to structs: an error names the complete path of the wrong value

Shape = TypeVar("Shape")

_STEP = re.compile(r"\.(?P<name>\w+)|\[(?P<index>\d+)\]|(?P<key>\[\.\.\.\])")
"""A step of a place such as `$.orders[...][0]`: a field, an index, or any key."""


def decoded(content: str | bytes, decoder: "msgspec.json.Decoder[Shape]") -> Shape:
    """Return *content* decoded; raise `FormatError` with the place of the error."""
    try:
        return decoder.decode(content)
    except UnicodeDecodeError:
        expect_utf8(content)
        raise
    except msgspec.DecodeError as error:
        raise FormatError(_mismatch(error, content, decoder.type)) from None


def expect_utf8(content: str | bytes) -> None:
    """Raise `FormatError` with the place if *content* is not UTF-8."""
    try:
        if isinstance(content, bytes):
            content.decode()
    except UnicodeDecodeError as error:
        message = f"byte {error.start}: invalid UTF-8 ({error.reason})"
        raise FormatError(message) from None


def _mismatch(error: msgspec.DecodeError, text: str | bytes, shape: type) -> str:
    """Return why *text* is not of *shape*, on one line, with the place first.

    msgspec writes `[...]` for a key such as a power; the place is completed here.
    """
    what, _, where = str(error).replace("\n", " ").partition(" - at ")
    where = where.strip("`")
    if "[...]" in where:
        where = _in_full(where, str(error), text, shape)
    return f"{where}: {what}" if where else what


def _in_full(where: str, message: str, text: str | bytes, shape: type) -> str:
    """Return *where* with its keys, or unchanged if *text* is not complete JSON."""
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        return where

    def is_wrong() -> bool:
        try:
            msgspec.json.decode(json.dumps(whole), type=shape)
        except msgspec.DecodeError as error:
            return str(error) == message
        return False

    try:
        return _completed(where, whole, is_wrong)
    except (AttributeError, LookupError, TypeError, ValueError):
        # JSON as Python writes it may have another fault: 1e999 becomes Infinity.
        return where


def _completed(
    where: str,
    held: Any,  # noqa: ANN401 - any JSON
    is_wrong: Callable[[], bool],
) -> str:
    place = "$"
    for step in _STEP.finditer(where):
        key = _culprit(held, is_wrong) if step["key"] else step["name"] or step["index"]
        place += f"[{key!r}]" if step["key"] else step[0]
        held = held[int(key) if step["index"] else key]
    return place


def _culprit(held: dict[str, Any], is_wrong: Callable[[], bool]) -> str:
    """Return the key of *held* with the wrong value, found by bisection.

    *held* has only that key afterwards.
    """
    entries = list(held.items())

    def fails(count: int) -> bool:
        held.clear()
        held.update(entries[:count])
        return is_wrong()

    key, value = entries[bisect_left(range(1, len(entries)), True, key=fails)]
    held.clear()
    held[key] = value
    return key

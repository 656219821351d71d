"""Kinds of values: which values a setting has, and how a file and an option write it.

A kind reads TOML values and writes them again. A value that TOML cannot represent
(`None`, infinity) is written as another value: see `either`.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Generic, TypeVar

from attrs import evolve, frozen

KindT = TypeVar("KindT")
OtherT = TypeVar("OtherT")
ChoiceT = TypeVar("ChoiceT", bound=str | int)

TomlValue = str | int | float | bool | tuple[str, ...] | Mapping[str, str]
"""A value of a setting in TOML."""

MAX_PORT = 65535


class ValueRefused(ValueError):  # noqa: N818 (named for what happened, like a reply)
    """A value is not of the kind that its setting takes."""


@frozen
class Kind(Generic[KindT]):
    """The kind of value of a setting."""

    expected: str
    """The accepted values in words, for errors."""
    read: Callable[[object], KindT]
    """Returns the value of a TOML value; raises `ValueRefused`."""
    write: Callable[[KindT], TomlValue]
    """Returns the TOML value of a value."""
    metavar: str
    """The value's name in the help of an option; empty for a switch."""
    unit: str = ""

    def read_text(self, text: str) -> KindT:
        """Return the value of *text*, given on a command line.

        Raises `ValueRefused`. A word that looks like a number may still be a text.
        """
        for candidate in _candidates(text):
            try:
                return self.read(candidate)
            except ValueRefused:
                continue
        raise ValueRefused(text)


def _candidates(text: str) -> Iterator[TomlValue]:
    for number in (int, float):
        try:
            yield number(text)
        except ValueError:
            continue
    yield text


def _itself(value: KindT) -> KindT:
    return value


def whole(
    low: int | None = None,
    high: int | None = None,
    *,
    unit: str = "",
    metavar: str = "N",
) -> Kind[int]:
    """Return the kind of whole numbers from *low* to *high*, both included."""

    def read(value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            raise ValueRefused(value)
        if (low is not None and value < low) or (high is not None and value > high):
            raise ValueRefused(value)
        return value

    words = f"whole {unit}" if unit else "a whole number"
    if high is not None:
        words += f" from {low} to {high}"
    elif low is not None:
        words += f" of {low} or more"
    return Kind(words, read, _itself, metavar, unit)


def number(low: float, high: float = math.inf, *, unit: str) -> Kind[float]:
    """Return the kind of finite numbers of *low* or more, to *high*, in *unit*."""

    def read(value: object) -> float:
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise ValueRefused(value)
        try:
            found = float(value)
        except OverflowError:
            raise ValueRefused(value) from None
        if not low <= found <= high or math.isinf(found):
            raise ValueRefused(value)
        return found

    bounds = f"of {low:g} or more" if high == math.inf else f"from {low:g} to {high:g}"
    return Kind(f"{unit} {bounds}", read, _itself, unit.upper(), unit)


def one_of(choices: Iterable[ChoiceT], *, metavar: str = "") -> Kind[ChoiceT]:
    """Return the kind of *choices*."""
    known = {choice: choice for choice in choices}

    def read(value: object) -> ChoiceT:
        for choice in known:
            if type(value) is type(choice) and value == choice:
                return choice
        raise ValueRefused(value)

    words = tuple(map(str, known))
    metavar = metavar or f"[{'|'.join(words)}]"
    return Kind(f"one of {', '.join(words)}", read, _itself, metavar)


def text(metavar: str, expected: str = "a text") -> Kind[str]:
    """Return the kind of non-empty texts; *expected* describes them."""

    def read(value: object) -> str:
        if not isinstance(value, str) or not value:
            raise ValueRefused(value)
        return value

    return Kind(expected, read, _itself, metavar)


def texts(metavar: str) -> Kind[tuple[str, ...]]:
    """Return the kind of lists of texts."""

    def read(value: object) -> tuple[str, ...]:
        if not isinstance(value, list | tuple):
            raise ValueRefused(value)
        if not all(isinstance(each, str) for each in value):
            raise ValueRefused(value)
        return tuple(value)

    return Kind("a list of texts", read, _itself, metavar)


def either(
    kind: Kind[KindT], written: TomlValue, value: OtherT
) -> Kind[KindT | OtherT]:
    """Return *kind* with the additional *value*, which files write as *written*."""

    def read(found: object) -> KindT | OtherT:
        is_same_kind = isinstance(found, bool) == isinstance(written, bool)
        return value if is_same_kind and found == written else kind.read(found)

    def write(chosen: KindT | OtherT) -> TomlValue:
        # Only *value* is written as *written*. (mypy does not narrow by `==`.)
        return written if chosen == value else kind.write(chosen)  # type: ignore[arg-type]

    return Kind(_or(kind, written), read, write, metavar=kind.metavar, unit=kind.unit)


def _or(kind: Kind[KindT], written: TomlValue) -> str:
    try:
        kind.read(written)
    except ValueRefused:
        shown = "an empty text" if written == "" else repr(written)
        return f"{kind.expected}, or {shown}"
    return kind.expected


def _switch(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueRefused(value)
    return value


def _port_range(value: object) -> tuple[int, ...]:
    first, _, last = value.partition("-") if isinstance(value, str) else ("", "", "")
    if not (first.isdecimal() and last.isdecimal()):
        raise ValueRefused(value)
    if not 1 <= int(first) <= int(last) <= MAX_PORT:
        raise ValueRefused(value)
    return tuple(range(int(first), int(last) + 1))


SWITCH = Kind("true or false", _switch, _itself, metavar="")
PORT = evolve(
    whole(0, MAX_PORT, metavar="PORT"), expected=f"a port from 0 to {MAX_PORT}"
)
_SOME_PORTS: Kind[tuple[int, ...]] = Kind(
    "a range of ports such as 17000-17009",
    _port_range,
    lambda ports: f"{ports[0]}-{ports[-1]}",
    metavar="FIRST-LAST",
)
PORT_RANGE: Kind[tuple[int, ...]] = either(_SOME_PORTS, "", ())
FREE_PORTS = (0,)
"""Ports that the operating system chooses, as many as are needed."""
SEAT_PORTS: Kind[tuple[int, ...]] = either(either(_SOME_PORTS, 0, FREE_PORTS), "", ())
COUNT = whole(1)
SECONDS = number(0, unit="seconds")
SECONDS_OR_NONE = either(SECONDS, 0.0, None)
TURN_SECONDS = number(0.1, unit="seconds")
"""A time limit of a turn: no client would be in time for less than 0.1 seconds."""
TURN_SECONDS_OR_NONE = either(TURN_SECONDS, 0.0, None)
FOLDER = text("FOLDER", "a folder")
FOLDER_OR_NONE = either(FOLDER, "", None)

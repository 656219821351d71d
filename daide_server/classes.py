"""The classes of attrs, whose methods are shared rather than written for each.

attrs writes and compiles `__repr__`, `__eq__` and `__hash__` for each class: 0.2 of the
0.3 ms that it takes to build one, and a server builds 120 before it listens. Hardly any
of them is printed or compared while it serves. `define` and `frozen` are used as those
of attrs, and mean the same; a comparison takes 0.1 us longer. Values of games are
structs of msgspec instead: they are made and compared all the time.
"""

from collections.abc import Callable
from functools import partial
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

import attrs
from attrs import NOTHING, AttrsInstance, fields

if TYPE_CHECKING:
    from attrs import define as define
    from attrs import frozen as frozen


@recursive_repr()
def _shown(self: AttrsInstance) -> str:
    """Return the class and its fields, as attrs writes it."""
    shown = [
        f"{field.name}={getattr(self, field.name, NOTHING)!r}"
        for field in fields(self.__class__)
        if field.repr
    ]
    name = self.__class__.__qualname__.rsplit(">.", 1)[-1]
    return f"{name}({', '.join(shown)})"


def _no_values(_value: object) -> tuple[()]:
    """Return the values of what has no fields."""
    return ()


def _share_equality(cls: type[AttrsInstance], *, is_hashable: bool) -> None:
    """Let values of *cls* be equal, and of one hash, whose fields are."""
    names = [field.name for field in fields(cls) if field.eq]
    values: Callable[[object], object] = attrgetter(*names) if names else _no_values

    def __eq__(self: object, other: object) -> bool:  # noqa: N807
        if other.__class__ is not self.__class__:
            return NotImplemented
        return values(self) == values(other)

    def __hash__(self: object) -> int:  # noqa: N807
        return hash((cls, values(self)))

    cls.__eq__ = __eq__  # type: ignore[method-assign]
    cls.__hash__ = __hash__ if is_hashable else None  # type: ignore[assignment]


def _define(cls: type | None = None, /, **options: Any) -> Any:  # noqa: ANN401
    if cls is None:
        return partial(_define, **options)
    is_value = options.get("eq", True) and not issubclass(cls, BaseException)
    options["eq"] = False
    built: type[AttrsInstance] = attrs.define(cls, repr=False, **options)
    if "__repr__" not in vars(cls):
        built.__repr__ = _shown  # type: ignore[method-assign]
    if is_value and "__eq__" not in vars(cls):
        _share_equality(built, is_hashable=options.get("frozen", False))
    return built


if not TYPE_CHECKING:
    define = _define
    frozen = partial(_define, frozen=True, on_setattr=None)

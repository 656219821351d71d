"""A property that is computed at the first access, then cached.

`functools.cached_property` does the same, and takes a lock each time before Python
3.12. A turn needs a dozen such values, and no resolution is shared between
threads, so this copy without the lock stays until 3.11 is no longer supported.
"""

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

_T = TypeVar("_T")


class lazy(Generic[_T]):  # noqa: N801 - a decorator, like property
    """A property that keeps its value in the object, which must have a `__dict__`."""

    def __init__(self, find: Callable[[Any], _T]) -> None:
        self._find = find
        self._name = find.__name__
        self.__doc__ = find.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> "lazy[_T]": ...
    @overload
    def __get__(self, instance: object, owner: type) -> _T: ...
    def __get__(self, instance: object | None, owner: type) -> "lazy[_T] | _T":
        """Return the value, and keep it where it hides this property."""
        if instance is None:
            return self
        value = self._find(instance)
        instance.__dict__[self._name] = value
        return value

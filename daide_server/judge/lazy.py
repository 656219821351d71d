"""Facts of a value that are found out when they are first asked for."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class lazy(Generic[T]):  # noqa: N801 - a decorator, like property
    """A property that keeps its value in the object, which must have a `__dict__`.

    `functools.cached_property` takes a lock each time before Python 3.12; a turn
    asks for a dozen such values, and nobody shares a resolution between threads.
    """

    def __init__(self, find: Callable[[Any], T]) -> None:
        self._find = find
        self._name = find.__name__
        self.__doc__ = find.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> "lazy[T]": ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: object | None, owner: type) -> "lazy[T] | T":
        """Return the value, and keep it where it hides this property."""
        if instance is None:
            return self
        value = self._find(instance)
        instance.__dict__[self._name] = value
        return value

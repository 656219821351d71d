"""Which of many descriptors are readable, asked without a wait.

A server asks that for every few messages. `selectors` looks up a key of each event by
a call; where there is epoll, the numbers of the descriptors are enough.
"""

import select
import selectors
import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import Final, Protocol


class ReadableSet(Protocol):
    """Descriptors that are looked at; `fileno` is readable when one of them is."""

    def add(self, descriptor: int) -> None:
        """Look at *descriptor*, too."""

    def remove(self, descriptor: int) -> None:
        """Look at *descriptor* no longer; it may be closed already."""

    def readable(self) -> Iterable[int]:
        """Return the descriptors at which something has come, or the end."""

    def fileno(self) -> int:
        """Return the descriptor of the set itself."""

    def close(self) -> None:
        """Close the descriptor of the set."""


class SelectorSet:
    """A `ReadableSet` of what the platform has, such as kqueue."""

    def __init__(self) -> None:
        self._selector: Final = selectors.DefaultSelector()
        self.fileno: Final = self._selector.fileno
        self.close: Final = self._selector.close

    def add(self, descriptor: int) -> None:
        """Look at *descriptor*, too."""
        self._selector.register(descriptor, selectors.EVENT_READ)

    def remove(self, descriptor: int) -> None:
        """Look at *descriptor* no longer; it may be closed already."""
        self._selector.unregister(descriptor)

    def readable(self) -> Iterable[int]:
        """Return the descriptors at which something has come, or the end."""
        return [key.fd for key, _ in self._selector.select(0)]


if sys.platform == "linux":

    class EpollSet:
        """A `ReadableSet` of epoll."""

        def __init__(self) -> None:
            self._epoll: Final = select.epoll()
            self._poll: Final = self._epoll.poll
            self.fileno: Final = self._epoll.fileno
            self.close: Final = self._epoll.close

        def add(self, descriptor: int) -> None:
            """Look at *descriptor*, too."""
            self._epoll.register(descriptor, select.EPOLLIN)

        def remove(self, descriptor: int) -> None:
            """Look at *descriptor* no longer; it may be closed already."""
            with suppress(OSError):
                self._epoll.unregister(descriptor)

        def readable(self) -> Iterable[int]:
            """Return the descriptors at which something has come, or the end."""
            return [descriptor for descriptor, _ in self._poll(0)]

    BestSet = EpollSet
else:
    BestSet = SelectorSet

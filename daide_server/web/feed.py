"""Channels: the events of a running game, or of all of them, and who follows them.

A channel is a log of events, encoded once, with increasing numbers. A follower is a
place in that log: nothing is copied for it, and nobody waits for it. One that is far
behind is dropped; it comes back with the id of the last event that it has seen, and
resumes there if the log still has what follows.
"""

from collections import deque
from typing import Final

import trio
from attrs import field

from daide_server.classes import define

MAX_BEHIND: Final = 64
"""Events by which a follower may be behind, until it is dropped."""
MAX_LOG: Final = 1000
"""Events that a channel keeps at most."""


def encode_event(name: str, data: bytes, number: str = "") -> bytes:
    """Return an event of the stream; *data* is JSON without a line break.

    See "Server-sent events" of the HTML standard, 9.2.5.
    """
    head = b"id: %s\n" % number.encode() if number else b""
    return b"%sevent: %s\ndata: %s\n\n" % (head, name.encode(), data)


@define(eq=False)
class Follower:
    """A place in the log of a channel."""

    after: int
    """The number of the last event that it has."""
    is_behind_from: int
    """The number from which on it counts how far it is behind."""
    state: int = 0
    """The number of the last state that it has."""
    woken: trio.Event = field(factory=trio.Event)


class Channel:
    """The events of one running game, or of all of them for the first page."""

    def __init__(self, prefix: str = "", after: int = 0) -> None:
        """Begin with the event after number *after*; ids begin with *prefix*."""
        self.followers: Final[dict[Follower, None]] = {}
        self.is_closed = False
        self.last = after
        """The number of the last event."""
        self._prefix: Final = prefix
        self._log: Final[deque[bytes]] = deque(maxlen=MAX_LOG)
        self._states: Final[dict[str, tuple[int, bytes]]] = {}
        self._state = 0

    def publish(self, name: str, data: bytes) -> None:
        """Add an event to the log."""
        self.last += 1
        self._log.append(encode_event(name, data, self.id_of(self.last)))
        self._wake()

    def show(self, name: str, data: bytes) -> None:
        """Let *data* be the present state of what is called *name*.

        Followers get the last one only; it has no id.
        """
        encoded = encode_event(name, data)
        if self._states.get(name, (0, b""))[1] != encoded:
            self._state += 1
            self._states[name] = (self._state, encoded)
            self._wake()

    def close(self) -> None:
        """End the streams of all followers, once they have all events."""
        self.is_closed = True
        self._wake()

    def _wake(self) -> None:
        for follower in self.followers:
            follower.woken.set()

    def id_of(self, number: int) -> str:
        """Return the id of an event of the stream."""
        return f"{self._prefix}{number}"

    def place(self, last_id: str) -> int | None:
        """Return the number of *last_id*, if all that came after it is in the log."""
        digits = last_id.removeprefix(self._prefix)
        if not last_id.startswith(self._prefix) or not digits.isdecimal():
            return None
        after = int(digits[:20])
        return after if self.last - len(self._log) <= after <= self.last else None

    def join(self, after: int) -> Follower:
        """Return a follower that has all events up to number *after*."""
        follower = Follower(after, is_behind_from=max(self.last, after))
        self.followers[follower] = None
        return follower

    def leave(self, follower: Follower) -> None:
        """Forget *follower*."""
        self.followers.pop(follower, None)

    async def next(self, follower: Follower) -> bytes | None:
        """Return what is new for *follower*, several events at once, when there is any.

        Returns `None` at the end: the channel is closed, or the follower too slow.
        """
        while True:
            follower.woken = trio.Event()
            # What was missing when it came is no sign of a slow reader.
            start = max(follower.after, follower.is_behind_from)
            if self.last - start > MAX_BEHIND:
                return None
            if found := self._news(follower):
                return found
            if self.is_closed:
                return None
            await follower.woken.wait()

    def _news(self, follower: Follower) -> bytes:
        """Return what *follower* has not had, and count it as had."""
        missing = min(self.last - follower.after, len(self._log))
        events = [self._log[index] for index in range(-missing, 0)]
        events += (
            data for number, data in self._states.values() if number > follower.state
        )
        follower.after, follower.state = self.last, self._state
        return b"".join(events)

"""Passes: some events are handled without a wait, and then all answers are sent.

A pass is the block of a `with passes:` statement. Whoever handles events opens one:
the poller for all clients that are readable, a game's clock for a tick, a session
for a client that is gone. In a pass outboxes only collect; at its end each of them
sends all that it has collected as one object. Passes never wait, so that none
begins before the one before it has ended; a `with` inside of a pass is part of it.

`Commit` is the place of a journal: between the events of a pass and the first byte
that reports them.
"""

from collections.abc import Callable
from types import TracebackType
from typing import Final, Protocol

Release = Callable[[], None]
"""Sends the output of one pass."""

Commit = Callable[[Release], None]
"""Called at the end of each pass, also of one without output.

It calls its argument once, when the events of the pass are as safe as they must be:
at once, or later, but in the order of the passes.
"""


class Outgoing(Protocol):
    """An outbox, as far as a pass knows it."""

    def take(self) -> bytes:
        """Return what was collected in this pass, once."""

    def send(self, data: bytes) -> None:
        """Send *data* after all that was sent before."""

    def fail(self, error: Exception) -> None:
        """Give up this client because of an unexpected *error*."""


def release_at_once(release: Release) -> None:
    """Commit nothing: send the output of a pass at its end."""
    release()


class Passes:
    """The passes of one server, as a context manager that can be entered again."""

    def __init__(self, commit: Commit = release_at_once) -> None:
        self._commit: Final = commit
        self._depth = 0
        self._outboxes: list[Outgoing] = []

    def enlist(self, outbox: Outgoing) -> None:
        """Let *outbox* send when this pass ends; once per pass and outbox."""
        assert self._depth, "something was said outside of a pass"
        self._outboxes.append(outbox)

    def __enter__(self) -> None:
        self._depth += 1

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._depth -= 1
        if not self._depth:
            self._end()

    def _end(self) -> None:
        said = [(outbox, outbox.take()) for outbox in self._outboxes]
        self._outboxes.clear()

        def release() -> None:
            for outbox, data in said:
                try:
                    outbox.send(data)
                except Exception as error:  # noqa: BLE001 (it costs this client only)
                    outbox.fail(error)

        self._commit(release)

"""What a bot prints, of which the first and the last part are kept."""

from collections import deque
from typing import Final

KEPT_BYTES: Final = 256 << 10
"""Of the beginning, and as much of the end."""


class BoundedOutput:
    """The beginning and the end of a stream of any length; the rest is counted."""

    def __init__(self, kept_bytes: int = KEPT_BYTES) -> None:
        """Keep *kept_bytes* of the beginning, and as much of the end."""
        self.dropped_bytes = 0
        self._kept: Final = kept_bytes
        self._first: Final = bytearray()
        self._last: Final[deque[bytes]] = deque()
        self._last_bytes = 0

    def add(self, data: bytes) -> None:
        """Add *data* to the end."""
        room = self._kept - len(self._first)
        if room > 0:
            self._first.extend(data[:room])
            data = data[room:]
        if not data:
            return
        self._last.append(data)
        self._last_bytes += len(data)
        while self._last_bytes > self._kept:
            self._drop(self._last_bytes - self._kept)

    @property
    def total_bytes(self) -> int:
        """Return how much was added, kept or not."""
        return len(self._first) + self._last_bytes + self.dropped_bytes

    def _drop(self, surplus: int) -> None:
        oldest = self._last.popleft()
        rest = oldest[surplus:]
        if rest:
            self._last.appendleft(rest)
        dropped = len(oldest) - len(rest)
        self._last_bytes -= dropped
        self.dropped_bytes += dropped

    @property
    def content(self) -> bytes:
        """Return what is kept, with a line where the rest was."""
        gap = b""
        if self.dropped_bytes:
            gap = b"\n[... %d bytes were not kept ...]\n" % self.dropped_bytes
        return bytes(self._first) + gap + b"".join(self._last)

    def last_lines(self, lines: int = 20, characters: int = 2000) -> str:
        """Return the end as text: so many lines, and characters, at most."""
        end = b"".join(self._last) if self._last else bytes(self._first)
        text = end[-4 * characters :].decode(errors="replace")
        return "\n".join(text.splitlines()[-lines:])[-characters:]

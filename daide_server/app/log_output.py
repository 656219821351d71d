"""Where log lines go: a bounded queue, and a thread that writes it out.

The log must never stop the server. A line that does not fit into the queue, or is
above the rate, is dropped and counted; an output that is full, closed or not read
costs lines and nothing else. When lines can be written again, one of them says how
many were dropped.

Events become lines a few at a time, because code that is still in the processor's cache
takes a fraction of the time: when so many wait, in the thread that logs (another one
that worked for longer would hold it up), and else in the thread that writes.
"""

import os
import threading
from collections import deque
from collections.abc import Callable
from time import monotonic
from typing import Final

from daide_server.server.lean_structlog import EventDict
from daide_server.server.log_lines import WriteLine, dropped_event

from .log_settings import LogLimits

FOR_WARNINGS: Final = 0.25
"""The share of the queue and of the burst that only warnings and errors may use."""
RETRY_SECONDS: Final = 1.0
"""How long the thread waits after an output has refused a line."""
GATHER_SECONDS: Final = 0.1
"""How long the thread waits for more lines: to wake it for each one would hold up the
server's own thread, which has to hand the interpreter over and to get it back."""
LINES_AT_ONCE: Final = 16
"""Of how many events the lines are made together; it takes about 0.1 ms."""
REOPEN: Final = b""
"""Stands among the lines where the output is to be opened anew."""


class LogOutput:
    """Takes events without waiting, and writes their lines in a thread of its own."""

    def __init__(
        self,
        open_output: Callable[[], int],
        write_line: WriteLine,
        limits: LogLimits | None = None,
    ) -> None:
        """Write to the descriptor that *open_output* returns."""
        self.dropped = 0
        """Lines that were dropped and not yet reported."""
        self._open = open_output
        self._write_line = write_line
        self._limits = LogLimits() if limits is None else limits
        self._left = self._limits.burst_bytes
        self._earned_at = monotonic()
        self._events: list[tuple[EventDict, float]] = []
        """Those whose lines are not made, and what share each leaves to warnings."""
        self._lines: deque[bytes] = deque()
        self._state = threading.Condition()
        self._is_writing = self._is_closed = False
        self._reopen = True
        self._fd = -1
        self._thread = threading.Thread(target=self._run, name="log", daemon=True)
        self._thread.start()

    def put(self, event: EventDict) -> None:
        """Queue the line of *event*; never waits and never raises.

        It leaves a share of the room to warnings, so that nobody drowns them.
        """
        self._put(event, FOR_WARNINGS)

    def put_warning(self, event: EventDict) -> None:
        """Queue one line as `put` does, also where that has no room."""
        self._put(event, 0.0)

    def _put(self, event: EventDict, reserved: float) -> None:
        with self._state:
            self._events.append((event, reserved))
            if len(self._events) >= LINES_AT_ONCE:
                self._make_lines()
            elif len(self._events) == 1 and not self._lines:
                self._state.notify_all()

    def _make_lines(self) -> None:
        """Make the lines of all events, as far as there is room for them."""
        for event, reserved in self._events:
            try:
                data = self._write_line(event).encode("utf-8", "backslashreplace")
            except Exception:  # noqa: BLE001 (whatever it is, it costs one line)
                self.dropped += 1
            else:
                self._queue(data + b"\n", reserved)
        self._events.clear()

    def _queue(self, line: bytes, reserved: float) -> None:
        limits = self._limits
        is_full = len(self._lines) >= limits.lines * (1 - reserved)
        if is_full or not self._spend(len(line), limits.burst_bytes * reserved):
            self.dropped += 1
        else:
            self._lines.append(line)

    def count_dropped(self) -> None:
        """Count an event that could not be made."""
        with self._state:
            self.dropped += 1

    def _spend(self, size: int, reserve: float) -> bool:
        """Count *size* bytes, if more than *reserve* is left; return whether it is."""
        now = monotonic()
        earned = (now - self._earned_at) * self._limits.bytes_per_second
        self._left = min(self._left + earned, self._limits.burst_bytes)
        self._earned_at = now
        if self._left - size < reserve:
            return False
        self._left -= size
        return True

    def reopen(self) -> None:
        """Open the output anew before the next line: its file may have been moved.

        What is queued already goes to the old one.
        """
        with self._state:
            self._make_lines()
            self._lines.append(REOPEN)
            self._state.notify_all()

    def close(self, seconds: float) -> None:
        """Stop, after what is queued is written or *seconds* are over."""
        end = monotonic() + seconds
        with self._state:
            self._is_closed = True
            self._state.notify_all()
            while self._has_work and monotonic() < end:
                self._state.wait(end - monotonic())

    @property
    def _has_work(self) -> bool:
        return bool(self._events or self._lines or self._is_writing)

    def _run(self) -> None:
        # Opened now: the file may be moved before its first line is written.
        self._write(b"")
        while (batch := self._next_batch()) is not None:
            refused = 0 if self._write(batch) else batch.count(b"\n")
            with self._state:
                self._is_writing = False
                self.dropped += refused
                self._state.notify_all()
                if refused and not self._is_closed:
                    self._state.wait(RETRY_SECONDS)

    def _next_batch(self) -> bytes | None:
        """Wait for lines, and return all for one output; `None` at the end."""
        with self._state:
            while not (self._events or self._lines):
                if self._is_closed:
                    return None
                self._state.wait()
            if not self._is_closed:
                self._state.wait(GATHER_SECONDS)
            self._make_lines()
            if self.dropped:
                line = self._write_line(dropped_event(self.dropped))
                self._lines.append(line.encode() + b"\n")
                self.dropped = 0
            self._is_writing = True
            return self._for_one_output()

    def _for_one_output(self) -> bytes:
        """Take the lines up to the next one that is for another output."""
        while self._lines and self._lines[0] is REOPEN:
            self._lines.popleft()
            self._reopen = True
        taken: list[bytes] = []
        while self._lines and self._lines[0] is not REOPEN:
            taken.append(self._lines.popleft())
        return b"".join(taken)

    def _write(self, data: bytes) -> bool:
        """Write *data*; return whether the output took all of it."""
        try:
            if self._reopen:
                self._reopen = False
                self._replace(self._open())
            view = memoryview(data)
            while view:
                view = view[os.write(self._fd, view) :]
        except OSError:
            self._reopen = True
            return False
        return True

    def _replace(self, fd: int) -> None:
        before, self._fd = self._fd, fd
        if before >= 0 and before != fd:
            os.close(before)

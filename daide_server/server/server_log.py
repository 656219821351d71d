"""The log of a server: from events to lines to an output, without ever blocking.

In the loop, events become records of the standard library (`server.log`), which wait in
a bounded queue for a thread that formats and writes them. A record that does not fit
into the queue, or is above the rate limit, is dropped and counted; an output that is
full, closed or not read costs lines and nothing else. When lines can be written again,
a line says how many were dropped.
"""

import os
from collections.abc import Callable, Mapping
from logging import WARNING, Formatter, LogRecord, makeLogRecord
from logging.handlers import QueueListener
from queue import Empty, SimpleQueue
from threading import Event
from time import monotonic
from typing import Final, Self

from .events import Events
from .log import LineFormatter, LogReader, log_record
from .server import ServeError
from .settings import AUTOMATIC, LogSettings

FOR_WARNINGS = 0.25
"""The share of the queue and of the burst that is reserved for warnings and errors."""
GATHER_SECONDS = 0.1
"""Seconds that the thread waits for more lines. Waking it for each line would delay the
server's own thread, which must release and reacquire the interpreter."""
BATCH_LINES = 1000
"""Maximum number of lines written together."""
STANDARD_ERROR = 2
FLAGS = os.O_WRONLY | os.O_CREAT | os.O_APPEND
_REOPEN = makeLogRecord({})
"""A mark among the records: reopen the output here."""


class LogOutput(QueueListener):
    """Writes queued records as lines, in a separate thread."""

    queue: SimpleQueue[LogRecord | None]

    def __init__(
        self,
        open_output: Callable[[], int],
        formatter: Formatter,
        settings: LogSettings = LogSettings(),  # noqa: B008 (it is frozen)
    ) -> None:
        """Write to the descriptor that *open_output* returns."""
        super().__init__(SimpleQueue())
        self._settings: Final = settings
        self._open: Final = open_output
        self._formatter: Final = formatter
        self._left = settings.burst_bytes
        self._earned_at = monotonic()
        self._lines: list[bytes] = []
        self._unqueued = self._lost = self._reported = 0
        self._is_hurried, self._has_ended = Event(), Event()
        self._reopen = True
        self._fd = -1
        self.start()

    @property
    def dropped(self) -> int:
        """Return the number of dropped lines that are not yet reported."""
        return self._unqueued + self._lost - self._reported

    def put(self, record: LogRecord) -> None:
        """Queue *record* if there is room; never block."""
        share = 1.0 if record.levelno >= WARNING else 1 - FOR_WARNINGS
        if self.queue.qsize() >= self._settings.lines * share:
            self._unqueued += 1
        else:
            self.queue.put(record)

    def reopen(self) -> None:
        """Reopen the output before the next line: its file may have been moved.

        Lines that are already queued go to the old file.
        """
        self.queue.put(_REOPEN)

    def close(self, seconds: float) -> None:
        """Stop after all queued lines are written, or after *seconds*."""
        self._is_hurried.set()
        self.enqueue_sentinel()
        self._has_ended.wait(seconds)

    # The methods below run in the thread.

    def dequeue(self, block: bool) -> LogRecord | None:  # type: ignore[override] # noqa: FBT001
        """Return the next record; if there is none, write the lines and wait."""
        try:
            record = self.queue.get_nowait()
        except Empty:
            self._write_lines()
            record = self.queue.get(block)
            self._is_hurried.wait(GATHER_SECONDS)
        if record is None:
            self._write_lines()
            self._has_ended.set()
        return record

    def handle(self, record: LogRecord) -> None:
        """Format *record*, if it is within the rate."""
        if record is _REOPEN:
            self._write_lines()
            self._reopen = True
            return
        try:
            line = self._line_of(record)
        except Exception:  # noqa: BLE001 (whatever it is, it costs one line)
            self._lost += 1
        else:
            self._add(line, 0.0 if record.levelno >= WARNING else FOR_WARNINGS)
        if len(self._lines) >= BATCH_LINES:
            self._write_lines()

    def _line_of(self, record: LogRecord) -> bytes:
        line = self._formatter.format(record)
        return line.encode("utf-8", "backslashreplace") + b"\n"

    def _add(self, line: bytes, reserved: float) -> None:
        """Keep *line*, unless the rate leaves no more than the *reserved* share."""
        limits, now = self._settings, monotonic()
        earned = (now - self._earned_at) * limits.bytes_per_second
        self._left = min(self._left + earned, limits.burst_bytes)
        self._earned_at = now
        if self._left - len(line) < limits.burst_bytes * reserved:
            self._lost += 1
        else:
            self._left -= len(line)
            self._lines.append(line)

    def _write_lines(self) -> None:
        """Write the lines, then the number of missing lines."""
        lines, missing = self._lines, self.dropped
        self._lines = []
        data = b"".join(lines)
        if missing:
            data += self._line_of(
                log_record(WARNING, "log.dropped", {"lines": missing})
            )
        if self._write(data):
            self._reported += missing
        else:
            self._lost += len(lines)

    def _write(self, data: bytes) -> bool:
        """Write *data*; return whether the output accepted all of it."""
        try:
            if self._reopen:
                self._reopen = False
                before, self._fd = self._fd, self._open()
                if before not in {-1, self._fd}:
                    os.close(before)
            view = memoryview(data)
            while view:
                view = view[os.write(self._fd, view) :]
        except OSError:
            self._reopen = True
            return False
        return True


class ServerLog(LogOutput):
    """The log as set in the settings; a context manager."""

    def __init__(self, settings: LogSettings) -> None:
        """Start the log. Raises `ServeError` if the file cannot be written."""
        path, is_terminal = settings.file, False
        if path is None:
            is_terminal = os.isatty(STANDARD_ERROR)
        else:
            _check(path)
        self.is_on_terminal: Final = is_terminal
        formatter = formatter_of(
            settings, is_terminal=is_terminal, environment=os.environ
        )
        super().__init__(
            lambda: STANDARD_ERROR if path is None else os.open(path, FLAGS),
            formatter,
            settings,
        )
        reader = LogReader(self.put, settings.level)
        self.events: Final = Events(reader, wants_messages=reader.wants_messages)
        """Writes the lines of events."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close(self._settings.flush_seconds)


def formatter_of(
    settings: LogSettings, *, is_terminal: bool, environment: Mapping[str, str]
) -> LineFormatter:
    """Return the formatter; by default console style on a terminal, else logfmt.

    Only a terminal gets colours, unless NO_COLOR is set (no-color.org).
    """
    style = settings.format
    if style == AUTOMATIC:
        style = "console" if is_terminal else "logfmt"
    is_coloured = is_terminal and not environment.get("NO_COLOR")
    return LineFormatter(style, is_coloured=is_coloured)


def _check(path: str) -> None:
    """Raise `ServeError` if the log file *path* cannot be opened."""
    try:
        # Without O_NONBLOCK a pipe that nobody reads would stop the server here.
        os.close(os.open(path, FLAGS | os.O_NONBLOCK))
    except OSError as error:
        message = f"cannot write the log {path}: {error.strerror or error}"
        raise ServeError(message) from error

"""The log of a server: from events to lines to an output that never stops it.

What happens becomes an event of the log in the loop (`server.log_sink`), and a line
that a thread writes in `log_output`. Whatever goes wrong on the way costs lines, which
are counted.
"""

import os
from collections.abc import Mapping
from types import TracebackType
from typing import Final, Self

from daide_server.server.event_sink import EventSink
from daide_server.server.log_lines import LogStyle, event_logger, line_writer
from daide_server.server.log_sink import LogSink
from daide_server.server.sinks import guarded

from .log_output import LogOutput
from .log_settings import AUTOMATIC, LogLimits, LogSettings
from .server import ServeError

STANDARD_ERROR: Final = 2
FLAGS: Final = os.O_WRONLY | os.O_CREAT | os.O_APPEND


class ServerLog:
    """The log that the settings ask for; to be used as a context."""

    def __init__(self, settings: LogSettings, limits: LogLimits) -> None:
        """Begin to log. Raises `ServeError` if the file cannot be written."""
        self._settings: Final = settings
        if settings.file is not None:
            _check(settings.file)
        style = style_of(
            settings, is_terminal=self.is_on_terminal, environment=os.environ
        )
        output = LogOutput(self._open, line_writer(style), limits)
        log = event_logger(output.put, style.level, output.put_warning)
        self._output: Final = output
        self.sink: Final[EventSink] = guarded(LogSink(log), output.count_dropped)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _type: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        self._output.close(self._settings.flush_seconds)

    @property
    def is_on_terminal(self) -> bool:
        """Return whether the log is shown on a terminal."""
        return self._settings.file is None and os.isatty(STANDARD_ERROR)

    def reopen(self) -> None:
        """Open the file anew, because it may have been moved."""
        self._output.reopen()

    def _open(self) -> int:
        if self._settings.file is None:
            return STANDARD_ERROR
        return os.open(self._settings.file, FLAGS)


def style_of(
    settings: LogSettings, *, is_terminal: bool, environment: Mapping[str, str]
) -> LogStyle:
    """Return how lines look: unless it is set, console on a terminal, else logfmt.

    Only a terminal gets colours, and none if NO_COLOR is set (no-color.org).
    """
    chosen = settings.format
    if chosen == AUTOMATIC:
        chosen = "console" if is_terminal else "logfmt"
    is_coloured = is_terminal and not environment.get("NO_COLOR")
    return LogStyle(settings.level, chosen, is_coloured)


def _check(path: str) -> None:
    """Raise `ServeError` if the log file *path* cannot be opened."""
    try:
        # Without O_NONBLOCK a pipe that nobody reads would stop the server here.
        os.close(os.open(path, FLAGS | os.O_NONBLOCK))
    except OSError as error:
        message = f"cannot write the log {path}: {error.strerror or error}"
        raise ServeError(message) from error

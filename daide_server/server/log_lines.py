"""The form of log lines: logfmt, JSON, or columns for people.

An event is always one line, whatever clients send: control characters in values are
escaped. Only on a console a traceback has several lines.
"""

import logging
import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

import structlog
from structlog.typing import EventDict, Processor

LOG_LEVELS: Final = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warning": logging.WARNING,
    "error": logging.ERROR,
}
CONTROL_CHARACTER: Final = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029]")
"""Characters that could forge or garble a line; newlines are escaped elsewhere."""
TRACEBACK: Final = "exception"
"""The field for the traceback of structlog."""


def log_record(level: int, name: str, fields: dict[str, object]) -> logging.LogRecord:
    """Return a log record of the standard library.

    The values of *fields* must not change afterwards: they are formatted when the line
    is written.
    """
    event = {"event": name} | fields
    if "error" in event:
        event["exc_info"] = event.pop("error")
    return logging.LogRecord("daide_server", level, "", 0, event, (), None)


class LineFormatter(logging.Formatter):
    """Formats a `log_record` as a line."""

    def __init__(self, style: str, *, is_coloured: bool = False) -> None:
        """Format in *style*: logfmt, json or console."""
        super().__init__()
        self.style: Final = style
        self.is_coloured: Final = is_coloured
        self._render: Final = _renderer(style, is_coloured=is_coloured)

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, without a newline."""
        at = datetime.fromtimestamp(record.created, UTC)
        level = record.levelname.lower()
        assert isinstance(record.msg, dict)
        line: EventDict = {
            "timestamp": at.isoformat().replace("+00:00", "Z"),
            "level": level,
            **record.msg,
        }
        line = structlog.processors.format_exc_info(None, level, line)
        if self.style != "json":
            _escape_values(line, line_feeds=self.style == "console")
        return str(self._render(None, level, line))


def line_writer(
    put: Callable[[str], None], style: str = "logfmt"
) -> Callable[[logging.LogRecord], None]:
    """Return a function that calls *put* with a record for each line."""
    formatter = LineFormatter(style)
    return lambda record: put(formatter.format(record))


def _renderer(style: str, *, is_coloured: bool) -> Processor:
    """Return structlog's renderer for a style."""
    if style == "json":
        return structlog.processors.JSONRenderer(default=str)
    if style == "logfmt":
        return structlog.processors.LogfmtRenderer(bool_as_flag=False)
    return structlog.dev.ConsoleRenderer(
        colors=is_coloured,
        sort_keys=False,
        # Other renderers show the values of variables, and so passcodes.
        exception_formatter=structlog.dev.plain_traceback,
    )


def _escape_values(line: EventDict, *, line_feeds: bool) -> None:
    for key, value in line.items():
        if not isinstance(value, int | float):
            text = CONTROL_CHARACTER.sub(_escape, str(value))
            if line_feeds and key != TRACEBACK:
                text = text.replace("\n", "\\n")
            line[key] = text


def _escape(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode()

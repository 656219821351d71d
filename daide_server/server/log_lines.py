"""How lines of the log look: logfmt, JSON, or columns for people.

A line is one line, whatever clients send: control characters in values are escaped.
Only a console shows a traceback as it is, in several lines.
"""

import logging
import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

import structlog
from attrs import frozen
from structlog.typing import EventDict, Processor

LOG_LEVELS: Final = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warning": logging.WARNING,
    "error": logging.ERROR,
}
NOT_PLAIN: Final = re.compile(r'[\x00-\x20"=\x7f-\x9f\u2028\u2029]')
"""Characters with which logfmt does not write a value as it is."""
QUOTED: Final = re.compile(r'[ ="]')
CONTROL_CHARACTER: Final = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029]")
"""Characters that could forge or garble a line; the LF is escaped elsewhere."""
TRACEBACK: Final = "exception"
"""The field that structlog puts a traceback into."""


@frozen
class LogStyle:
    """What is logged, from which level up, and how it looks."""

    level: str
    format: str
    """One of `RENDERERS`."""
    is_coloured: bool = False


def log_record(level: int, name: str, fields: dict[str, object]) -> logging.LogRecord:
    """Return a record for the handlers of the log.

    The values of *fields* must not change afterwards: their text is made when the line
    is written.
    """
    event = {"event": name} | fields
    if "error" in event:
        event["exc_info"] = event.pop("error")
    return logging.LogRecord("daide_server", level, "", 0, event, (), None)


class LineFormatter(logging.Formatter):
    """Makes the line of a `log_record`."""

    def __init__(self, style: LogStyle) -> None:
        super().__init__()
        self._processors: Final[list[Processor]] = [
            structlog.processors.format_exc_info,
            *RENDERERS[style.format](style),
        ]

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, without its end."""
        at = datetime.fromtimestamp(record.created, UTC)
        level = record.levelname.lower()
        assert isinstance(record.msg, dict)
        line: object = {
            "timestamp": at.isoformat().replace("+00:00", "Z"),
            "level": level,
            **record.msg,
        }
        for process in self._processors:
            # All but the last one return a dictionary, and that one the line.
            line = process(None, level, line)  # type: ignore[arg-type]
        return str(line)


class LineHandler(logging.Handler):
    """Calls a function with each line."""

    def __init__(self, put: Callable[[str], None], style: LogStyle) -> None:
        super().__init__()
        self.setFormatter(LineFormatter(style))
        self._put: Final = put

    def emit(self, record: logging.LogRecord) -> None:
        """Call the function."""
        self._put(self.format(record))


def _logfmt(_: LogStyle) -> list[Processor]:
    return [_logfmt_line]


def _json(_: LogStyle) -> list[Processor]:
    return [structlog.processors.JSONRenderer(default=str)]


def _console(style: LogStyle) -> list[Processor]:
    renderer = structlog.dev.ConsoleRenderer(
        colors=style.is_coloured,
        sort_keys=False,
        # Others show the values of variables, and so passcodes.
        exception_formatter=structlog.dev.plain_traceback,
    )
    return [_escape_control_characters, _escape_line_feeds, renderer]


RENDERERS: Final[dict[str, Callable[[LogStyle], list[Processor]]]] = {
    "logfmt": _logfmt,
    "json": _json,
    "console": _console,
}
"""The last processors of each format; the last one of them makes a line."""


def _logfmt_line(_: object, _level: str, event: EventDict) -> str:
    """Return the line that structlog's `LogfmtRenderer` makes, in half of its time.

    Lines are a twentieth of the time of a turn.
    """
    return " ".join([f"{key}={_logfmt_value(event[key])}" for key in event])


def _logfmt_value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    text = str(value)
    if NOT_PLAIN.search(text) is None:
        return text
    text = CONTROL_CHARACTER.sub(_escape, text)
    is_quoted = QUOTED.search(text) is not None
    if is_quoted:
        text = text.replace("\\", "\\\\").replace('"', '\\"')
    text = text.replace("\n", "\\n")
    return f'"{text}"' if is_quoted else text


def _escape_control_characters(_: object, _level: str, event: EventDict) -> EventDict:
    for key, value in event.items():
        if not isinstance(value, int | float):
            event[key] = CONTROL_CHARACTER.sub(_escape, str(value))
    return event


def _escape_line_feeds(_: object, _level: str, event: EventDict) -> EventDict:
    for key, value in event.items():
        if isinstance(value, str) and key != TRACEBACK:
            event[key] = value.replace("\n", "\\n")
    return event


def _escape(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode()

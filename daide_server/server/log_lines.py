"""How the lines of the log look: logfmt, JSON, or columns for people.

A line is one line, whatever clients send: control characters in values are escaped.
Only a console shows a traceback as it is, in several lines.
"""

import logging
import re
from collections.abc import Callable
from typing import Final

from attrs import evolve

from daide_server.classes import frozen

from .lean_structlog import (
    EventDict,
    JSONRenderer,
    TimeStamper,
    format_exc_info,
    structlog,
)

LOG_LEVELS: Final = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warning": logging.WARNING,
    "error": logging.ERROR,
}
CONTROL_CHARACTER: Final = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029]")
"""Characters that could forge or garble a line; the LF is escaped elsewhere."""
QUOTED: Final = re.compile(r'[ ="]')
"""A value with one of these is in quotes."""
NOT_PLAIN: Final = re.compile(r'[\x00-\x20"=\x7f-\x9f\u2028\u2029]')
"""Characters with which a value is not written as it is."""
EXCEPTION: Final = "exc_info"
"""The field of an exception whose traceback the line has."""
TRACEBACK: Final = "exception"
"""The field that structlog puts a traceback into."""
_STAMP: Final = TimeStamper(fmt="iso", utc=True)


@frozen
class LogStyle:
    """What is logged, from which level up, and how it looks."""

    level: str
    format: str
    """One of `RENDERERS`."""
    is_coloured: bool = False


Put = Callable[[str], None]
"""Called with one line."""


class LineLogger:
    """Makes a line of each event that is of its level or above, and puts it somewhere.

    A level is the method of that name, as with the loggers of structlog; those copy a
    context and call each processor in turn, which each turn of a game would pay for.
    """

    def __init__(self, put: Put, put_warning: Put, style: LogStyle) -> None:
        self._put: Final = put
        self._put_warning: Final = put_warning
        self._level: Final = LOG_LEVELS[style.level]
        self._render: Final = RENDERERS[style.format](style)

    def is_enabled_for(self, level: int) -> bool:
        """Return whether events of *level* have lines."""
        return level >= self._level

    def debug(self, event: str, **fields: object) -> None:
        """Put the line of what only developers want to know."""
        if self._level <= logging.DEBUG:
            self._put(self._line("debug", event, fields))

    def info(self, event: str, **fields: object) -> None:
        """Put the line of what is as it should be."""
        if self._level <= logging.INFO:
            self._put(self._line("info", event, fields))

    def warning(self, event: str, **fields: object) -> None:
        """Put the line of what somebody should look at."""
        if self._level <= logging.WARNING:
            self._put_warning(self._line("warning", event, fields))

    def error(self, event: str, **fields: object) -> None:
        """Put the line of what has failed."""
        if self._level <= logging.ERROR:
            self._put_warning(self._line("error", event, fields))

    def _line(self, level: str, event: str, fields: dict[str, object]) -> str:
        line = _STAMP(None, level, {})
        line["level"], line["event"] = level, event
        line.update(fields)
        if EXCEPTION in line:
            line = format_exc_info(None, level, line)
        return self._render(line)


def logger(put: Put, style: LogStyle, put_warning: Put | None = None) -> LineLogger:
    """Return a logger that calls *put* with each line.

    With *put_warning*, that is called for warnings and errors.
    """
    return LineLogger(put, put_warning or put, style)


def dropped_line(style: LogStyle, count: int) -> str:
    """Return the line that says how many lines were dropped, whatever the level."""
    lines: list[str] = []
    logger(lines.append, evolve(style, level="debug")).warning(
        "log.dropped", lines=count
    )
    return lines[0]


Render = Callable[[EventDict], str]
"""Returns the line of the fields of an event; time, level and event come first."""


def _logfmt(_: LogStyle) -> Render:
    return _logfmt_line


def _json(_: LogStyle) -> Render:
    renderer = JSONRenderer(default=str)

    def render(event: EventDict) -> str:
        return str(renderer(None, "", event))

    return render


def _console(style: LogStyle) -> Render:
    renderer = structlog.dev.ConsoleRenderer(
        colors=style.is_coloured,
        sort_keys=False,
        # Others show the values of variables, and so passcodes.
        exception_formatter=structlog.dev.plain_traceback,
    )

    def render(event: EventDict) -> str:
        return renderer(None, "", _escaped(event))

    return render


RENDERERS: Final[dict[str, Callable[[LogStyle], Render]]] = {
    "logfmt": _logfmt,
    "json": _json,
    "console": _console,
}
"""What writes the lines of each format."""


def _logfmt_line(event: EventDict) -> str:
    """Return *event* as structlog's `LogfmtRenderer` does, in half the time.

    That one looks at each character of each key; ours are names.
    """
    return " ".join([f"{key}={_logfmt_value(value)}" for key, value in event.items()])


def _logfmt_value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    text = str(value)
    if NOT_PLAIN.search(text) is None:
        return text
    text = CONTROL_CHARACTER.sub(_escape, text)
    if is_quoted := QUOTED.search(text) is not None:
        text = text.replace("\\", "\\\\").replace('"', '\\"')
    text = text.replace("\n", "\\n")
    return f'"{text}"' if is_quoted else text


def _escaped(event: EventDict) -> EventDict:
    """Return *event* such that its line is one line, but for tracebacks."""
    for key, value in event.items():
        if isinstance(value, int | float):
            continue
        text = CONTROL_CHARACTER.sub(_escape, str(value))
        event[key] = text if key == TRACEBACK else text.replace("\n", "\\n")
    return event


def _escape(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode()

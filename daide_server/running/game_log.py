"""The log of the server of one game, in memory: its last lines."""

from collections import deque
from typing import Final

from daide_server.server.event_sink import EventSink
from daide_server.server.log_lines import LogStyle, logger
from daide_server.server.log_sink import LogSink
from daide_server.server.sinks import guarded

LOG_LINES: Final = 5000
STYLE: Final = LogStyle("info", "logfmt")


class GameLog:
    """Keeps the last lines of a log."""

    def __init__(self) -> None:
        self._lines: Final[deque[str]] = deque(maxlen=LOG_LINES)
        self.sink: Final[EventSink] = guarded(
            LogSink(logger(self._lines.append, STYLE)), lambda: None
        )

    def add(self, text: str) -> None:
        """Add a line, or several."""
        self._lines.append(text)

    @property
    def text(self) -> str:
        """Return the lines."""
        return "".join(f"{line}\n" for line in self._lines)

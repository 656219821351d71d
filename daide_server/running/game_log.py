"""The log of the server of one game, in memory: its last lines."""

from collections import deque
from typing import Final

from daide_server.server.events import EventReader
from daide_server.server.log import LogReader
from daide_server.server.log_lines import line_writer

LOG_LINES: Final = 5000


class GameLog:
    """Keeps the last lines of a log."""

    def __init__(self) -> None:
        self._lines: Final[deque[str]] = deque(maxlen=LOG_LINES)
        write = line_writer(self._lines.append)
        self.read: Final[EventReader] = LogReader(write, "info")
        """Writes the lines of events."""

    def add(self, text: str) -> None:
        """Add a line, or several."""
        self._lines.append(text)

    @property
    def text(self) -> str:
        """Return the lines."""
        return "".join(f"{line}\n" for line in self._lines)

"""Kept conversations: a file for each client, bounded in size.

The form is that of a client's binary log, which `daide-server decode` and `trace`
read. Passcodes are not in it.
"""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from daide_server.wire.captures import CaptureRecord, log_record
from daide_server.wire.frames import HEADER, FrameDecoder, FrameType

SUFFIX_OF_TRACES: Final = ".trace"

Milliseconds = Callable[[], int]
"""Returns the time since the conversation began."""


class TraceFile:
    """The conversation of one client; what comes after *limit* bytes is not kept.

    Each record is written at once, so that nothing is lost when the program is killed.
    What cannot be written is left out: the conversation itself goes on.
    """

    def __init__(self, path: Path, limit: int, now: Milliseconds) -> None:
        self._path: Final = path
        self._limit: Final = limit
        self._now: Final = now
        self._written = 0
        self._whole: Final = {each: FrameDecoder(_anything) for each in (True, False)}

    def add(self, data: bytes, *, by_client: bool) -> None:
        """Keep the frames that *data*, of one direction, completes."""
        decoder = self._whole[by_client]
        decoder.feed(data)
        frames = b""
        while frame := decoder.next():
            kind, body = frame
            if kind in list(FrameType):
                frames += HEADER.pack(kind, len(body)) + body
        if frames:
            self._write(log_record(CaptureRecord(self._now(), by_client, frames)))

    def _write(self, record: bytes) -> None:
        self._written += len(record)
        if self._written > self._limit:
            return
        with suppress(OSError), self._path.open("ab") as file:
            file.write(record)


def _anything(_kind: int, _length: int) -> None:
    """Let every frame pass: a trace shows what is wrong with it."""

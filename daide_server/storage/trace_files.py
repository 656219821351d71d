"""Kept conversations: a file for each client, bounded in size.

The form is that of a client's binary log, which `daide-server decode` and `trace`
read. Passcodes are not in it.
"""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from daide_server.wire.captures import CaptureRecord, log_record
from daide_server.wire.frames import HEADER, FrameDecoder, FrameType

from .archive import RECORD_MODE

SUFFIX_OF_TRACES: Final = ".trace"
CUT_STEM: Final = "-cut"
"""What the name of a trace ends with, before the suffix, that is not complete."""

Milliseconds = Callable[[], int]
"""Returns the time since the conversation began."""


class TraceFile:
    """The conversation of one client; what comes after *limit* bytes is not kept.

    Each record is written unbuffered: a killed program loses nothing. When something
    is not kept, or cannot be, the file is renamed to say so, and the conversation
    itself continues.
    """

    def __init__(self, path: Path, limit: int, now: Milliseconds) -> None:
        self._path: Final = path
        self._limit: Final = limit
        self._now: Final = now
        self._written = 0
        self._is_cut = False
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
        if self._is_cut:
            return
        self._written += len(record)
        if self._written > self._limit:
            self._cut()
            return
        try:
            with open(self._path, "ab", opener=_opened) as file:
                file.write(record)
        except OSError:
            self._cut()

    def _cut(self) -> None:
        self._is_cut = True
        # A folder that is gone has no file to rename.
        with suppress(OSError):
            self._path.rename(self._path.with_stem(self._path.stem + CUT_STEM))


def _opened(path: str, flags: int) -> int:
    return os.open(path, flags, RECORD_MODE)


def is_cut(path: Path) -> bool:
    """Return whether the trace *path* lacks the end of its conversation."""
    return path.stem.endswith(CUT_STEM)


def _anything(_kind: int, _length: int) -> None:
    """Let every frame pass: a trace shows what is wrong with it."""

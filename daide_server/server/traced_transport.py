"""A TCP socket whose bytes are kept as well, for `serve --trace` and tournaments."""

import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import trio

from daide_server.game.events import ClientId
from daide_server.storage.trace_files import SUFFIX_OF_TRACES, TraceFile

from .transport import READ_SIZE, SocketTransport

Trace = Callable[[bytes, bool], None]
"""Keeps bytes; the second argument says whether the client sent them."""


class TracedTransport(SocketTransport):
    """A connected TCP socket, and a trace of what goes through it."""

    def __init__(self, connection: socket.socket, silence: float, trace: Trace) -> None:
        """Take over *connection*; raises `OSError` if it is broken already."""
        super().__init__(connection, silence)
        self._trace: Final = trace

    def receive_now(self, size: int = READ_SIZE) -> bytes | None:
        """Return bytes that have come, *size* at most; raises `OSError`."""
        data = super().receive_now(size)
        if data:
            self._trace(data, True)
        return data

    def send_now(self, data: bytes | memoryview) -> int:
        """Send what the kernel takes; return how many bytes; raises `OSError`."""
        size = super().send_now(data)
        if size:
            self._trace(bytes(data[:size]), False)
        return size


def trace_file(folder: Path, client: ClientId, limit: int) -> Trace:
    """Return the trace of *client*, in a file of its own in *folder*."""
    began = trio.current_time()
    stamp = time.strftime("%Y%m%dT%H%M%S", time.gmtime())

    def milliseconds() -> int:
        return int((trio.current_time() - began) * 1000)

    path = folder / f"{stamp}-{client:06}{SUFFIX_OF_TRACES}"
    file = TraceFile(path, limit, milliseconds)
    return lambda data, by_client: file.add(data, by_client=by_client)

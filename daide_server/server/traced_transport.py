"""A transport whose bytes are kept in a file as well, for `serve --trace`."""

from collections.abc import Callable
from typing import Final

from .transport import READ_SIZE, Transport

Trace = Callable[[bytes, bool], None]
"""Keeps bytes; the second argument says whether the client sent them."""


class TracedTransport:
    """Another transport, and a trace of what goes through it."""

    def __init__(self, transport: Transport, trace: Trace) -> None:
        self._transport: Final = transport
        self._trace: Final = trace

    @property
    def address(self) -> str:
        """Return the address of the peer."""
        return self._transport.address

    @property
    def is_unanswered(self) -> bool:
        """Return whether the peer is gone without a word."""
        return self._transport.is_unanswered

    def fileno(self) -> int:
        """Return the descriptor of the other transport."""
        return self._transport.fileno()

    def receive_now(self, size: int = READ_SIZE) -> bytes | None:
        """Return bytes that have come, *size* at most; raises `OSError`."""
        data = self._transport.receive_now(size)
        if data:
            self._trace(data, True)
        return data

    def send_now(self, data: bytes | memoryview) -> int:
        """Send what can be sent; return how many bytes that was; raises `OSError`."""
        size = self._transport.send_now(data)
        if size:
            self._trace(bytes(data[:size]), False)
        return size

    def end(self) -> None:
        """Close the sending half; raises `OSError`."""
        self._transport.end()

    def close(self) -> None:
        """Close both halves."""
        self._transport.close()

    async def wait_readable(self) -> None:
        """Wait until `receive_now` returns something."""
        await self._transport.wait_readable()

    async def wait_writable(self) -> None:
        """Wait until `send_now` takes some bytes."""
        await self._transport.wait_writable()

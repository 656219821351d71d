"""The line to a client: a stream that can also send and receive without waiting."""

import socket

import trio

READ_SIZE = 16_384
"""How many bytes are read at once, and so worked on before others have a turn."""


class SocketTransport(trio.abc.HalfCloseableStream):
    """A stream over a non-blocking socket."""

    def __init__(self, connection: socket.socket) -> None:
        """Take over *connection*: keep-alive, no delay, closed with the line."""
        connection.setblocking(False)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._connection = connection

    @property
    def socket(self) -> socket.socket:
        """Return the socket, to be watched."""
        return self._connection

    @property
    def address(self) -> str:
        """Return where the connection comes from; one that is broken does not tell."""
        try:
            return str(self._connection.getpeername()[0])
        except OSError:
            return ""

    def receive_now(self) -> bytes | None:
        """Return bytes that are here: `None` if there are none, empty at the end.

        Raises `OSError` if the connection is broken.
        """
        try:
            return self._connection.recv(READ_SIZE)
        except BlockingIOError:
            return None

    def send_now(self, data: bytes) -> int:
        """Send what can be sent without waiting; return how many bytes that was.

        Raises `OSError` if the connection is broken.
        """
        try:
            return self._connection.send(data)
        except BlockingIOError:
            return 0

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        """Wait for bytes and return them; none means that the peer has ended.

        Raises `trio.BrokenResourceError` if the connection is broken.
        """
        while True:
            await trio.lowlevel.wait_readable(self._connection)
            try:
                return self._connection.recv(max_bytes or READ_SIZE)
            except BlockingIOError:
                continue
            except OSError as error:
                raise trio.BrokenResourceError(str(error)) from error

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Send all of *data*, and wait for it.

        Raises `trio.BrokenResourceError` if the connection is broken.
        """
        rest = bytes(data)
        while rest:
            await self.wait_send_all_might_not_block()
            try:
                rest = rest[self.send_now(rest) :]
            except OSError as error:
                raise trio.BrokenResourceError(str(error)) from error

    async def wait_send_all_might_not_block(self) -> None:
        """Wait until the kernel takes some bytes."""
        await trio.lowlevel.wait_writable(self._connection)

    async def send_eof(self) -> None:
        """End the sending half; the peer may still send."""
        await trio.lowlevel.checkpoint()
        try:
            self._connection.shutdown(socket.SHUT_WR)
        except OSError as error:
            raise trio.BrokenResourceError(str(error)) from error

    async def aclose(self) -> None:
        """Close the connection."""
        trio.lowlevel.notify_closing(self._connection)
        self._connection.close()
        await trio.lowlevel.checkpoint()

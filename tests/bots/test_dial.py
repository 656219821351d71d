"""Connections over TCP that are none."""

import pytest
import trio

from daide_server.bots.client import dial
from daide_server.bots.errors import CannotConnectError


async def test_a_connection_to_itself_is_no_server(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where nobody listens, the kernel may choose that port for the client."""

    async def to_itself(_host: str, _port: int) -> trio.SocketStream:
        one = trio.socket.socket()
        await one.bind(("127.0.0.1", 0))
        await one.connect(one.getsockname())
        return trio.SocketStream(one)

    monkeypatch.setattr(trio, "open_tcp_stream", to_itself)
    with pytest.raises(CannotConnectError, match="connected to itself"):
        await dial("127.0.0.1", 1)

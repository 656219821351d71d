"""Clients of a real server, at the level of bytes and of DAIDE text."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import trio

from daide_server.board.map import Position
from daide_server.board.names import Power
from daide_server.board.orders import Hold
from daide_server.daide.frames import decode_tokens, encode_tokens
from daide_server.daide.syntax import OrderWriter
from daide_server.daide.vocabulary import Vocabulary, from_text, to_text
from daide_server.server.events import Events
from daide_server.server.server import Server

from .fakes import FM as FM
from .fakes import IM as IM
from .fakes import RM as RM
from .settings import settings_with

HEADER = 4
PATIENCE = 60.0
"""Seconds after which a test gives up."""

WORDS = Vocabulary.standard()
WRITER = OrderWriter(WORDS)
POWERS = ("AUS", "ENG", "FRA", "GER", "ITA", "RUS", "TUR")


class Peer:
    """A connection to a server, which says what a test tells it to."""

    def __init__(self, stream: trio.SocketStream) -> None:
        self.stream = stream
        self._buffer = b""

    async def send(self, data: bytes) -> None:
        await self.stream.send_all(data)

    async def say(self, *texts: str) -> None:
        """Send messages, all at once."""
        frames = (encode_tokens(from_text(text, WORDS)) for text in texts)
        await self.send(b"".join(frames))

    async def frame(self) -> bytes:
        """Return the next whole frame, or nothing at the end of the connection."""
        with trio.fail_after(PATIENCE):
            while True:
                size = HEADER + int.from_bytes(self._buffer[2:4], "big")
                if len(self._buffer) >= max(HEADER, size):
                    frame, self._buffer = self._buffer[:size], self._buffer[size:]
                    return frame
                data = await self._receive()
                if not data:
                    assert not self._buffer, "the connection ended inside a frame"
                    return b""
                self._buffer += data

    async def _receive(self) -> bytes:
        try:
            return bytes(await self.stream.receive_some(65536))
        except trio.BrokenResourceError:
            return b""

    async def hear(self) -> str:
        """Return the next message as text; the end is an empty one."""
        frame = await self.frame()
        if not frame:
            return ""
        return self.text(frame)

    def text(self, frame: bytes) -> str:
        assert frame[0] == 2, f"not a diplomacy message: {frame.hex()}"
        return to_text(decode_tokens(frame[HEADER:]), WORDS)

    async def hears(self, *texts: str) -> None:
        """Expect the next messages to be *texts*; `NOW...` is any that begins so."""
        for text in texts:
            found = await self.hear()
            if text.endswith("..."):
                assert found.startswith(text[:-3]), found
            else:
                assert found == to_text(from_text(text, WORDS), WORDS)

    async def hear_until(self, start: str) -> list[str]:
        """Return the messages up to the first that begins with *start*, included."""
        heard: list[str] = []
        while not heard or not heard[-1].startswith(start):
            heard.append(await self.hear())
            assert heard[-1], f"the connection ended before {start}: {heard[-3:]}"
        return heard

    async def join(self, name: str = "peer") -> None:
        """Take a seat and accept the map."""
        await self.say(f"NME ('{name}') ('1')", "YES (MAP ('standard'))")
        await self.hears(f"YES (NME ('{name}') ('1'))", "MAP ('standard')")

    async def is_closed(self) -> None:
        assert await self.frame() == b""

    async def close(self) -> None:
        await self.stream.aclose()


class Clients:
    """The clients of a server at HOST:PORT."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._peers: list[Peer] = []

    async def connected(self, address: str | None = None) -> Peer:
        """Return a new connection, to the server or to the port of one game."""
        host, _, port = (address or self.address).rpartition(":")
        peer = Peer(await trio.open_tcp_stream(host, int(port)))
        self._peers.append(peer)
        return peer

    async def introduced(self, address: str | None = None) -> Peer:
        """Return a new connection that has exchanged IM and RM."""
        peer = await self.connected(address)
        await peer.send(IM)
        assert await peer.frame() == RM
        return peer

    async def hang_up(self) -> None:
        for peer in self._peers:
            await peer.close()

    async def players(self) -> dict[str, Peer]:
        """Let seven peers play, and return them by power, after their first NOW."""
        peers = [await self.introduced() for _ in POWERS]
        for number, peer in enumerate(peers):
            await peer.join(f"peer{number}")
        seated = {}
        for peer in peers:
            hello = (await peer.hear_until("HLO"))[-1]
            await peer.hear_until("NOW")
            seated[hello[6:9]] = peer
        return seated


class Running(Clients):
    """A server that runs inside the test, on a free port."""

    def __init__(self, server: Server, address: str, records: Path) -> None:
        super().__init__(address)
        self.server = server
        self.records = records
        self.lines: list[str] = []


@asynccontextmanager
async def running(
    records: Path, events: Events | None = None, /, **given: object
) -> AsyncIterator[Running]:
    """Run a server with *given* settings until the test is over."""
    chosen = settings_with(
        **{"port": 0, "records": str(records), "durability": "none", **given}
    )
    lines: list[str] = []
    server = Server(chosen, lines.append, events)
    running_server = Running(server, server.address, records)
    running_server.lines = lines
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(server.run)
            try:
                yield running_server
            finally:
                await running_server.hang_up()
                server.stop()


def holds(position: Position, power: str) -> str:
    """Return the SUB in which all units of *power* hold."""
    orders = map(Hold, position.units_of(Power(power)))
    texts = (to_text(WRITER.order(order), WORDS) for order in orders)
    return "SUB " + " ".join(f"( {text} )" for text in texts)

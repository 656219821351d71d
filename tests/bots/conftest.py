"""A server that sends what a test chooses, and checks the messages that it gets."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from itertools import groupby
from typing import Any

import pytest
import trio
import trio.testing
from attrs import evolve

from daide_server.board.map import Variant
from daide_server.bots.client import enter
from daide_server.bots.conversation import JoinRequest
from daide_server.bots.entering import RETRIES
from daide_server.bots.errors import CannotConnectError, ClientError
from daide_server.bots.remote_game import RemoteGame
from daide_server.daide.frames import (
    decode_tokens,
    encode_tokens,
    representation_message,
)
from daide_server.daide.messages import MapDefinition, Name
from daide_server.daide.translation import Writer
from daide_server.daide.vocabulary import Vocabulary, from_text, to_text

BOT = Name("Bot", "1")
IM = bytes.fromhex("00000004 0001DA10")

NO_CHANCE = evolve(RETRIES, chance=lambda: 0.0)
"""Retries with pauses of full length."""

START = (
    "SCO (AUS BUD TRI VIE) (ENG EDI LON LVP) (FRA BRE MAR PAR) (GER BER KIE MUN) "
    "(ITA NAP ROM VEN) (RUS MOS SEV STP WAR) (TUR ANK CON SMY) "
    "(UNO BEL BUL DEN GRE HOL NWY POR RUM SER SPA SWE TUN)"
)


def now(turn: str, *more: str) -> str:
    """Return NOW of *turn* with three French units, and *more*."""
    units = ["FRA FLT BRE", "FRA AMY MAR", "FRA AMY PAR", *more]
    return f"NOW ({turn}) " + " ".join(f"({unit})" for unit in units)


def return_answers(turn: str) -> dict[str, list[str]]:
    """Return what a client that returns in *turn* asks before TME, and the answers."""
    return {
        "IAM (FRA) (2947)": ["YES (IAM (FRA) (2947))", "NOT (CCD (FRA))"],
        "MAP": ["MAP ('standard')"],
        "MDF": ["MDF"],
        "HLO": ["HLO (FRA) (2947) ((LVL 0))"],
        "ORD": ["ORD (SPR 1901) ((FRA AMY PAR) MTO BUR) (SUC)"],
        "SCO": [START],
        "NOW": [now(turn)],
    }


class Peer:
    """The server's end of one connection, in texts."""

    def __init__(self, stream: trio.abc.Stream, server: "Server") -> None:
        self.stream, self._server, variant = stream, server, server.variant
        self._words = Vocabulary.of(variant.map)
        self._mdf = Writer(self._words).write(MapDefinition(variant.map))

    async def follows(self, *lines: str) -> None:
        """Play *lines*: `> ` is what the client says, `< ` what it hears, and steps."""
        for is_heard, group in groupby(lines, lambda line: line.startswith("< ")):
            if is_heard:
                await self.says(*(line[2:] for line in group))
                continue
            for line in group:
                step, _, given = line.partition(": ")
                is_said = line.startswith("> ")
                await (self.hears(line[2:]) if is_said else self._do(step, given))

    async def _do(self, step: str, given: str) -> None:
        """Do what the method does that is called like *step*."""
        await getattr(self, step.replace(" ", "_"))(*([given] if given else []))

    async def waits(self, seconds: str) -> None:
        await trio.sleep(float(seconds))

    async def leaves(self) -> None:
        await self.stream.aclose()

    async def server(self, given: str) -> None:
        """Let it be that a server listens, or none."""
        self._server.is_running = given == "starts"

    async def hears(self, text: str) -> None:
        """Check that the next message of the client says *text*."""
        heard = await self.hears_anything()
        assert heard == to_text(from_text(text, self._words), self._words)

    async def hears_anything(self) -> str:
        """Return the next message of the client."""
        header = await self._exactly(4)
        assert header[0] == 2
        body = await self._exactly(int.from_bytes(header[2:], "big"))
        return to_text(decode_tokens(body), self._words)

    async def says(self, *texts: str) -> None:
        """Send messages, all of them in one piece; MDF is the whole one."""
        said = (
            self._mdf if text == "MDF" else from_text(text, self._words)
            for text in texts
        )
        if frames := b"".join(map(encode_tokens, said)):
            await self.stream.send_all(frames)

    async def refuses(self, text: str) -> None:
        """Take IM and *text*, and answer REJ."""
        await self.greets()
        await self.hears(text)
        await self.says(f"REJ ({text})")

    async def greets(self) -> None:
        """Take the client's IM and answer with RM."""
        assert await self._exactly(8) == IM
        await self.stream.send_all(representation_message(self._words.representation))

    async def defines_map(self) -> None:
        """Answer MDF."""
        await self.hears("MDF")
        await self.says("MDF")

    async def accepts(self) -> None:
        """Take a newcomer called Bot, and offer the map."""
        await self.greets()
        await self.hears("NME ('Bot') ('1')")
        await self.says("YES (NME ('Bot') ('1'))", "MAP ('standard')")

    async def seats(self) -> None:
        """Lead a newcomer called Bot from IM to HLO of France."""
        await self.accepts()
        await self.defines_map()
        await self.hears("YES (MAP ('standard'))")
        await self.says("HLO (FRA) (2947) ((LVL 0))")

    async def begins(self) -> None:
        """Seat France, and begin the first turn."""
        await self.seats()
        await self.says(START, now("SPR 1901"))

    async def seats_again(self, turn: str) -> None:
        """Answer a client that returns by IAM, from IM to TME in *turn*."""
        await self.greets()
        await self.takes_back(turn)

    async def takes_back(self, turn: str) -> None:
        """Answer the IAM of a client, and what it asks then."""
        for question, texts in return_answers(turn).items():
            await self.hears(question)
            await self.says(*texts)
        await self.hears("TME")
        # The client does not wait for the time left; it may have gone.
        with suppress(trio.BrokenResourceError):
            await self.says("REJ (TME)")

    async def _exactly(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            piece = await self.stream.receive_some(size - len(data))
            assert piece, "the client has closed the connection"
            data += piece
        return data


class Server:
    """Gives each connection that the client dials to the script of the test."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.is_running = True
        self._send, self._receive = trio.open_memory_channel[Peer](10)

    async def dial(self) -> trio.abc.Stream:
        """Return the client's end of a new connection, if the server runs."""
        if not self.is_running:
            raise CannotConnectError("nobody there")
        client, server = trio.testing.memory_stream_pair()
        await self._send.send(Peer(server, self))
        return client

    async def accepts(self) -> Peer:
        """Return the server's end of the next connection."""
        return await self._receive.receive()

    async def plays(self, *connections: Sequence[str]) -> None:
        """Let each next connection follow its lines; see `Peer.follows`."""
        for lines in connections:
            await (await self.accepts()).follows(*lines)


@asynccontextmanager
async def entered(
    server: Server,
    *connections: Sequence[str],
    entry: JoinRequest = BOT,
    **how: Any,  # noqa: ANN401 - as `enter` takes it
) -> AsyncIterator[RemoteGame]:
    """Enter a game of a server that plays *connections* to their end."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(server.plays, *connections)
        async with enter(server.dial, entry, **how) as game:
            yield game


async def fails(
    server: Server,
    error: type[ClientError],
    match: str,
    *connections: Sequence[str],
    entry: JoinRequest = BOT,
    **how: Any,  # noqa: ANN401 - as `enter` takes it
) -> None:
    """Expect *error* of a client that enters as in `entered`."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(server.plays, *connections)
        with pytest.raises(error, match=match):
            async with enter(server.dial, entry, **how):
                pass


@pytest.fixture
def server(standard: Variant) -> Server:
    """Return a scripted server of the standard map."""
    return Server(standard)

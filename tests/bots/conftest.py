"""A server that sends what a test chooses, and checks the messages that it gets."""

from contextlib import suppress

import pytest
import trio
import trio.testing
from attrs import evolve

from daide_server.board.map import Variant
from daide_server.bots.errors import RETRIES, CannotConnectError
from daide_server.language.messages import MapDefinition
from daide_server.language.translation import Writer
from daide_server.language.vocabulary import Vocabulary, from_text, to_text
from daide_server.wire.frames import (
    decode_tokens,
    encode_tokens,
    representation_message,
)

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


class Peer:
    """The server's end of one connection, in texts."""

    def __init__(self, stream: trio.abc.Stream, variant: Variant) -> None:
        self.stream = stream
        self._words = Vocabulary.of(variant.map)
        self._mdf = Writer(self._words).write(MapDefinition(variant.map))

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
        """Send messages, all of them in one piece."""
        if not texts:
            return
        frames = [encode_tokens(from_text(text, self._words)) for text in texts]
        await self.stream.send_all(b"".join(frames))

    async def refuses(self, text: str) -> None:
        """Take IM and *text*, and answer REJ."""
        await self.greets()
        await self.hears(text)
        await self.says(f"REJ ({text})")

    async def greets(self) -> None:
        """Take the client's IM and answer with RM."""
        assert await self._exactly(8) == IM
        await self.stream.send_all(representation_message(self._words.representation))

    async def defines_map(self, *before: str) -> None:
        """Answer MDF, after the messages *before*."""
        await self.hears("MDF")
        await self.says(*before)
        await self.stream.send_all(encode_tokens(self._mdf))

    async def seats(self, power: str = "FRA") -> None:
        """Lead a newcomer called Bot from IM to HLO."""
        await self.greets()
        await self.hears("NME ('Bot') ('1')")
        await self.says("YES (NME ('Bot') ('1'))", "MAP ('standard')")
        await self.defines_map()
        await self.hears("YES (MAP ('standard'))")
        await self.says(f"HLO ({power}) (2947) ((LVL 0))")

    async def seats_again(self, turn: str, early: str | None = None) -> None:
        """Answer a client that returns by IAM, from IM to TME in *turn*.

        *turn* begins before the answer to the question *early*, if that is given.
        """
        await self.greets()
        await self.takes_back(turn, early)

    async def takes_back(self, turn: str, early: str | None = None) -> None:
        """Answer the IAM of a client, and what it asks then; see `seats_again`."""
        results = "ORD (SPR 1901) ((FRA AMY PAR) MTO BUR) (SUC)"
        await self.hears("IAM (FRA) (2947)")
        await self.says("YES (IAM (FRA) (2947))", "NOT (CCD (FRA))")
        before = early in {"SCO", "NOW"}  # Nothing had happened when ORD was answered.
        answers = {
            "MAP": "MAP ('standard')",
            "MDF": None,
            "HLO": "HLO (FRA) (2947) ((LVL 0))",
            "ORD": "REJ (ORD)" if before else results,
            "SCO": START,
            "NOW": now(turn),
        }
        for question, answer in answers.items():
            await self.hears(question)
            if question == early:
                await self.says(results, START, now(turn))
            if answer is None:
                await self.stream.send_all(encode_tokens(self._mdf))
            else:
                await self.says(answer)
        await self.hears("TME")
        # The client does not wait for the time left; it may have gone.
        with suppress(trio.BrokenResourceError):
            await self.says("REJ (TME)")

    async def leaves(self) -> None:
        """Close the connection."""
        await self.stream.aclose()

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
        self._variant = variant
        self.is_running = True
        self._send, self._receive = trio.open_memory_channel[Peer](10)

    async def dial(self) -> trio.abc.Stream:
        """Return the client's end of a new connection, if the server runs."""
        if not self.is_running:
            message = "nobody there"
            raise CannotConnectError(message)
        client, server = trio.testing.memory_stream_pair()
        await self._send.send(Peer(server, self._variant))
        return client

    async def accepts(self) -> Peer:
        """Return the server's end of the next connection."""
        return await self._receive.receive()


@pytest.fixture
def server(standard: Variant) -> Server:
    """Return a scripted server of the standard map."""
    return Server(standard)

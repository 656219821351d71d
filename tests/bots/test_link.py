"""One connection: what both ends may do wrong, and the names that RM gives."""

import pytest
import trio
import trio.testing

from daide_server.bots.conversation import Link
from daide_server.bots.errors import ConnectionLostError, ProtocolFaultError
from daide_server.language.messages import Go, SwitchOff
from daide_server.language.vocabulary import Vocabulary, from_text
from daide_server.wire.frames import (
    FINAL_MESSAGE,
    ErrorCode,
    encode_tokens,
    error_message,
    representation_message,
)

WORDS = Vocabulary.standard()


def said(text: str) -> bytes:
    """Return the frame of a message."""
    return encode_tokens(from_text(text, WORDS))


async def linked(data: bytes) -> tuple[Link, trio.abc.Stream]:
    """Return an open link to a server that says RM and *data*, and where that hears."""
    client, server = trio.testing.memory_stream_pair()
    await server.send_all(representation_message(()) + data)
    link = Link(client)
    await link.open()
    return link, server


async def test_a_fault_of_the_server_is_named_and_answered() -> None:
    """A message before RM is against the protocol: the client answers with EM."""
    client, server = trio.testing.memory_stream_pair()
    await server.send_all(said("OFF"))

    with pytest.raises(ProtocolFaultError, match="DIPLOMACY_BEFORE_REPRESENTATION"):
        await Link(client).open()

    code = ErrorCode.DIPLOMACY_BEFORE_REPRESENTATION
    assert (await server.receive_some()).endswith(error_message(code))


@pytest.mark.parametrize("farewell", [FINAL_MESSAGE, error_message(0x08)])
async def test_a_farewell_ends_the_link_after_what_was_said(farewell: bytes) -> None:
    """FM and EM are not answered."""
    link, _ = await linked(said("OFF") + farewell)

    assert await link.receive() == SwitchOff()
    with pytest.raises(ConnectionLostError):
        with trio.fail_after(1):
            await link.receive()


async def test_what_was_said_before_a_break_is_read() -> None:
    """A server that says OFF and goes is heard, even by a client that is speaking."""
    link, server = await linked(said("OFF"))
    await server.aclose()

    await link.send(Go())

    assert await link.receive() == SwitchOff()
    with pytest.raises(ConnectionLostError):
        await link.receive()


async def test_the_code_in_an_em_of_the_server_is_told() -> None:
    """It says what the client did wrong."""
    link, _ = await linked(error_message(ErrorCode.WRONG_LENGTH))

    with pytest.raises(ConnectionLostError, match="by EM 0x09 wrong_length"):
        await link.receive()

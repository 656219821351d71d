"""Requests, answers, and what comes between them."""

import pytest
import trio

from daide_server.bots.conversation import Conversation
from daide_server.bots.errors import ConnectionLostError, RefusedError
from daide_server.bots.link import Link
from daide_server.language.messages import Accepted, Admin, AskMap, Go, Rejected
from tests.bots.conftest import Server


async def connected(server: Server) -> Conversation:
    """Return a conversation over an open link, before any message."""
    link = Link(await server.dial())
    return Conversation(link)


async def test_other_messages_before_an_answer_become_events(server: Server) -> None:
    conversation = await connected(server)
    peer = await server.accepts()

    async def script() -> None:
        await peer.greets()
        await peer.hears("GOF")
        await peer.says("ADM ('a') ('b')", "YES (GOF)")

    async with trio.open_nursery() as nursery:
        nursery.start_soon(script)
        await conversation.link.open()
        answer = await conversation.ask(Go())

    assert isinstance(answer, Accepted)
    assert list(conversation.events) == [Admin("a", "b")]


async def test_a_refusal_can_be_an_answer_or_an_error(server: Server) -> None:
    """`ask` returns REJ; `demand` raises."""
    conversation = await connected(server)
    peer = await server.accepts()

    async def script() -> None:
        await peer.greets()
        await peer.hears("GOF")
        await peer.says("REJ (GOF)")
        await peer.hears("MAP")
        await peer.says("REJ (MAP)")

    async with trio.open_nursery() as nursery:
        nursery.start_soon(script)
        await conversation.link.open()
        assert isinstance(await conversation.ask(Go()), Rejected)
        with pytest.raises(RefusedError, match="MAP"):
            await conversation.demand(AskMap())


async def test_nothing_is_expected_after_off(server: Server) -> None:
    """A request after OFF fails at once instead of waiting."""
    conversation = await connected(server)
    peer = await server.accepts()

    async def script() -> None:
        await peer.greets()
        await peer.says("OFF")

    async with trio.open_nursery() as nursery:
        nursery.start_soon(script)
        await conversation.link.open()
        await conversation.listen()

    assert conversation.finished
    with pytest.raises(ConnectionLostError, match="OFF"):
        with trio.fail_after(1):
            await conversation.ask(Go())

"""Clients that are strange, slow, loud or too many: none of them hurts others."""

from pathlib import Path

import pytest
import trio

from daide_server.board.map import Variant
from daide_server.server.events import Events
from daide_server.server.log import LogReader, line_writer
from daide_server.wire.frames import ErrorCode
from tests.end_to_end.playing import all_hold
from tests.support.peers import FM, RM, Peer, running

pytestmark = pytest.mark.end_to_end


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        ("0200 0002 4809", ErrorCode.INITIAL_MESSAGE_NOT_FIRST),
        ("0000 0004 0002 DA10", ErrorCode.WRONG_VERSION),
        ("0000 0004 0001 DA10 0900 0000", ErrorCode.UNKNOWN_MESSAGE_TYPE),
    ],
)
async def test_a_framing_fault_is_named_and_ends_the_connection(
    tmp_path: Path, sent: str, code: ErrorCode
) -> None:
    """EM with the document's code; nobody else notices."""
    async with running(tmp_path) as server:
        peer = await server.connected()
        await peer.send(bytes.fromhex(sent))
        frame = await peer.frame()
        if frame == RM:
            frame = await peer.frame()
        assert frame == bytes.fromhex("0400 0002") + code.value.to_bytes(2, "big")
        await peer.is_closed()
        await (await server.introduced()).join()


async def test_a_client_that_says_nothing_is_closed(tmp_path: Path) -> None:
    """The initial message has its timer; so has joining."""
    async with running(tmp_path, im_seconds=0.1, join_seconds=0.2) as server:
        silent = await server.connected()
        assert await silent.frame() == bytes.fromhex("0400 0002 0001")
        await silent.is_closed()
        idle = await server.introduced()
        assert await idle.frame() == FM
        await idle.is_closed()
        joined = await server.introduced()
        await joined.join()
        await trio.sleep(0.4)
        await joined.say("MAP")
        await joined.hears("MAP ('standard')")


async def test_a_client_that_does_not_read_is_closed_and_nobody_waits(
    tmp_path: Path, standard: Variant
) -> None:
    """Its outbox overflows; its power is announced in disorder."""
    async with running(tmp_path, outbox_bytes=100_000) as server:
        seats = await server.players()
        deaf = seats.pop("TUR")
        for _ in range(3000):
            await deaf.say("MDF")
            if await _left(seats["FRA"], "TUR"):
                break
        await all_hold(seats, standard.start)


async def _left(peer: Peer, power: str) -> bool:
    with trio.move_on_after(0.001):
        return (await peer.hear()) == f"CCD ( {power} )"
    return False


async def test_one_that_floods_is_slowed_and_others_are_not(tmp_path: Path) -> None:
    """The messages of a flood are answered late, those of others at once."""
    async with running(tmp_path) as server:
        flood = await server.introduced()
        other = await server.introduced()
        started = trio.current_time()
        await flood.say(*["MDF"] * 600)
        await other.say("MAP")
        await other.hears("MAP ('standard')")
        assert trio.current_time() - started < 1
        await flood.say("NOW")
        await flood.hear_until("NOW")
        assert trio.current_time() - started > 1


async def test_connections_are_limited(tmp_path: Path) -> None:
    """One too many is closed at once, and one less lets the next in."""
    async with running(tmp_path, connections=2) as server:
        first = await server.introduced()
        await server.introduced()
        refused = await server.connected()
        await refused.is_closed()
        await first.close()
        await trio.sleep(0.1)
        await server.introduced()


async def test_loopback_is_exempt_unless_it_is_not(tmp_path: Path) -> None:
    """Bots of one machine share its address."""
    limits = {"connections_per_address": 1, "loopback_exempt": False}
    async with running(tmp_path, **limits) as server:
        await server.introduced()
        refused = await server.connected()
        await refused.is_closed()
    async with running(tmp_path, connections_per_address=1) as server:
        await server.introduced()
        await server.introduced()


async def test_the_log_has_a_limit_for_each_client(tmp_path: Path) -> None:
    """A client may complain for ever; a disk is not for ever."""
    lines: list[str] = []
    write = line_writer(lines.append)
    async with running(tmp_path, Events(LogReader(write, "info"))) as server:
        client = await server.introduced()
        await client.say(*["HUH (ERR NOW)"] * 300, "MAP")
        await client.hears("MAP ('standard')")
    assert 0 < sum("client.complained" in line for line in lines) < 100

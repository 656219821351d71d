"""Coming in, staying in and coming back, as transcripts of a scripted server."""

import os
import re
from pathlib import Path

import pytest
import trio

from daide_server.board.map import Season, Turn
from daide_server.board.names import Power
from daide_server.bots.client import (
    SavedSeat,
    dial,
    enter,
    load_seat,
    remove_seat,
    save_seat,
)
from daide_server.bots.conversation import JoinRequest
from daide_server.bots.errors import (
    RETRIES,
    CannotConnectError,
    ConnectionLostError,
    RefusedError,
    SeatFileError,
)
from daide_server.bots.view import OBSERVER
from daide_server.language.messages import Name, Observe, Rejoin
from tests.bots.conftest import NO_CHANCE, START, Server, now

BOT = Name("Bot", "1")
FRANCE = Power("FRA")


async def test_a_newcomer_is_led_from_nme_to_the_first_turn(server: Server) -> None:
    """The client enters the game when it has begun, knowing power, map and board."""

    async def script() -> None:
        peer = await server.accepts()
        await peer.seats("FRA")
        await peer.says(START, now("SPR 1901"))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(script)
        async with enter(server.dial, BOT) as game:
            view = await anext(game.turns())

    assert game.power == FRANCE
    assert game.known.passcode == 2947
    assert view.turn == Turn(Season.SPRING, 1901)
    assert [str(unit) for unit in view.units] == ["F BRE", "A MAR", "A PAR"]
    assert set(view.position.centres_of(FRANCE)) == {"BRE", "MAR", "PAR"}
    assert len(view.map.provinces) == 75


async def test_an_observer_is_shown_the_game(server: Server) -> None:
    """HLO names no power to an observer, and there is nothing it could order."""

    async def script() -> None:
        peer = await server.accepts()
        await peer.greets()
        await peer.hears("OBS")
        await peer.says("YES (OBS)", "MAP ('standard')")
        await peer.defines_map()
        await peer.hears("YES (MAP ('standard'))")
        await peer.says("HLO (UNO) (0) ((LVL 0))", START, now("FAL 1903"))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(script)
        async with enter(server.dial, Observe()) as game:
            assert game.power == OBSERVER
            assert (await anext(game.turns())).units == ()


async def test_a_client_with_a_passcode_asks_for_all_it_missed(server: Server) -> None:
    """After IAM nothing is pushed: MAP, MDF, HLO, ORD, SCO and NOW are asked for."""

    async def script() -> None:
        peer = await server.accepts()
        await peer.seats_again("FAL 1901")

    async with trio.open_nursery() as nursery:
        nursery.start_soon(script)
        async with enter(server.dial, Rejoin(FRANCE, 2947)) as game:
            view = await anext(game.turns())

    assert view.turn == Turn(Season.FALL, 1901)
    assert len(view.reports) == 1


async def test_a_newcomer_asks_again_while_the_table_is_full(
    server: Server, autojump_clock: trio.testing.MockClock
) -> None:
    """The next table opens when the game of the full one has begun."""

    async def script() -> None:
        full = await server.accepts()
        await full.refuses("NME ('Bot') ('1')")
        peer = await server.accepts()
        await peer.seats("FRA")
        await peer.says(START, now("SPR 1901"))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(script)
        async with enter(server.dial, BOT) as game:
            assert game.power == FRANCE

    assert autojump_clock.current_time() == RETRIES.first_pause_seconds


@pytest.mark.parametrize(
    ("entry", "words", "times"),
    [
        # Pauses of 0.25 s and eight times 0.5 s; the last failure is after the 4 s.
        (BOT, "NME ( 'Bot' ) ( '1' )", 10),
        (Rejoin(FRANCE, 2947), "IAM ( FRA ) ( 2947 )", 10),
        (Observe(), "OBS", 1),
    ],
)
async def test_a_refusal_is_quoted(
    server: Server,
    autojump_clock: trio.testing.MockClock,
    entry: JoinRequest,
    words: str,
    times: int,
) -> None:
    """REJ raises an error that says what was refused, at last or at once."""

    async def script() -> None:
        for _ in range(times):
            peer = await server.accepts()
            await peer.refuses(words)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(script)
        with pytest.raises(RefusedError, match=re.escape(words)):
            async with enter(server.dial, entry, NO_CHANCE):
                pass

    expected = 0 if times == 1 else 4.25
    assert autojump_clock.current_time() == expected


async def test_a_power_that_the_variant_does_not_have_is_named(server: Server) -> None:
    """Such an IAM cannot even be said."""

    async def script() -> None:
        peer = await server.accepts()
        await peer.greets()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(script)
        with pytest.raises(RefusedError, match="no power SPA"):
            async with enter(server.dial, Rejoin(Power("SPA"), 1)):
                pass


async def test_somebody_who_is_not_a_daide_server_is_not_waited_for(
    server: Server, autojump_clock: trio.testing.MockClock
) -> None:
    """A server says RM at once, or it is none."""
    with pytest.raises(ConnectionLostError, match="DAIDE"):
        async with enter(server.dial, BOT):
            pass

    assert autojump_clock.current_time() == RETRIES.answer_seconds


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


SEAT = SavedSeat("127.0.0.1", 16713, "FRA", 2947, "dumb")


def test_a_seat_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "seat.json"
    path.write_text("an older one")

    save_seat(path, SEAT)

    assert load_seat(path) == SEAT
    assert [each.name for each in tmp_path.iterdir()] == ["seat.json"]


def test_nobody_else_can_read_it(tmp_path: Path) -> None:
    """Whatever the umask allows: the passcode gives the seat."""
    before = os.umask(0)
    try:
        save_seat(tmp_path / "seat.json", SEAT)
    finally:
        os.umask(before)

    assert (tmp_path / "seat.json").stat().st_mode & 0o777 == 0o600


def test_no_file_is_no_seat(tmp_path: Path) -> None:
    assert load_seat(tmp_path / "seat.json") is None
    remove_seat(tmp_path / "seat.json")


@pytest.mark.parametrize(
    "content", [b"", b"[]", b'{"host": "a"}', b'{"host": "a", "port": "b"}', b"\xff"]
)
def test_a_file_without_a_seat_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "seat.json"
    path.write_bytes(content)

    with pytest.raises(SeatFileError, match=r"seat\.json: no seat"):
        load_seat(path)


def test_a_disk_that_is_full_leaves_the_old_seat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The new file takes the name of the old one when it is whole."""
    path = tmp_path / "seat.json"
    save_seat(path, SEAT)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(SeatFileError, match="No space left"):
        save_seat(path, SavedSeat("::1", 1, "ENG", 1, "hold"))

    assert load_seat(path) == SEAT
    assert [each.name for each in tmp_path.iterdir()] == ["seat.json"]

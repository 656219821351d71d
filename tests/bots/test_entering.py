"""Joining, staying and coming back, as transcripts of a scripted server."""

import os
import re
from functools import partial
from pathlib import Path

import pytest
import trio
import trio.testing
from attrs import evolve

from daide_server.board.map import Season, Turn
from daide_server.board.names import Power
from daide_server.bots import client, entering, errors
from daide_server.bots.conversation import JoinRequest
from daide_server.bots.view import OBSERVER, Returned, View
from daide_server.daide.messages import BackInControl, Observe, Rejoin
from tests.bots.conftest import BOT, NO_CHANCE, START, Server, entered, fails, now
from tests.support.fakes import jumping_clock

NME = "NME ('Bot') ('1')"
IAM = "IAM (FRA) (2947)"
FRANCE = Power("FRA")
SEAT = Rejoin(FRANCE, 2947)
BEGINS = ("begins",)
LOAD = ("accepts", "defines map", "> YES (MAP ('standard'))", "< LOD ('game1')")


# A newcomer


async def test_an_observer_is_shown_the_game(server: Server) -> None:
    """HLO names no power to an observer, and there is nothing it could order."""
    lines = (
        *("greets", "> OBS", "< YES (OBS)", "< MAP ('standard')", "defines map"),
        *("> YES (MAP ('standard'))", "< HLO (UNO) (0) ((LVL 0))"),
        *(f"< {START}", f"< {now('FAL 1903')}"),
    )

    async with entered(server, lines, entry=Observe()) as game:
        assert game.power == OBSERVER
        assert (await anext(game.turns())).units == ()


async def test_a_newcomer_asks_again_while_the_table_is_full(
    server: Server, autojump_clock: trio.testing.MockClock
) -> None:
    """The next table opens when the game of the full one has begun."""
    async with entered(server, (f"refuses: {NME}",), BEGINS) as game:
        assert game.power == FRANCE

    assert autojump_clock.current_time() == entering.RETRIES.first_pause_seconds


@pytest.mark.parametrize(
    ("entry", "words", "times"),
    [
        # Pauses of 0.25 s and eight times 0.5 s; the last failure is after the 4 s.
        (BOT, "NME ( 'Bot' ) ( '1' )", 10),
        (SEAT, "IAM ( FRA ) ( 2947 )", 10),
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
    refuses = [(f"refuses: {words}",)] * times
    fail = partial(fails, entry=entry, retries=NO_CHANCE)
    await fail(server, errors.RefusedError, re.escape(words), *refuses)

    expected = 0 if times == 1 else 4.25
    assert autojump_clock.current_time() == expected


async def test_a_power_that_the_variant_does_not_have_is_named(server: Server) -> None:
    """Such an IAM cannot even be said."""
    entry = Rejoin(Power("SPA"), 1)
    await fails(server, errors.RefusedError, "no power SPA", ("greets",), entry=entry)


async def test_somebody_who_is_not_a_daide_server_is_not_waited_for(
    server: Server, autojump_clock: trio.testing.MockClock
) -> None:
    """A server says RM at once, or it is none."""
    await fails(server, errors.ConnectionLostError, "DAIDE")

    assert autojump_clock.current_time() == entering.RETRIES.answer_seconds


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
    with pytest.raises(errors.CannotConnectError, match="connected to itself"):
        await client.dial("127.0.0.1", 1)


async def start_after(server: Server, seconds: float) -> None:
    """Start a server that does not run."""
    await trio.sleep(seconds)
    server.is_running = True


async def test_a_newcomer_waits_for_a_server(
    server: Server, autojump_clock: trio.testing.MockClock
) -> None:
    """The server is started a minute after the bot; the wait is reported once."""
    reported: list[str] = []
    server.is_running = False
    retries = evolve(NO_CHANCE, report=reported.append)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(start_after, server, 60)
        async with entered(server, BEGINS, retries=retries) as game:
            assert game.power == FRANCE

    assert 60 <= autojump_clock.current_time() <= 61
    assert reported == ["cannot join yet: nobody there"]


@pytest.mark.parametrize("seconds", [0, 5])
async def test_a_newcomer_gives_up_after_its_time(
    server: Server, autojump_clock: trio.testing.MockClock, seconds: float
) -> None:
    server.is_running = False
    retries = evolve(NO_CHANCE, return_seconds=seconds)

    await fails(server, errors.CannotConnectError, "nobody there", retries=retries)

    assert seconds <= autojump_clock.current_time() <= seconds + 1


@pytest.mark.parametrize(
    "course", [("greets",), ("accepts",), LOAD[:-1], (*LOAD[:-1], "< OFF"), ("seats",)]
)
@jumping_clock
async def test_a_newcomer_that_is_cut_off_joins_again(
    server: Server, course: tuple[str, ...]
) -> None:
    """Before the game has begun there is no seat to return to: NME again."""
    async with entered(server, (*course, "leaves"), BEGINS) as game:
        assert (await anext(game.turns())).power == FRANCE


async def test_waiting_for_the_start_does_not_count(
    server: Server, autojump_clock: trio.testing.MockClock
) -> None:
    """A bot that sat at a table for hours has all its time when the server stops."""
    retries = evolve(NO_CHANCE, return_seconds=20)
    waits = (
        *(*LOAD[:-1], "waits: 7200", "server: stops", "leaves"),
        *("waits: 15", "server: starts"),
    )
    server.is_running = False

    async with trio.open_nursery() as nursery:
        nursery.start_soon(start_after, server, 15)
        async with entered(server, waits, BEGINS, retries=retries) as game:
            assert game.power == FRANCE

    assert autojump_clock.current_time() > 7230


# A saved game


async def test_lod_leads_to_the_seat_that_is_known(server: Server) -> None:
    """IAM answers LOD, on the same connection."""
    lines = (*LOAD, "takes back: FAL 1901")
    async with entered(server, lines, seat=SEAT) as game:
        view = await anext(game.turns())

    assert (game.power, view.turn) == (FRANCE, Turn(Season.FALL, 1901))


@jumping_clock
async def test_lod_is_refused_without_a_seat_that_fits(server: Server) -> None:
    """REJ (LOD), once: each refusal takes a power from the game that waits.

    A passcode of another game does not fit.
    """
    refused = "> REJ (LOD ('game1'))"
    await fails(server, errors.LoadRequestedError, "game1", (*LOAD, refused))
    lines = (*LOAD, f"> {IAM}", f"< REJ ({IAM})", refused)
    retries = evolve(NO_CHANCE, refused_join_seconds=0)
    await fails(server, errors.RefusedError, "IAM", lines, retries=retries, seat=SEAT)


# Coming back


async def test_a_lost_connection_is_taken_up_again(
    server: Server, autojump_clock: trio.testing.MockClock
) -> None:
    """The client returns by IAM, and the turn that is being played comes again."""
    reported: list[str] = []
    retries = evolve(NO_CHANCE, report=reported.append)
    course = ("begins", "leaves"), (f"refuses: {IAM}",), ("seats again: FAL 1901",)

    async with entered(server, *course, retries=retries) as game:
        first, returned, back, second = [await anext(game) for _ in range(4)]

    assert isinstance(first, View)
    assert returned == Returned()
    assert back == BackInControl(FRANCE)
    assert isinstance(second, View)
    assert second.turn == Turn(Season.FALL, 1901)
    assert autojump_clock.current_time() == 0.25 + 0.5
    assert reported == [
        "FRA lost its connection: the server closed the connection",
        "FRA returned to its seat",
    ]


async def test_a_bot_returns_when_the_server_is_back(
    server: Server, autojump_clock: trio.testing.MockClock
) -> None:
    """A restart of nine minutes, a server that hangs, and one that is recovering."""
    stops = ("begins", "server: stops", "leaves", "waits: 540", "server: starts")
    back = (), ("greets",), (f"refuses: {IAM}",), ("seats again: SPR 1901",)

    async with entered(server, stops, *back, retries=NO_CHANCE) as game:
        turns = game.turns()
        await anext(turns)
        assert (await anext(turns)).turn == Turn(Season.SPRING, 1901)

    assert 540 < autojump_clock.current_time() < 570


@pytest.mark.parametrize(("seconds", "longest"), [(0, 0), (600, 601)])
async def test_attempts_to_return_end_after_their_time(
    server: Server,
    autojump_clock: trio.testing.MockClock,
    seconds: float,
    longest: float,
) -> None:
    """When nobody answers any more, the error names the seat that is lost."""
    retries = evolve(NO_CHANCE, return_seconds=seconds)
    lines = ("begins", "server: stops", "leaves")

    async with entered(server, lines, retries=retries) as game:
        await anext(game)
        with pytest.raises(errors.ConnectionLostError, match="lost the seat of FRA"):
            await anext(game)

    assert seconds <= autojump_clock.current_time() <= longest


async def test_a_seat_that_stays_refused_is_lost(
    server: Server, autojump_clock: trio.testing.MockClock
) -> None:
    """A server that runs and knows no such game is not asked for ten minutes."""
    async with trio.open_nursery() as nursery:
        refuses = [(f"refuses: {IAM}",)] * 1000
        nursery.start_soon(server.plays, ("begins", "leaves"), *refuses)
        async with client.enter(server.dial, BOT, NO_CHANCE) as game:
            await anext(game)
            with pytest.raises(errors.ConnectionLostError, match=r"FRA: .*IAM"):
                await anext(game)
        nursery.cancel_scope.cancel()

    limit = NO_CHANCE.refused_return_seconds
    assert limit <= autojump_clock.current_time() <= limit + 2


OVER = ("greets", f"> {IAM}", f"< YES ({IAM})", "< OFF")


@jumping_clock
async def test_off_during_a_return_ends_the_game(server: Server) -> None:
    """The server gives the game up: the turns end, as after any OFF."""
    async with entered(server, ("begins", "leaves"), OVER) as game:
        assert len([view async for view in game.turns()]) == 1

    assert game.known.off


async def test_off_after_the_first_iam_says_that_the_game_is_over(
    server: Server,
) -> None:
    """There is no seat any more: `rejoin` raises `GameOverError`."""
    await fails(server, errors.GameOverError, "OFF", OVER, entry=SEAT)


GONE = errors.CannotConnectError("nobody there")
REFUSED = errors.RefusedError("REJ")


def test_pauses_double_up_to_half_a_second_and_chance_shortens_all_but_the_first() -> (
    None
):
    """Bots that lose their server together do not come back together."""
    pauses = [NO_CHANCE.pause(n) for n in (1, 2, 3, 4, 9999)]
    shorter = [evolve(entering.RETRIES, chance=lambda: 0.5).pause(n) for n in (1, 2, 3)]

    assert pauses == [0.25, 0.5, 0.5, 0.5, 0.5]
    assert shorter == [0.25, 0.375, 0.375]


def test_refusals_count_from_the_last_time_that_no_server_answered() -> None:
    """A server that was restarted may need its time to recover again."""
    outage = entering.Outage(entering.RETRIES, refused_seconds=10)

    assert outage.note(REFUSED, 0)
    assert outage.note(GONE, 9)
    assert outage.note(REFUSED, 11)
    assert not outage.note(REFUSED, 21)


SAVED = client.SavedSeat("127.0.0.1", 16713, "FRA", 2947, "dumb")


def test_a_seat_is_read_as_it_was_written_and_by_nobody_else(tmp_path: Path) -> None:
    """Whatever the umask allows: the passcode gives the seat."""
    path = tmp_path / "seat.json"
    assert client.load_seat(path) is None
    client.remove_seat(path)
    path.write_text("an older one")
    before = os.umask(0)
    try:
        client.save_seat(path, SAVED)
    finally:
        os.umask(before)

    assert client.load_seat(path) == SAVED
    assert [each.name for each in tmp_path.iterdir()] == ["seat.json"]
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "content", [b"", b"[]", b'{"host": "a"}', b'{"host": "a", "port": "b"}', b"\xff"]
)
def test_a_file_without_a_seat_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "seat.json"
    path.write_bytes(content)

    with pytest.raises(errors.SeatFileError, match=r"seat\.json: no seat"):
        client.load_seat(path)


def test_a_disk_that_is_full_leaves_the_old_seat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The new file takes the name of the old one when it is whole."""
    path = tmp_path / "seat.json"
    client.save_seat(path, SAVED)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(errors.SeatFileError, match="No space left"):
        client.save_seat(path, client.SavedSeat("::1", 1, "ENG", 1, "hold"))

    assert client.load_seat(path) == SAVED
    assert [each.name for each in tmp_path.iterdir()] == ["seat.json"]

"""The control socket of a real server: what it answers, and that it harms no game."""

import json
import os
import socket
import stat
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import trio
import trio.testing

from daide_server.board.map import Variant
from daide_server.library import control_socket
from daide_server.server import control
from daide_server.server.events import ClientDropped, RecordStored
from tests.support.peers import FM, holds
from tests.support.waiting import until
from tests.support.web_pages import asked, controlled, line_of

SHORT = 0.2
"""Patience of a server whose clients are to try it."""


async def all_of(stream: trio.SocketStream) -> bytes:
    """Return all that comes until the connection is closed or reset."""
    found = b""
    with suppress(trio.BrokenResourceError):
        while part := await stream.receive_some(65536):
            found += part
    return found


# What can be asked


async def test_status_says_who_owes_orders_and_never_which(
    tmp_path: Path, standard: Variant
) -> None:
    async with controlled(tmp_path, mtl=600) as server:
        seats = await server.players()
        await seats["FRA"].say(holds(standard.start, "FRA"))
        await seats["FRA"].hear_until("THX")
        status = await server.ask("status")
        assert status["ok"] is True
        assert status["pid"] == os.getpid()
        assert status["addresses"] == [server.address]
        assert status["connections"] == 7
        assert status["places"] > 7
        assert (status["draining"], status["unready"]) == (False, None)
        game, waiting = status["games"]
        assert (game["number"], game["turn"], game["stage"]) == (1, "S1901M", "playing")
        assert game["game"].endswith("-0001")
        assert 500 < game["seconds_left"] <= 600
        owing = {each["power"]: each["owes"] for each in game["powers"]}
        assert owing == {power: power != "FRA" for power in seats}
        assert {each["name"] for each in game["powers"]} == {
            f"peer{number}" for number in range(7)
        }
        assert {each["version"] for each in game["powers"]} == {"1"}
        assert (waiting["stage"], waiting["seconds_left"]) == ("forming", None)
        assert not any(each["connected"] for each in waiting["powers"])
        text = json.dumps(status)
        keys = {"game", "number", "turn", "stage", "seconds_left", "powers"}
        seat = {"power", "connected", "name", "version", "owes"}
        assert set(game) == keys  # passcodes are none of them
        assert all(set(each) == seat for each in game["powers"])
        assert "HLD" not in text
        assert "BUR" not in text


async def test_a_server_is_drained_without_a_setting(tmp_path: Path) -> None:
    """The save of a game goes when its record is written: it is not loaded again."""
    saves = tmp_path / "saves"
    async with controlled(tmp_path, post_game_seconds=0.1, save=str(saves)) as server:
        seats, early = await server.players(), await server.introduced()
        await early.join()
        await server.server.save()
        assert len(list(saves.glob("*.jsonl"))) == 1
        for _ in range(2):
            assert await server.ask("drain") == {"ok": True}
        assert len(server.events.of("server.draining")) == 1
        assert (await server.ask("status"))["draining"] is True
        late = await server.introduced()
        await late.say("NME ('late') ('1')")
        await late.hears("REJ (NME ('late') ('1'))")
        for peer in seats.values():
            await peer.say("DRW")
        await early.hear_until("OFF")
        await server.until_stopped()
    assert len(server.events.of(RecordStored)) == 1
    assert not server.folder.exists()
    assert not list(saves.glob("*.jsonl"))


@pytest.mark.parametrize("by_record", [False, True])
async def test_a_game_is_ended_and_recorded(tmp_path: Path, by_record: bool) -> None:  # noqa: FBT001
    async with controlled(tmp_path) as server:
        seats = await server.players()
        others = await server.players()
        (journal,) = server.folder.glob("*-0001.jsonl")
        assert await server.ask("end", game=journal.stem if by_record else 1) == {
            "ok": True
        }
        for peer in seats.values():
            assert (await peer.hear_until("OFF"))[-1] == "OFF"
            assert await peer.frame() == FM
        await until(lambda: server.events.of(RecordStored) and not journal.exists())
        ((_, path),) = server.events.of(RecordStored)
        assert isinstance(path, Path)
        assert "aborted" in path.read_text()
        numbers = [each["number"] for each in (await server.ask("status"))["games"]]
        assert numbers == [2, 3]
        await others["FRA"].say("HLO")
        await others["FRA"].hear_until("HLO")
        assert "not running" in await server.refusal("end", game=3)
        assert await server.refusal("end", game=1) == (
            "found game '1', expected one of: 2, 3"
        )


async def test_a_kicked_client_is_closed_and_its_seat_is_free(tmp_path: Path) -> None:
    async with controlled(tmp_path) as server:
        seats = await server.players()
        runner = server.server.games.open_games()[0]
        seat = runner.game.state.seating
        passcodes = {str(each.power): each.passcode for each in seat}
        assert await server.ask("kick", game="1", power="FRA") == {"ok": True}
        assert await seats["FRA"].frame() == FM
        await seats["FRA"].is_closed()
        ((_, reason),) = server.events.of(ClientDropped)
        assert reason == "the operator closes it"
        await seats["ENG"].hear_until("CCD ( FRA )")
        powers = (await server.ask("status"))["games"][0]["powers"]
        assert [each["power"] for each in powers if not each["connected"]] == ["FRA"]
        refusal = await server.refusal("kick", game=1, power="FRA")
        assert refusal == "no client plays FRA in game 1"
        assert "found power 'XYZ', expected one of: AUS" in await server.refusal(
            "kick", game=1, power="XYZ"
        )
        back = await server.introduced()
        await back.say(f"IAM (FRA) ({passcodes['FRA']})")
        await back.hears(f"YES (IAM (FRA) ({passcodes['FRA']}))")


async def test_a_server_that_stops_changes_no_game(tmp_path: Path) -> None:
    """Those that are kept for the next server must not be ended."""
    async with controlled(tmp_path) as server:
        stream = await server.connect()
        assert (await asked(stream, b'{"do": "status"}'))["ok"] is True
        await server.players()
        server.server.stop(keep_games=True)
        for line in (b'{"do": "end", "game": 1}', b'{"do": "drain"}'):
            answer = await asked(stream, line)
            assert answer == {"error": "the server stops already", "ok": False}
        await stream.aclose()
    assert list(server.folder.glob("*-0001.jsonl"))


# What must harm nothing


@pytest.mark.parametrize(
    ("request_line", "reason"),
    [
        (b"", "truncated"),
        (b"status", "malformed"),
        (b"\xff\xfe", "malformed"),
        (b'{"do": "\xff"}', "utf-8"),
        (b"[" * 60_000, "expected"),
        (b'{"do": "fly"}', "fly"),
        (b'{"game": 1}', "do"),
        (b'{"do": "end"}', "game"),
        (b'{"do": "end", "game": [1]}', "game"),
        (b'{"do": "kick", "game": 1}', "power"),
        (b'{"do": "status", "all": true}', "all"),
        (b'{"do": "end", "game": "' + b"9" * 60_000 + b'"}', "expected one of: 1"),
    ],
)
async def test_a_bad_request_gets_an_error_and_the_next_its_answer(
    tmp_path: Path, request_line: bytes, reason: str
) -> None:
    async with controlled(tmp_path) as server, await server.connect() as stream:
        answer = await asked(stream, request_line)
        assert answer["ok"] is False
        assert reason in answer["error"].lower()
        assert "expected" in answer["error"]
        assert len(answer["error"]) < 1000
        assert (await asked(stream, b'{"do": "status"}'))["ok"] is True


async def test_many_requests_may_come_together(tmp_path: Path) -> None:
    """More bytes than one request may have."""
    left = control.MAX_REQUEST // 4
    async with (
        controlled(tmp_path) as server,
        await server.connect() as stream,
        trio.open_nursery() as nursery,
    ):
        nursery.start_soon(stream.send_all, b'{"do":1}\n' * left)
        while left:
            part = await stream.receive_some(65536)
            assert part
            assert b"without an LF" not in part
            left -= part.count(b"\n")


async def test_a_request_without_an_end_is_refused(tmp_path: Path) -> None:
    async with controlled(tmp_path) as server, await server.connect() as stream:
        await stream.send_all(b"x" * (control.MAX_REQUEST + 1))
        answer = json.loads(await line_of(stream))
        assert "found more than 65536 bytes" in answer["error"]
        assert await line_of(stream) == b""


async def test_silent_clients_keep_no_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The ninth is answered when the first eight are closed."""
    monkeypatch.setattr(control, "PATIENCE_SECONDS", SHORT)
    async with controlled(tmp_path) as server:
        silent = [await server.connect() for _ in range(control.MAX_CONNECTIONS)]
        await silent[0].send_all(b'{"do"')
        began = trio.current_time()
        assert (await server.ask("status"))["ok"] is True
        assert trio.current_time() >= began + SHORT / 2
        for stream in silent:
            assert await line_of(stream) == b""
            await stream.aclose()


async def test_a_client_that_does_not_read_is_closed_and_games_go_on(
    tmp_path: Path, standard: Variant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(control, "PATIENCE_SECONDS", SHORT)
    async with controlled(tmp_path) as server:
        seats = await server.players()
        async with await server.connect() as stream:
            asking = b'{"do": "metrics"}\n' * 1000
            await stream.send_all(asking)
            for power, peer in seats.items():
                await peer.say(holds(standard.start, power))
            await seats["AUS"].hear_until("ORD")
            await nothing_more_to_read(stream)
            answers = await all_of(stream)
        assert 0 < answers.count(b"\n") < 1000
        assert (await server.ask("status"))["games"][0]["turn"] == "F1901M"


async def nothing_more_to_read(stream: trio.SocketStream) -> None:
    """Wait, without reading, until nothing has come for longer than a client may wait.

    How long the answers take to fill the buffers depends on the machine.
    """
    known, left = -1, await waiting_bytes(stream)
    while left != known:
        await trio.sleep(4 * SHORT)
        known, left = left, await waiting_bytes(stream)


async def waiting_bytes(stream: trio.SocketStream) -> int:
    return len(await stream.socket.recv(1 << 24, socket.MSG_PEEK))


async def test_a_bug_costs_one_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with controlled(tmp_path) as server, await server.connect() as stream:
        with monkeypatch.context() as broken:
            broken.setattr(control, "generate_latest", lambda _: 1 // 0)
            answer = await asked(stream, b'{"do": "metrics"}')
        assert answer == {"error": "a bug in the server, see its log", "ok": False}
        assert len(server.events.of("control.failed")) == 1
        assert (await asked(stream, b'{"do": "metrics"}'))["ok"] is True


# Where it is


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def names(folder: Path) -> set[str]:
    return {each.name for each in folder.iterdir()}


@pytest.fixture
def short() -> Iterator[Path]:
    """Return a folder whose path is short, as those of pytest may not be."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        yield Path(folder)


async def test_only_its_owner_can_use_the_socket_and_the_server_removes_it(
    short: Path,
) -> None:
    async with controlled(short) as server:
        await server.ask("status")
        assert mode(server.folder / "control.sock") == 0o600
        server.server.stop()
        await server.until_stopped()
    assert not server.folder.exists()


async def test_the_socket_of_a_killed_server_is_replaced(short: Path) -> None:
    folder = short / "journal"
    folder.mkdir()
    (folder / "run-0001.jsonl").touch()
    left = socket.socket(socket.AF_UNIX)
    left.bind(str(folder / "control.sock"))
    left.close()
    async with controlled(short, recover=str(folder)) as server:
        await trio.testing.wait_all_tasks_blocked()
        assert (await server.ask("status"))["ok"] is True
    assert not (folder / "control.sock").exists()


async def test_a_path_that_is_too_long_has_its_socket_elsewhere(
    tmp_path: Path, short: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a private folder."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(short))
    async with controlled(tmp_path / ("x" * 120)) as server:
        assert (await server.ask("status"))["ok"] is True
        named = Path((server.folder / "control.path").read_text())
        assert named.parent.parent == short
        assert mode(named.parent) == 0o700
        assert mode(named) == 0o600
    assert not names(short)


async def test_a_server_without_a_control_socket_still_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = tmp_path / ("x" * 120)
    long.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(long))
    async with controlled(long) as server:
        await server.players()
        ((reason,),) = server.events.of("control.unavailable")
        assert "too long" in str(reason)
        assert not control_socket.is_in(server.folder)
    assert names(long) == {"journal", "records"}

"""A server from its settings: what it refuses, and how it stops."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
import trio
import trio.testing
from attrs import evolve

from daide_server.daide.captures import frames_of, log_records
from daide_server.daide.frames import FrameType
from daide_server.errors import ReportedError
from daide_server.host_port import address_text
from daide_server.server.events import ClientConnected
from daide_server.server.process import stop_on_signals
from daide_server.server.server import Server
from daide_server.server.settings import ServerSettings
from tests.support.fakes import RecordedEvents
from tests.support.peers import Running
from tests.support.settings import settings_with
from tests.support.waiting import until

ELSEWHERE = "192.0.2.1"
"""An address of no machine (RFC 5737)."""


def chosen(folder: Path, **given: object) -> ServerSettings:
    """Return the default settings, on a free port, with some changed."""
    return settings_with(
        **{"port": 0, "records": str(folder), "durability": "none", **given}
    )


def opened(folder: Path, events: RecordedEvents, **given: object) -> Server:
    """Return a server that listens on a free port."""
    return Server(chosen(folder, **given), lambda _: None, events)


async def stop_when_listening(server: Server, events: RecordedEvents) -> None:
    """Stop *server* as soon as it accepts clients."""
    await until(lambda: events.of("server.listening"))
    server.stop()


async def test_a_server_that_could_fill_no_game_is_not_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its bots would wait for each other without an end."""
    monkeypatch.setattr("daide_server.server.listener.max_open_files", lambda: 70)
    with pytest.raises(
        ReportedError, match=r"found a limit of 70 .* expected 71 or more"
    ):
        opened(tmp_path, RecordedEvents())


@pytest.mark.parametrize(("files", "given"), [(71, {}), (70, {"connections": 7})])
async def test_a_server_that_can_fill_a_game_is_opened(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    files: int,
    given: dict[str, object],
) -> None:
    monkeypatch.setattr("daide_server.server.listener.max_open_files", lambda: files)
    events = RecordedEvents()
    server = opened(tmp_path, events, **given)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(server.run)
        await stop_when_listening(server, events)


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0", "::"])  # noqa: S104 (unbound)
async def test_a_server_at_every_interface_says_so(tmp_path: Path, host: str) -> None:
    """Once, with the address; here that of the page, which another part serves."""
    settings = chosen(tmp_path)
    settings = evolve(settings, web=evolve(settings.web, address=(host, 8080)))
    events = RecordedEvents()
    server = Server(settings, lambda _: None, events)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(stop_when_listening, server, events)
        await server.run()
    exposed = [] if host == "127.0.0.1" else [(address_text((host, 8080)),)]
    assert events.of("server.exposed") == exposed


async def test_a_taken_port_is_an_error_with_its_address(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(
            ReportedError,
            match=f"cannot listen on .*:{port}: Address already in use; [^(]*$",
        ):
            opened(tmp_path, RecordedEvents(), host="127.0.0.1", port=port)


@pytest.mark.parametrize(
    ("setting", "value", "error"),
    [
        # The host of the settings is the one that is listened on.
        ("host", ELSEWHERE, f"cannot listen on {ELSEWHERE}:0"),
        # It may be a typo, and the games are elsewhere.
        ("load", "{}", "found no saved game to load"),
        ("start", "{}/none.json:S1901M", "start: {}/none.json: No such file"),
        ("trace", "{}/file", "cannot write conversations to {}/file"),
        # Games that cannot be saved when the server ends would be lost.
        ("save", "{}/file", "cannot write saved games to {}/file"),
    ],
)
async def test_what_keeps_a_server_from_starting_is_named(
    tmp_path: Path, setting: str, value: str, error: str
) -> None:
    (tmp_path / "file").touch()
    given = {setting: value.format(tmp_path)}
    with pytest.raises(ReportedError, match=error.format(tmp_path)):
        opened(tmp_path, RecordedEvents(), **given)


async def test_saving_before_it_runs_saves_nothing(tmp_path: Path) -> None:
    """SIGUSR1 may come at any time."""
    events = RecordedEvents()
    server = opened(tmp_path, events)
    await server.save()
    assert events.found == []
    server.stop()
    await server.run()


async def test_a_client_may_connect_before_it_runs_and_is_traced(
    tmp_path: Path,
) -> None:
    """It is served as soon as the server runs; what both say is kept."""
    events = RecordedEvents()
    traces = tmp_path / "traces"
    server = opened(tmp_path, events, trace=str(traces))
    host, _, port = server.address.rpartition(":")
    async with trio.open_nursery() as nursery:
        stream = await trio.open_tcp_stream(host, int(port))
        nursery.start_soon(server.run)
        await stream.send_all(bytes.fromhex("0000 0004 0001 DA10"))
        with trio.fail_after(10):
            assert await stream.receive_some() == bytes.fromhex("0100 0000")
        await stream.aclose()
        server.stop()

    assert ClientConnected in events.kinds
    (kept,) = traces.iterdir()
    sent = b"".join(each.frames for each in log_records(kept.read_bytes()))
    frames = [kind for kind, _ in frames_of(sent)]
    assert frames[:2] == [FrameType.INITIAL, FrameType.REPRESENTATION]


# Signals: the first stops the server, SIGUSR1 saves, SIGHUP reopens the log


ENDING = """
import signal
import sys
from daide_server.server.process import end_at_second_signal
end_at_second_signal()
signal.raise_signal(int(sys.argv[1]))
"""


async def test_a_save_that_hangs_keeps_no_signal_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one to a file system of another machine that is gone."""
    hanging = trio.Event()

    async def hang() -> None:
        hanging.set()
        await trio.sleep_forever()

    events = RecordedEvents()
    server = opened(tmp_path, events)
    monkeypatch.setattr(server, "save", hang)
    async with trio.open_nursery() as nursery:
        await nursery.start(stop_on_signals, server)
        os.kill(os.getpid(), signal.SIGUSR1)
        with trio.fail_after(10):
            await hanging.wait()
            os.kill(os.getpid(), signal.SIGTERM)
            await server.run()
        nursery.cancel_scope.cancel()
    assert events.kinds[-1] == "server.stopped"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_after_the_end_has_an_exit_code_too(number: signal.Signals) -> None:
    """While the log is written to its end nobody listens for signals any more."""
    ended = subprocess.run(
        [sys.executable, "-c", ENDING, str(int(number))], check=False
    )
    assert ended.returncode == 130


async def test_a_second_signal_stops_a_server_that_drains(tmp_path: Path) -> None:
    events = RecordedEvents()
    server = opened(tmp_path, events, drain=True)
    running = Running(server, server.address, tmp_path)
    with trio.fail_after(30):
        async with trio.open_nursery() as nursery:
            await nursery.start(stop_on_signals, server)
            nursery.start_soon(server.run)
            await running.players()
            os.kill(os.getpid(), signal.SIGTERM)
            await until(lambda: events.of("server.draining"))
            os.kill(os.getpid(), signal.SIGTERM)
            await until(lambda: "server.stopped" in events.kinds)
            await running.hang_up()
            nursery.cancel_scope.cancel()
    assert len(events.of("signal.received")) == 2

"""Signals: the first stops the server, SIGUSR1 saves, SIGHUP reopens the log."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import trio

from daide_server.server.process import stop_on_signals
from daide_server.server.server import Server
from tests.support.fakes import RecordedEvents
from tests.support.peers import Running
from tests.support.settings import settings_with

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
    chosen = settings_with(port=0, records=str(tmp_path), durability="none")
    server = Server(chosen, lambda _: None, events)
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
    chosen = settings_with(port=0, records=str(tmp_path), durability="none", drain=True)
    server = Server(chosen, lambda _: None, events)
    running = Running(server, server.address, tmp_path)
    with trio.fail_after(30):
        async with trio.open_nursery() as nursery:
            await nursery.start(stop_on_signals, server)
            nursery.start_soon(server.run)
            await running.players()
            os.kill(os.getpid(), signal.SIGTERM)
            while not events.of("server.draining"):  # noqa: ASYNC110 (a signal comes)
                await trio.sleep(0.005)
            os.kill(os.getpid(), signal.SIGTERM)
            while "server.stopped" not in events.kinds:  # noqa: ASYNC110 (it ends)
                await trio.sleep(0.005)
            await running.hang_up()
            nursery.cancel_scope.cancel()
    assert len(events.of("signal.received")) == 2

"""Signals: the first stops the server, SIGUSR1 saves, SIGHUP reopens the log."""

import os
import signal
from pathlib import Path

import trio

from daide_server.app.process import stop_on_signals
from daide_server.app.server import open_server
from tests.support.fakes import RecordedEvents
from tests.support.settings import settings_with


async def test_a_signal_stops_the_server_and_is_reported(tmp_path: Path) -> None:
    events = RecordedEvents()
    chosen = settings_with(port=0, records=str(tmp_path), durability="none")
    server = open_server(chosen, lambda _: None, events)
    async with trio.open_nursery() as nursery:
        await nursery.start(stop_on_signals, server)
        os.kill(os.getpid(), signal.SIGUSR1)
        os.kill(os.getpid(), signal.SIGTERM)
        with trio.fail_after(10):
            await server.run()
        nursery.cancel_scope.cancel()
    assert events.named("signal_received") == [(signal.SIGTERM,)]
    assert events.names[-1] == "server_stopped"


async def test_a_hang_up_opens_the_log_anew(tmp_path: Path) -> None:
    """The server goes on."""
    chosen = settings_with(port=0, records=str(tmp_path))
    server = open_server(chosen, lambda _: None)
    reopened = trio.Event()
    async with trio.open_nursery() as nursery:
        await nursery.start(stop_on_signals, server, reopened.set)
        nursery.start_soon(server.run)
        os.kill(os.getpid(), signal.SIGHUP)
        with trio.fail_after(10):
            await reopened.wait()
        server.stop()
        nursery.cancel_scope.cancel()

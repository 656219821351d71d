"""Signals: the first stops the server, SIGUSR1 saves, SIGHUP reopens the log."""

import os
import signal
from pathlib import Path

import pytest
import trio

from daide_server.app.process import end_at_second_signal, stop_on_signals
from daide_server.app.server import open_server
from daide_server.server.events import ServerStopped, SignalReceived
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
    assert events.of(SignalReceived) == [(signal.SIGTERM,)]
    assert events.kinds[-1] == ServerStopped


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
    server = open_server(chosen, lambda _: None, events)
    monkeypatch.setattr(server, "save", hang)
    async with trio.open_nursery() as nursery:
        await nursery.start(stop_on_signals, server)
        os.kill(os.getpid(), signal.SIGUSR1)
        with trio.fail_after(10):
            await hanging.wait()
            os.kill(os.getpid(), signal.SIGTERM)
            await server.run()
        nursery.cancel_scope.cancel()
    assert events.kinds[-1] == ServerStopped


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


def test_a_signal_after_the_end_has_an_exit_code_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """While the log is written to its end nobody listens for signals any more."""
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.getsignal(number) for number in numbers}
    codes: list[int] = []
    monkeypatch.setattr(os, "_exit", codes.append)
    try:
        end_at_second_signal()
        for number in numbers:
            signal.raise_signal(number)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    assert codes == [130, 130]

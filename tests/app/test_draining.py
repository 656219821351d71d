"""With `drain` SIGTERM takes no new games; the running ones are played to their end."""

import os
import signal
from pathlib import Path

import trio

from daide_server.app.process import stop_on_signals
from daide_server.app.server import Server
from daide_server.server.events import (
    RecordStored,
)
from tests.support.fakes import RecordedEvents
from tests.support.peers import Running
from tests.support.settings import settings_with


async def test_running_games_are_played_to_their_end_and_no_other_begins(
    tmp_path: Path,
) -> None:
    events = RecordedEvents()
    chosen = settings_with(
        port=0,
        records=str(tmp_path),
        durability="none",
        drain=True,
        post_game_seconds=0.1,
    )
    server = Server(chosen, lambda _: None, events)
    running = Running(server, server.address, tmp_path)
    with trio.fail_after(30):
        async with trio.open_nursery() as nursery:
            await nursery.start(stop_on_signals, server)
            nursery.start_soon(server.run)
            players = await running.players()
            early = await running.introduced()
            await early.join()
            os.kill(os.getpid(), signal.SIGTERM)
            while not events.of("server.draining"):  # noqa: ASYNC110 (a signal comes)
                await trio.sleep(0.005)
            late = await running.introduced()
            await late.say("NME ('late') ('1')")
            await late.hears("REJ (NME ('late') ('1'))")
            for peer in players.values():
                await peer.say("DRW")
            for peer in players.values():
                await peer.hear_until("DRW")
            await early.hear_until("OFF")
            while "server.stopped" not in events.kinds:  # noqa: ASYNC110 (it ends)
                await trio.sleep(0.005)
            await running.hang_up()
            nursery.cancel_scope.cancel()
    assert len(events.of(RecordStored)) == 1


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

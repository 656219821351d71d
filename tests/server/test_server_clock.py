"""The time of games, which can stand still."""

import trio
import trio.testing

from daide_server.server.outbox import ServerClock


async def test_time_does_not_pass_while_it_is_stopped(
    autojump_clock: trio.testing.MockClock,
) -> None:
    """What was due in ten seconds is due in ten seconds afterwards."""
    del autojump_clock
    clock = ServerClock()
    due = clock.now() + 10
    await trio.sleep(4)
    clock.stop()
    stopped = clock.now()
    await trio.sleep(100)
    clock.stop()
    assert clock.now() == stopped
    assert not clock.is_running
    assert clock.resume() == 100
    assert clock.resume() == 0
    assert clock.now() == stopped
    assert due + clock.stood == trio.current_time() + 6


async def test_who_waits_goes_on_with_it() -> None:
    clock = ServerClock()
    await clock.running()
    clock.stop()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(clock.running)
        await trio.testing.wait_all_tasks_blocked()
        assert nursery.child_tasks
        clock.resume()

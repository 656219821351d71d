"""The alarm of a game rings at its time, and misses no move."""

import pytest
import trio
from trio.testing import MockClock

from daide_server.server.game_alarm import GameAlarm
from daide_server.server.server_clock import ServerClock


class BusyClock(ServerClock):
    """A clock that others run before, as tasks of a loop do: they move an alarm."""

    alarm: GameAlarm
    to: float | None = None

    async def running(self) -> None:
        """Let another task run, which moves the alarm."""
        await super().running()
        self.alarm.set(self.to)


@pytest.mark.parametrize("to", [None, 90.0])
async def test_an_alarm_that_is_moved_before_the_wait_ends_it(
    to: float | None, autojump_clock: MockClock
) -> None:
    """A game that was closed meanwhile has no alarm, and nothing moves it again."""
    del autojump_clock
    clock = BusyClock()
    clock.alarm, clock.to = GameAlarm(clock), to
    clock.alarm.set(5.0)

    with trio.fail_after(1):
        assert not await clock.alarm.rings()


async def test_it_rings_at_its_time(autojump_clock: MockClock) -> None:
    del autojump_clock
    alarm = GameAlarm(ServerClock())
    alarm.set(5.0)

    began = trio.current_time()

    assert await alarm.rings()
    assert trio.current_time() == began + 5

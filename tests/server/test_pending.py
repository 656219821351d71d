"""A shutdown waits for the tasks that must not be cut off."""

import pytest
import trio
import trio.testing

from daide_server.server.pending import PendingTasks


async def test_nothing_pending_is_settled_at_once() -> None:
    async with trio.open_nursery() as nursery:
        await PendingTasks(nursery).settled()


async def test_settled_waits_for_all_and_for_those_that_come_later(
    autojump_clock: trio.testing.MockClock,
) -> None:
    del autojump_clock
    done: list[str] = []
    async with trio.open_nursery() as nursery:
        tasks = PendingTasks(nursery)

        async def short() -> None:
            await trio.sleep(1)
            done.append("short")
            tasks.start(late)

        async def late() -> None:
            await trio.sleep(1)
            done.append("late")

        tasks.start(short)
        await tasks.settled()
        assert done == ["short", "late"]


async def test_a_task_that_fails_is_not_waited_for() -> None:
    async def fail() -> None:
        await trio.lowlevel.checkpoint()
        message = "a defect"
        raise ValueError(message)

    with pytest.RaisesGroup(ValueError):
        async with trio.open_nursery() as nursery:
            tasks = PendingTasks(nursery)
            tasks.start(fail)
            with trio.CancelScope(shield=True):
                await tasks.settled()


async def test_all_who_wait_go_on() -> None:
    """Not only the last of them."""
    done = trio.Event()
    async with trio.open_nursery() as nursery:
        pending = PendingTasks(nursery)
        pending.start(done.wait)
        with trio.fail_after(5):
            async with trio.open_nursery() as waiting:
                for _ in range(3):
                    waiting.start_soon(pending.settled)
                await trio.testing.wait_all_tasks_blocked()
                done.set()

"""A signal that ends a command lets it end first what it has started."""

import signal
from collections.abc import Iterator

import pytest
import trio
import trio.testing
from click.exceptions import Exit

from daide_server.cli.common.failures import until_signalled


class Work:
    """Work that sends this process a signal, waits, and clears up."""

    def __init__(self, number: signal.Signals) -> None:
        self.number = number
        self.has_cleared_up = False

    async def __call__(self) -> None:
        try:
            await trio.testing.wait_all_tasks_blocked()
            signal.raise_signal(self.number)
            await trio.sleep_forever()
        finally:
            self.has_cleared_up = True


@pytest.fixture(autouse=True)
def heard_hangup() -> Iterator[None]:
    """Whoever runs the tests may ignore SIGHUP, as nohup does."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
async def test_the_exit_code_tells_the_signal(
    number: signal.Signals, code: int
) -> None:
    work = Work(number)
    with pytest.raises(Exit) as raised:
        await until_signalled(work)
    assert raised.value.exit_code == code
    assert work.has_cleared_up


async def test_ctrl_c_is_what_it_is_elsewhere() -> None:
    work = Work(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        await until_signalled(work)
    assert work.has_cleared_up


async def test_what_nohup_starts_goes_on() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)

    async def work() -> int:
        await trio.testing.wait_all_tasks_blocked()
        signal.raise_signal(signal.SIGHUP)
        await trio.testing.wait_all_tasks_blocked()
        return 7

    assert await until_signalled(work) == 7


async def test_work_that_ends_is_not_disturbed() -> None:
    async def work() -> int:
        await trio.lowlevel.checkpoint()
        return 7

    assert await until_signalled(work) == 7

"""The answer to one message that is delayed: until then no other is handled."""

from collections.abc import Awaitable, Callable
from typing import Final

import trio

from daide_server.classes import frozen
from daide_server.game.events import Seconds

from .intake import Intake
from .passes import Passes
from .poller import Work
from .session_progress import SessionProgress


@frozen
class Delay:
    """What is done, after a wait."""

    wait: Callable[[], Awaitable[None]]
    work: Work


class DelayedAnswer:
    """The message of one client whose answer waits, if there is one."""

    def __init__(
        self,
        intake: Intake,
        progress: SessionProgress,
        passes: Passes,
        fail: Callable[[Exception], None],
    ) -> None:
        """Call *fail* with an unexpected error."""
        self._intake: Final = intake
        self._progress: Final = progress
        self._passes: Final = passes
        self._fail: Final = fail

    def begin(self, nursery: trio.Nursery, delay: Delay) -> None:
        """Let the answer to what is handled now wait, and what the client says later.

        The timer of the phase stands still, but on a reserved place. A session that
        ends does not do the work.
        """
        self._intake.hold()
        left = self._progress.hold()
        nursery.start_soon(self._run, delay, left)

    async def _run(self, delay: Delay, left: Seconds) -> None:
        await delay.wait()
        if not self._progress.is_reading:
            return
        self._progress.timer.allow(left)
        with self._passes:
            try:
                delay.work()
            except Exception as error:  # noqa: BLE001 (whatever it is)
                self._fail(error)
        self._intake.release()

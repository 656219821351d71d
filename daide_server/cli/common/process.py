"""The process of a command: signals that end it, and its garbage collector.

Programs that a command has started are ended first.
"""

import gc
import signal
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, TypeVar

from click.exceptions import Exit

if TYPE_CHECKING:
    import trio

SIGNALLED: Final = 128
"""Added to a signal's number, this is the exit code that a shell reports."""
DoneT = TypeVar("DoneT")


async def until_signalled(work: Callable[[], Awaitable[DoneT]]) -> DoneT:
    """Return the result of *work*; SIGINT, SIGTERM and SIGHUP cancel it.

    Raises `KeyboardInterrupt`, or `Exit` with the code for the signal.
    """
    # Imported here, because tables need no event loop.
    import trio  # noqa: PLC0415

    ended_by: list[int] = []
    found: list[DoneT] = []
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_await_signal, nursery.cancel_scope, ended_by)
        found.append(await work())
        nursery.cancel_scope.cancel()
    if signal.SIGINT in ended_by:
        raise KeyboardInterrupt
    if ended_by:
        raise Exit(SIGNALLED + ended_by[0])
    return found[0]


async def _await_signal(running: "trio.CancelScope", caught: list[int]) -> None:
    asked = [signal.SIGTERM, signal.SIGINT]
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        # Under nohup it stays ignored.
        asked.append(signal.SIGHUP)
    import trio  # noqa: PLC0415

    with trio.open_signal_receiver(*asked) as signals:
        async for number in signals:
            caught.append(number)
            running.cancel()


@contextmanager
def lasting_objects() -> Iterator[None]:
    """Exempt the objects that are made in the block from garbage collection, for good.

    Modules, and the results of ten thousand games, are hundreds of thousands of objects
    that are all needed: collecting takes longer than making them. Not for work that is
    repeated in a process: its garbage would stay, too.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was_enabled:
            gc.enable()

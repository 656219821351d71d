"""Executors by name: they run `play_task`, here or on other machines (PEP 3148)."""

import sys
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

from attrs import frozen

from .bot_settings import LOCAL_EXECUTOR
from .errors import RunningError
from .prctl import processors
from .worker import WORKERS

KNOWN = "local, or module:function that returns an Executor"
DASK_SECONDS = 60
"""Seconds to wait for a Dask scheduler and its first worker."""


@frozen
class OpenExecutor:
    """An executor, and how many games it plays at the same time."""

    executor: Executor
    slots: int
    is_local: bool = False

    def interrupt(self) -> None:
        """Abort the games on this machine; games elsewhere continue unobserved."""
        if self.is_local:
            WORKERS.interrupt()


@contextmanager
def open_executor(name: str, at_once: int, folder: Path) -> Iterator[OpenExecutor]:
    """Open the executor *name* for *at_once* games; 0: its capacity, or all cores here.

    Modules are first searched in *folder*. Raises `RunningError`.
    """
    is_local = name == LOCAL_EXECUTOR
    if is_local:
        at_once = at_once or processors()
        executor: Executor = ThreadPoolExecutor(at_once, thread_name_prefix="worker")
    else:
        executor = _by_name(name, folder)
    slots = at_once or getattr(executor, "slots", 0) or processors()
    try:
        yield OpenExecutor(executor, slots, is_local)
    finally:
        executor.shutdown(wait=False)
        WORKERS.stop()


def _by_name(name: str, folder: Path) -> Executor:
    module, _, function = name.partition(":")
    if not (module and function):
        raise RunningError(f"--executor: found {name!r}, expected {KNOWN}")
    sys.path.insert(0, str(folder))
    try:
        executor = getattr(import_module(module), function)()
    except Exception as error:
        # Whatever a module of others may raise, on one line.
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        raise RunningError(f"--executor {name}: {reason}") from error
    finally:
        sys.path.remove(str(folder))
    if not isinstance(executor, Executor):
        found = type(executor).__name__
        raise RunningError(f"--executor {name}: found {found}, expected an Executor")
    return executor


def dask() -> Executor:
    """Return an executor of the Dask cluster at DASK_SCHEDULER_ADDRESS."""
    from distributed import Client  # noqa: PLC0415 - an extra

    client = Client(timeout=DASK_SECONDS, set_as_default=False)
    client.wait_for_workers(1, timeout=DASK_SECONDS)
    # Repeating a game gives another result, so nothing may come from a cache.
    executor: Executor = client.get_executor(pure=False)
    executor.slots = sum(client.nthreads().values())  # type: ignore[attr-defined]
    return executor

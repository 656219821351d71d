"""Executors by name: who runs `play_encoded`, here or on other machines (PEP 3148)."""

import os
import runpy
import sys
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Final

from attrs import frozen

from .errors import ExecutorError
from .worker_process import WORKERS

LOCAL_EXECUTOR: Final = "local"
KNOWN: Final = "local, dask:ADDRESS, parsl:FILE or module:function"
DASK_SECONDS: Final = 60
"""To wait for a Dask scheduler, and for its first worker."""


@frozen
class OpenExecutor:
    """An executor, and how many games it plays at the same time."""

    executor: Executor
    slots: int
    is_local: bool = False

    def interrupt(self) -> None:
        """Break off the games that are played here; others go on unseen."""
        if self.is_local:
            WORKERS.interrupt()


@contextmanager
def open_executor(name: str, at_once: int, folder: Path) -> Iterator[OpenExecutor]:
    """Open the executor *name* for games *at_once*; 0: as many as it has cores.

    Modules and files are looked for in *folder* first. Raises `ExecutorError`.
    """
    kind, _, rest = name.partition(":")
    if name == LOCAL_EXECUTOR:
        opened = _local(at_once or cores())
    elif kind == "dask" and rest:
        opened = _dask(rest, at_once)
    elif kind == "parsl" and rest:
        opened = _parsl(folder / rest, at_once or cores())
    elif kind and rest:
        opened = _by_name(kind, rest, folder, at_once or cores())
    else:
        message = f"--executor: found {name!r}, expected {KNOWN}"
        raise ExecutorError(message)
    with opened as executor:
        yield executor


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if LINUX else os.cpu_count() or 1


LINUX: Final = sys.platform == "linux"


@contextmanager
def _local(slots: int) -> Iterator[OpenExecutor]:
    """Open a thread for each slot; each of them has a worker."""
    executor = ThreadPoolExecutor(slots, thread_name_prefix="worker")
    try:
        yield OpenExecutor(executor, slots, is_local=True)
    finally:
        executor.shutdown(wait=False, cancel_futures=True)
        WORKERS.stop()


@contextmanager
def _dask(address: str, at_once: int) -> Iterator[OpenExecutor]:
    try:
        from distributed import Client  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise _not_installed(error, "dask") from error
    try:
        client = Client(address, timeout=DASK_SECONDS, set_as_default=False)
        client.wait_for_workers(1, timeout=DASK_SECONDS)
    except (OSError, ValueError) as error:
        message = f"--executor: no Dask scheduler with a worker at {address}: {error}"
        raise ExecutorError(message) from error
    slots = at_once or sum(client.nthreads().values())
    # The same game twice is not the same result: nothing may come from a cache.
    executor = client.get_executor(pure=False)
    try:
        yield OpenExecutor(executor, slots)
    finally:
        executor.shutdown(wait=False)
        client.close()


@contextmanager
def _parsl(path: Path, slots: int) -> Iterator[OpenExecutor]:
    try:
        from parsl.concurrent import ParslPoolExecutor  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise _not_installed(error, "parsl") from error
    try:
        config = runpy.run_path(str(path))["config"]
    except Exception as error:
        reason = _cause(error)
        message = f"{path}: expected a configuration of Parsl as `config`: {reason}"
        raise ExecutorError(message) from error
    # Parsl starts programs of its own that are installed beside our Python.
    beside = str(Path(sys.executable).parent)
    os.environ["PATH"] = os.pathsep.join((os.environ.get("PATH", ""), beside))
    executor = ParslPoolExecutor(config)
    try:
        yield OpenExecutor(executor, slots)
    finally:
        executor.shutdown(wait=False)


def _cause(error: Exception) -> str:
    """Return what another's module raised, on one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())


@contextmanager
def _by_name(
    module: str, function: str, folder: Path, slots: int
) -> Iterator[OpenExecutor]:
    sys.path.insert(0, str(folder))
    try:
        executor = getattr(import_module(module), function)()
    except Exception as error:
        # Whatever a module of others may raise.
        message = f"--executor {module}:{function}: {_cause(error)}"
        raise ExecutorError(message) from error
    finally:
        sys.path.remove(str(folder))
    if not isinstance(executor, Executor):
        found = type(executor).__name__
        message = f"--executor {module}:{function}: found {found}, expected an Executor"
        raise ExecutorError(message)
    try:
        yield OpenExecutor(executor, slots)
    finally:
        executor.shutdown(wait=False, cancel_futures=True)
        WORKERS.stop()


def _not_installed(error: ImportError, extra: str) -> ExecutorError:
    return ExecutorError(f"--executor: {error}; install daide-server[{extra}]")

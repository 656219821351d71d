"""Executors that tests ask for by name."""

from concurrent.futures import Executor, ThreadPoolExecutor


def threads() -> Executor:
    """Return an executor of the standard library."""
    return ThreadPoolExecutor(2)


def no_executor() -> str:
    """Return something else."""
    return "threads"


def failing() -> Executor:
    """Fail as a cluster does that is not there."""
    raise ValueError("no queue\ntoday")

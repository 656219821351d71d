"""structlog, without the packages that it imports wherever they are installed.

Rich and greenlet, which other libraries of ours bring along, take longer to import than
structlog itself. It has other ways where they are missing, and those are used here, so
nothing but this module imports structlog.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

NOT_WANTED: Final = ("rich", "rich.pretty", "rich.traceback", "greenlet")
"""Modules of which structlog sees those only that were imported before."""


@contextmanager
def _missing(modules: tuple[str, ...]) -> Iterator[None]:
    """Let imports of *modules* fail inside the block, as if they were not installed."""
    absent = [name for name in modules if name not in sys.modules]
    # The import system raises `ModuleNotFoundError` for a module that is None.
    sys.modules.update(dict.fromkeys(absent))  # type: ignore[arg-type]
    try:
        yield
    finally:
        for name in absent:
            del sys.modules[name]


with _missing(NOT_WANTED):
    import structlog
    from structlog.processors import JSONRenderer
    from structlog.typing import EventDict, FilteringBoundLogger, Processor

__all__ = [
    "EventDict",
    "FilteringBoundLogger",
    "JSONRenderer",
    "Processor",
    "structlog",
]

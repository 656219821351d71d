"""Imports of much at once."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def importing() -> Iterator[None]:
    """Collect no garbage in the block, which imports.

    What modules make stays, and the collector would look through it some seventy
    times, which is a quarter of what it takes to import a server. It never looks at it
    afterwards either.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was_enabled:
            gc.enable()

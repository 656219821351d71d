"""The garbage collector, where a command makes very many objects that last."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def lasting_objects() -> Iterator[None]:
    """Let the collector not look at what is made inside the block, now or later.

    Modules, and the results of ten thousand games, are hundreds of thousands of objects
    that are all needed: to look at them again and again takes longer than to make them.
    Not for what is done more than once in a process: garbage would stay, too.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was_enabled:
            gc.enable()

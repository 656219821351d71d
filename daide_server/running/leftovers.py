"""Processes of bots that a killed worker has left, found and ended at the next start.

Each bot has a mark in its environment, which names its worker by process id and start
time, and so does a file for each worker in a folder of the user. Nothing is ever
ended by its name.
"""

import os
from itertools import count
from typing import Final

import psutil

_NUMBERS: Final = count(1)


def new_mark() -> str:
    """Return the mark of a bot that this process is about to start."""
    return f"{worker_mark()}-{next(_NUMBERS)}"


def worker_mark() -> str:
    """Return what the marks of all bots of this process begin with."""
    return f"{os.getpid()}-{psutil.Process().create_time():.2f}"

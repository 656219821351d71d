"""Programs and packages that some tests need, and that a machine may lack.

`make test` skips such tests and says why. Where `DAIDE_SERVER_TEST_ALL` is set, as in
continuous integration, what is missing fails the test instead.
"""

import os
import shutil
from importlib import import_module
from types import ModuleType
from typing import Final, NoReturn

import pytest

TEST_ALL: Final = "DAIDE_SERVER_TEST_ALL"
"""The variable that turns skips into failures."""


def need_program(*names: str) -> str:
    """Return the path of the first program of *names* that is installed."""
    found = next(filter(None, map(shutil.which, names)), None)
    return found or missing(f"program {' or '.join(names)}")


def need_package(name: str) -> ModuleType:
    """Return the module *name*, imported with all that it needs."""
    try:
        return import_module(name)
    except (ImportError, OSError):  # or a library that it needs
        missing(f"package {name}")


def missing(what: str) -> NoReturn:
    """Skip the test that needs *what*, or fail it where everything is expected."""
    message = f"{what} is not installed"
    if os.environ.get(TEST_ALL):
        pytest.fail(message)
    pytest.skip(message)

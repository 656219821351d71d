"""Programs and packages that some tests need, and that a machine may lack.

`make test` skips such tests, and sums up why on one line. Where `DAIDE_SERVER_TEST_ALL`
is set, as in continuous integration, what is missing fails the test instead.

Ask for what is needed in a test that is not asynchronous, or in a fixture: pytest-trio
loses the reason of a skip.
"""

import os
import shutil
import warnings
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType
from typing import NoReturn

import pytest

TEST_ALL = "DAIDE_SERVER_TEST_ALL"
"""The variable that turns skips into failures."""
NEEDS = "needs "
"""How the reason of a skip begins that an installation prevents."""
HOW_TO_GET_THEM = (
    "`make extras` installs the Python packages, `.ci/install` (Debian) everything"
)


def need_program(*names: str) -> str:
    """Return the path of the first program of *names* that is installed."""
    found = next(filter(None, map(shutil.which, names)), None)
    return found or missing(" or ".join(names))


def need_package(name: str) -> ModuleType:
    """Return the module *name*, imported with all that it needs.

    What it warns of while it is imported is nothing that we can mend.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return import_module(name)
    except (ImportError, OSError):  # or a library that it needs
        missing(name.partition(".")[0])


def need_sandbox() -> None:
    """Ask for a sandbox that works: `bwrap` may be installed and not allowed."""
    from daide_server.tournament.run.bot_program import bwrap_problem  # noqa: PLC0415 - rarely

    if bwrap_problem():
        missing("bwrap")


def missing(what: str) -> NoReturn:
    """Skip the test that needs *what*, or fail it where everything is expected."""
    message = f"{NEEDS}{what}"
    if os.environ.get(TEST_ALL):
        pytest.fail(message)
    pytest.skip(message, allow_module_level=True)


def summary_of_skips(reasons: Sequence[str]) -> str:
    """Return what tests were skipped for, and how to get the rest, as a line."""
    needs = {each.removeprefix(NEEDS) for each in reasons if each.startswith(NEEDS)}
    others = {each for each in reasons if not each.startswith(NEEDS)}
    causes = [NEEDS + ", ".join(sorted(needs))] * bool(needs) + sorted(others)
    line = f"{len(reasons)} skipped: {'; '.join(causes)}"
    return f"{line}. {HOW_TO_GET_THEM}" if needs else line

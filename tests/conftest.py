"""What all tests share: fixtures, and how Hypothesis draws examples."""

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from daide_server.board.map import Variant
from daide_server.library.variants import load_variant
from tests.support.needed import need_package, need_program, summary_of_skips
from tests.support.random_games import play as play
from tests.support.random_games import record_of as record_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# A loaded machine must not fail a test by time. Every run draws the same examples, on
# every machine, so that a change fails only for what it changes; `make test-long` draws
# new ones, and the database of `.hypothesis` repeats those that failed.
settings.register_profile(
    "repeatable", deadline=None, print_blob=True, derandomize=True, database=None
)
settings.register_profile("random", deadline=None, print_blob=True)
settings.load_profile(
    "random" if "DAIDE_SERVER_TEST_RANDOM" in os.environ else "repeatable"
)


LONG_TIMEOUT = 3600
"""Seconds that a test may take which is marked as long."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give long tests more time than all others have."""
    for item in items:
        if item.get_closest_marker("long") is not None:
            item.add_marker(pytest.mark.timeout(LONG_TIMEOUT))


@pytest.fixture(scope="session")
def standard() -> Variant:
    return load_variant("standard")


@pytest.fixture(scope="session")
def browser() -> Iterator["Browser"]:
    """Return Chromium, as the system has it.

    One for all tests of a process: Playwright cannot be started twice at a time.
    """
    playwright = need_package("playwright.sync_api")
    path = need_program("chromium", "chromium-browser", "google-chrome")
    with playwright.sync_playwright() as running:
        found = running.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield found
        found.close()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what tests counted, wherever they ran, and why some were skipped."""
    for report in terminalreporter.getreports("passed"):
        for name, counted in report.user_properties:
            terminalreporter.write_line(f"{report.nodeid}: {name}: {counted}")
    skipped = terminalreporter.getreports("skipped")
    if skipped:
        reasons = [report.longrepr[2].removeprefix("Skipped: ") for report in skipped]
        terminalreporter.write_line(summary_of_skips(reasons))

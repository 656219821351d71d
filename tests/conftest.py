"""What all tests share: fixtures, and how Hypothesis draws examples."""

import os

import pytest
from hypothesis import settings

from daide_server.board.variant import Variant
from daide_server.storage.variants import load_variant

# A loaded machine must not fail a test by time. CI draws the same examples in every
# run, so that a change fails only for what it changes; a developer gets new ones, and
# the database of `.hypothesis` repeats those that failed.
settings.register_profile("local", deadline=None, print_blob=True)
settings.register_profile(
    "ci", deadline=None, print_blob=True, derandomize=True, database=None
)
settings.load_profile("ci" if "CI" in os.environ else "local")


@pytest.fixture(scope="session")
def standard() -> Variant:
    """Return the standard variant."""
    return load_variant("standard")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what tests counted, wherever they ran."""
    for report in terminalreporter.getreports("passed"):
        for name, counted in report.user_properties:
            terminalreporter.write_line(f"{report.nodeid}: {name}: {counted}")

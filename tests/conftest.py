"""What every test may ask for."""

import pytest

from daide_server.board.variant import Variant
from daide_server.storage.variants import load_variant


@pytest.fixture(scope="session")
def standard() -> Variant:
    """Return the standard variant."""
    return load_variant("standard")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what tests counted, wherever they ran."""
    for report in terminalreporter.getreports("passed"):
        for name, counted in report.user_properties:
            terminalreporter.write_line(f"{report.nodeid}: {name}: {counted}")

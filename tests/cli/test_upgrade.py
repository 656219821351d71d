"""`daide-server upgrade` refuses what is no server; see end_to_end/test_renewal.py."""

import os

import pytest
from click.testing import CliRunner

from daide_server.cli import main


@pytest.mark.parametrize(
    ("pid", "reason"),
    [
        (2**22 + 1, "there is no process 4194305"),
        (os.getppid(), "is no server that can be renewed"),
    ],
)
def test_what_is_no_server_gets_no_signal(pid: int, reason: str) -> None:
    """SIGUSR2 would end it."""
    result = CliRunner().invoke(main, ["upgrade", str(pid)])
    assert result.exit_code == 1
    assert reason in result.stderr

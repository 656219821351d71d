"""A help text does not wait for what it does not need."""

import subprocess
import sys

import pytest

SLOW = ("trio", "structlog", "daide_server.judge", "daide_server.server")
SCRIPT = """
import sys
from daide_server.cli import main
main(sys.argv[1:], standalone_mode=False)
print(*set(sys.modules), file=sys.stderr)
"""


@pytest.mark.parametrize("words", [("--help",), ("bot", "--help"), ("show", "--help")])
def test_a_help_text_imports_little(words: tuple[str, ...]) -> None:
    """The event loop and the server are for the commands that run them."""
    command = [sys.executable, "-c", SCRIPT, *words]
    result = subprocess.run(command, capture_output=True, text=True, check=True)

    expected = SLOW[:2] if words[0] == "show" else SLOW
    assert not set(expected) & set(result.stderr.split())
    assert result.stdout.startswith("Usage: ")

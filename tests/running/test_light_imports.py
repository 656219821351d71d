"""Nobody who serves or plays one game waits for databases, web servers and engines."""

import subprocess
import sys

import pytest

HEAVY = {
    *("sqlalchemy", "starlette", "hypercorn", "jinja2", "prometheus_client"),
    *("distributed", "parsl", "psycopg"),
}


@pytest.mark.parametrize(
    "module",
    [
        *("daide_server.cli.serve", "daide_server.cli.play", "daide_server.cli.bot"),
        *("daide_server.running.worker", "daide_server.running.play_game"),
    ],
)
def test_heavy_packages_are_not_imported(module: str) -> None:
    code = f"import sys, {module}; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )

    loaded = set(done.stdout.split())
    assert module in loaded
    assert not loaded & HEAVY

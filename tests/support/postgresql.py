"""A PostgreSQL server of its own for a test, from the system's package."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.support.needed import missing, need_package, need_program

SYSTEM: Final = Path("/usr/lib/postgresql")
OWNER: Final = "postgres"
"""The user of the package: the server refuses to run as root."""


def _program(name: str) -> str:
    found = sorted(SYSTEM.glob(f"*/bin/{name}"))
    return str(found[-1]) if found else need_program(name)


def _as_owner(*command: str) -> list[str]:
    if os.geteuid() != 0:
        return list(command)
    return [need_program("runuser"), "-u", OWNER, "--", *command]


def _users() -> set[str]:
    return {each.pw_name for each in pwd.getpwall()}


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
    return port


@contextmanager
def postgresql() -> Iterator[str]:
    """Start a server on a free port of this machine; give the URL of a database."""
    need_package("psycopg")
    initdb, control = _program("initdb"), _program("pg_ctl")
    if os.geteuid() == 0 and OWNER not in _users():
        missing(f"user {OWNER}")
    folder = Path(tempfile.mkdtemp(prefix="postgresql-", dir="/tmp"))
    folder.chmod(0o755)
    data = folder / "data"
    data.mkdir()
    if os.geteuid() == 0:
        shutil.chown(data, OWNER)
    port = _free_port()
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories="
    start = (control, "-D", str(data), "-w", "-o", options, "-l", str(data / "log"))
    _run(initdb, "-D", str(data), "-A", "trust", "-U", OWNER)
    try:
        _run(*start, "start")
        yield f"postgresql+psycopg://{OWNER}@127.0.0.1:{port}/postgres"
    finally:
        _run(control, "-D", str(data), "-m", "immediate", "-w", "stop")
        shutil.rmtree(folder, ignore_errors=True)


def _run(*command: str) -> None:
    subprocess.run(_as_owner(*command), check=True, stdout=subprocess.DEVNULL, cwd="/")

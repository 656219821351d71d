"""A board that is not ours, and a game on it; servers that play a script."""

import json
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from daide_server.cli import main
from daide_server.daide.frames import INITIAL_MESSAGE, encode_tokens
from daide_server.daide.frames import representation_message as _representation
from daide_server.daide.vocabulary import Vocabulary, from_text
from daide_server.host_port import address_text

RM = _representation(Vocabulary.standard().representation)
SECONDS = 20
Script = Callable[[socket.socket], None]

ISLE = """\
name = "isle"
first_turn = "SPR 1901"

[powers]
RED = { name = "Red", homes = ["TWO"], units = ["F TWO/NCS"] }
BLU = { name = "Blue", homes = ["ONE"], units = ["A ONE"] }

[provinces]
ONE = { name = "First", centre = true, army = ["TWO"], fleet = ["SEA"] }
TWO = { name = "Second", centre = true, army = ["ONE"], fleet = { NCS = ["SEA"], SCS = ["SEA"] } }
ILE = { name = "Island", centre = true, army = [], fleet = ["SEA"] }
SEA = { name = "Sea", fleet = ["ILE", "ONE", "TWO/NCS", "TWO/SCS"] }
"""  # noqa: E501 (a map file has long lines)

GAME = {
    "id": "first-landing",
    "map": "isle",
    "phases": [
        {
            "name": "S1901M",
            "state": {
                "name": "S1901M",
                "units": {"RED": ["F TWO/NC"], "BLU": ["A ONE"]},
                "centers": {"RED": ["TWO"], "BLU": ["ONE"]},
            },
            "orders": {"RED": ["F TWO/NC - SEA"], "BLU": ["A ONE - TWO"]},
            "results": {"F TWO/NC": [], "A ONE": []},
            "messages": [],
        },
        {
            "name": "F1901M",
            "state": {
                "name": "F1901M",
                "units": {"RED": ["F SEA"], "BLU": ["A TWO"]},
                "centers": {"RED": ["TWO"], "BLU": ["ONE"]},
            },
            "orders": {},
            "results": {},
            "messages": [],
        },
    ],
}


@pytest.fixture
def isle(tmp_path: Path) -> Path:
    """Return the file of a board of two powers."""
    path = tmp_path / "isle.toml"
    path.write_text(ISLE)
    return path


@pytest.fixture
def landing(tmp_path: Path) -> Path:
    """Return the record of a game on that board, one turn old."""
    path = tmp_path / "landing.json"
    path.write_text(json.dumps(GAME))
    return path


def message(text: str) -> bytes:
    return encode_tokens(from_text(text, Vocabulary.standard()))


def exactly(client: socket.socket, size: int) -> bytes:
    """Return *size* bytes, fewer if the client has gone."""
    data = b""
    while len(data) < size and (more := client.recv(size - len(data))):
        data += more
    return data


def says(*parts: bytes) -> Script:
    """Return a server that says *parts*, and then nothing until the client goes."""

    def script(client: socket.socket) -> None:
        client.sendall(b"".join(parts))
        while client.recv(1000):
            pass

    return script


@contextmanager
def serving(script: Script, host: str = "127.0.0.1") -> Iterator[tuple[str, int]]:
    """Give the address of a server for one client: after its IM it plays *script*."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server((host, 0), family=family) as server:
        server.settimeout(SECONDS)

        def serve() -> None:
            client, _ = server.accept()
            with client:
                client.settimeout(SECONDS)
                assert exactly(client, len(INITIAL_MESSAGE)) == INITIAL_MESSAGE
                script(client)

        with ThreadPoolExecutor(1) as pool:
            serves = pool.submit(serve)
            yield host, server.getsockname()[1]
            serves.result()


def asked(command: str, script: Script, *words: str, **how: object) -> Result:
    """Return the result of a command that connects to a server with a *script*."""
    host = str(how.pop("host", "127.0.0.1"))
    with serving(script, host) as address:
        given = [command, address_text(address), *words]
        return CliRunner().invoke(main, given, **how)  # type: ignore[arg-type]

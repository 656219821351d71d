"""A server in a process, and what seven clients of a real server do together."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from daide_server.board.map import Position
from daide_server.library.variants import load_variant
from daide_server.records.formats.registry import DEFAULT, FORMATS
from daide_server.records.record import GameRecord
from tests.support.peers import Clients, Peer, holds


class ServerProcess(Clients):
    """`daide-server serve` in a process of its own, whose log is a file."""

    def __init__(
        self, folder: Path, *words: str, lines: int = 1, **environment: str
    ) -> None:
        """Start it; it prints so many *lines* before clients can come."""
        self.records = folder / "records"
        self._log = folder / "log"
        command = [sys.executable, "-m", "daide_server", "serve", "--port", "0"]
        command += ["--records", str(self.records)]
        command += ["--journal", str(folder / "journal"), *words]
        with self._log.open("wb") as log:
            self.process = subprocess.Popen(
                command,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                cwd=folder,
                env={**os.environ, **environment},
            )
        assert self.process.stdout is not None
        self.lines = [self.process.stdout.readline() for _ in range(lines)]
        super().__init__(self.lines[0].split()[-1])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Kill what is left of it."""
        self.process.kill()
        self.process.communicate()

    @property
    def log(self) -> str:
        return self._log.read_text()


async def all_hold(seats: Mapping[str, Peer], start: Position) -> dict[str, list[str]]:
    """Let the units of *start* hold; return the messages to each, up to NOW."""
    for power, peer in seats.items():
        await peer.say(holds(start, power))
    return {power: await peer.hear_until("NOW") for power, peer in seats.items()}


async def passcode(peer: Peer) -> int:
    """Ask for HLO, and return the passcode in it."""
    await peer.say("HLO")
    return int((await peer.hear_until("HLO"))[-1].split()[5])


def record_in(folder: Path) -> GameRecord:
    """Return the only record in *folder*."""
    (path,) = folder.glob("*.json")
    return FORMATS[DEFAULT].read(path.read_bytes(), load_variant)


def recorded(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(path.read_text()) for path in folder.glob("*.json")]

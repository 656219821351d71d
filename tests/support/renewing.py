"""A server that is renewed under load, and clients that count every message.

Run as a script for a loop: `python -m tests.support.renewing --renewals 100`.
"""

import argparse
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
from collections import Counter, deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Final

import click
import trio

from daide_server.app.renewal_report import report_of
from daide_server.language.text import from_text
from daide_server.storage.journal_file import JournalFile
from daide_server.wire.frames import encode_tokens

from .killing import UNIT
from .peers import IM, PATIENCE, POWERS, RM, WORDS, Peer

DIGITS: Final = ("ALB", "BEL", "BUD", "BUL", "CLY", "DEN", "EDI", "FIN", "GRE", "HOL")
PRESS: Final = re.compile(r"FRM \( (\w{3}) \) .* DMZ \( \w{3} \) \( ([A-Z ]+) \)")
ADMIN: Final = re.compile(r"ADM \( '(\w+)' \) \( '(\d+)' \)")
WINDOW: Final = 6
"""How many batches may be unanswered."""
SETTINGS: Final = """
[limits]
record_bytes_per_hour = 1000000000
record_bytes_per_game = 1000000000
connections_per_address = 1000
"""


class CountingClient:
    """Sends orders, press and remarks all the time; counts all that comes back."""

    def __init__(self, name: str, seed: int) -> None:
        self.name = name
        self.power = ""
        self.sent = 0
        self.handled = 0
        self.turns = 0
        self.press: Counter[str] = Counter()
        self.remarks: Counter[str] = Counter()
        self._expected: deque[str] = deque()
        self._units: list[str] = []
        self._season = ""
        self._random = Random(seed)
        self._answered = trio.Event()
        self._peer: Peer | None = None

    @property
    def peer(self) -> Peer:
        """Return the connection."""
        assert self._peer is not None
        return self._peer

    async def join(self, port: int) -> None:
        """Take a seat."""
        self._peer = Peer(await trio.open_tcp_stream("127.0.0.1", port))
        await self.peer.send(IM)
        assert await self.peer.frame() == RM
        await self.peer.join(self.name)

    async def leave(self) -> None:
        """Close the connection, if there is one."""
        if self._peer is not None:
            await self._peer.close()

    async def start(self) -> None:
        """Wait for the first turn."""
        self.power = (await self.peer.hear_until("HLO"))[-1][6:9]
        self._look((await self.peer.hear_until("NOW"))[-1])

    def _look(self, text: str) -> None:
        self._season = text.split()[2]
        self._units = [
            f"({self.power} {kind} {place})"
            for power, kind, place in UNIT.findall(text)
            if power == self.power
        ]

    @property
    def is_answered(self) -> bool:
        """Return whether every message has its answer."""
        return not self._expected

    async def talk(self, stop: trio.Event) -> None:
        """Send batches, cut anywhere, until *stop*."""
        while not stop.is_set():
            while len(self._expected) > WINDOW * 4 and not stop.is_set():
                self._answered = trio.Event()
                with trio.move_on_after(1):
                    await self._answered.wait()
            data = b"".join(
                encode_tokens(from_text(text, WORDS)) for text in self._batch()
            )
            cut = self._random.randrange(len(data))
            await self.peer.send(data[:cut])
            await trio.sleep(self._random.random() * 0.02)
            await self.peer.send(data[cut:])

    def _batch(self) -> list[str]:
        """Return messages, and expect their answers."""
        self.sent += 1
        words = " ".join(DIGITS[int(digit)] for digit in f"{self.sent:06}")
        others = " ".join(power for power in POWERS if power != self.power)
        batch = [
            f"SND ({others}) (PRP (DMZ ({self.power}) ({words})))",
            f"ADM ('{self.power}') ('{self.sent}')",
            "MAP",
        ]
        self._expected += ["YES ( SND", f"ADM ( '{self.power}' )", "MAP"]
        if self._season in {"SPR", "FAL"} and self._random.random() < 0.3:
            unit = self._random.choice(self._units)
            batch.append(f"SUB ({unit} HLD)")
            self._expected.append("THX")
        return batch

    async def listen(self) -> None:
        """Count what comes; raises `AssertionError` for a lost or doubled message."""
        while True:
            frame = await self.peer.frame()
            assert frame, f"{self.name}: the connection was closed"
            self.handled += 1
            self._take(self.peer.text(frame))

    def _take(self, text: str) -> None:
        if press := PRESS.match(text):
            number = int("".join(str(DIGITS.index(word)) for word in press[2].split()))
            self._count(self.press, press[1], number)
            return
        if remark := ADMIN.match(text):
            self._count(self.remarks, remark[1], int(remark[2]))
            if remark[1] != self.power:
                return
        elif text.startswith("NOW"):
            self.turns += 1
            self._look(text)
            return
        elif not text.startswith(("YES", "THX", "MAP", "REJ", "HUH")):
            return
        expected = self._expected.popleft()
        assert text.startswith(expected), f"{self.name}: {text}, not {expected}"
        self._answered.set()

    def _count(self, counts: Counter[str], sender: str, number: int) -> None:
        counts[sender] += 1
        assert number == counts[sender], (
            f"{self.name}: number {number} of {sender}, not {counts[sender]}"
        )


class RenewedServer:
    """`daide-server serve`, and how long it paused."""

    def __init__(self, folder: Path, *words: str) -> None:
        config = folder / "server.toml"
        config.write_text(SETTINGS)
        self._log = folder / "log"
        self.records = folder / "records"
        command = [sys.executable, "-m", "daide_server", "serve"]
        command += ["--config", str(config), "--port", "0", "--level", "20"]
        command += ["--journal", str(folder / "journal"), "--mtl", "2"]
        command += ["--records", str(self.records), *words]
        environment = dict(os.environ)
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        with self._log.open("wb") as log:
            self.process = subprocess.Popen(
                command,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env=environment,
            )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line.startswith("listening on"), self.log
        self.port = int(line.rsplit(":", 1)[1])

    @property
    def log(self) -> str:
        """Return the log so far."""
        return self._log.read_text()

    @property
    def pauses(self) -> list[float]:
        """Return the pause of each renewal, in seconds."""
        return [float(each) for each in re.findall(r"pause=([\d.]+)", self.log)]

    @property
    def renewals(self) -> int:
        """Return how often the server was renewed, or has refused to be."""
        report = report_of(self.process.pid)
        return 0 if report is None else report.attempts

    async def renew(self) -> None:
        """Renew the server, and wait until it is."""
        before = self.renewals
        self.process.send_signal(signal.SIGUSR2)
        await _until(lambda: self.renewals > before)

    def stop(self) -> int:
        """Stop the server; return its exit code."""
        self.process.send_signal(signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(20)
        self.process.kill()
        if self.process.stdout is not None:
            self.process.stdout.close()
        return self.process.wait()


async def renew_under_load(
    folder: Path, renewals: int, games: int, *words: str
) -> RenewedServer:
    """Renew a server so often while *games* are played; all messages must arrive."""
    server = RenewedServer(folder, *words)
    clients = [CountingClient(f"c{n}", n) for n in range(7 * games)]
    forming = CountingClient("forming", 0)
    try:
        for client in (*clients, forming):
            await client.join(server.port)
        for client in clients:
            await client.start()
        await _play(server, clients, renewals)
        await forming.peer.say("MAP")
        assert await forming.peer.hear() == "MAP ( 'standard' )"
        assert len(server.pauses) == renewals, server.log
    finally:
        code = server.stop()
        for client in (*clients, forming):
            await client.leave()
    assert code == 0, server.log
    (path,) = (folder / "journal").glob("*.journal")
    with JournalFile(path) as journal:
        assert not journal.recovered.damaged
        assert len(journal.recovered.games) == games
    total = sum(client.handled for client in clients)
    turns = sum(client.turns for client in clients) // 7
    click.echo(
        f"{renewals} renewals, {len(clients)} clients, {total} messages, "
        f"{turns} turns, pause p50 {statistics.median(server.pauses):.2f} s, "
        f"longest {max(server.pauses):.2f} s"
    )
    return server


async def _play(
    server: RenewedServer, clients: list[CountingClient], renewals: int
) -> None:
    """Let *clients* talk while *server* is renewed, until all has arrived."""
    stop = trio.Event()
    async with trio.open_nursery() as listening:
        for client in clients:
            listening.start_soon(client.listen)
        async with trio.open_nursery() as talking:
            for client in clients:
                talking.start_soon(client.talk, stop)
            for _ in range(renewals):
                await trio.sleep(0.2)
                await server.renew()
            await trio.sleep(0.2)
            stop.set()
        await _until(lambda: all(client.is_answered for client in clients))
        await _until(lambda: _have_all_arrived(clients))
        listening.cancel_scope.cancel()


async def _until(is_true: Callable[[], bool]) -> None:
    with trio.fail_after(PATIENCE):
        while not is_true():  # noqa: ASYNC110 (other tasks count)
            await trio.sleep(0.02)


def _have_all_arrived(clients: list[CountingClient]) -> bool:
    """Return whether every client has what the others of its game sent."""
    return all(
        client.remarks[other.power] == other.sent
        and (other is client or client.press[other.power] == other.sent)
        for first in range(0, len(clients), 7)
        for client in clients[first : first + 7]
        for other in clients[first : first + 7]
    )


def main() -> None:
    """Renew a server, as often as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--renewals", type=int, default=100)
    parser.add_argument("--games", type=int, default=4)
    parser.add_argument("--durability", default="process")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        words = ("--durability", chosen.durability)
        trio.run(renew_under_load, Path(folder), chosen.renewals, chosen.games, *words)


if __name__ == "__main__":
    main()

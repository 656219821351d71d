"""How much do floods delay a game beside them? Ratios of one run, rounds in turns.

    python bench/floods.py [--rounds 3] [--turns 300] [FLOOD ...]

Each round plays one game of seven holding clients against a fresh server, once
without and once beside each flood, and times each turn from the last SUB to the last
NOW. The server has a processor of its own; the clients of the game and the flood share
another. On a machine with other work, `--real-time` lets the server and the clients
of the game (not the flood) go before all other programs; it needs the right to. A
flood ends with its round, or after `FLOOD_SECONDS`.
"""

import argparse
import os
import selectors
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from statistics import median
from typing import Final

from attrs import frozen

from daide_server.daide.tokens import NOW
from daide_server.daide.vocabulary import Vocabulary, from_text
from daide_server.library.variants import load_variant

ROUNDS = 3
TURNS = 300
WARM_UP = 20
FLOOD_SECONDS = 60.0
PATIENCE = 20.0
"""Seconds for a turn, and for a flood to begin."""
POLICY = os.SCHED_RR | os.SCHED_RESET_ON_FORK
"""Before all other programs; children do not inherit that."""
INITIAL = struct.pack(">BBHHH", 0, 0, 4, 1, 0xDA10)
HEADER = struct.Struct(">BBHH")
VARIANT = load_variant("standard")
WORDS = Vocabulary.of(VARIANT.map)


def message(text: str) -> bytes:
    """Return a diplomacy message as bytes of the wire."""
    tokens = from_text(text, WORDS)
    body = struct.pack(f">{len(tokens)}H", *tokens)
    return struct.pack(">BBH", 2, 0, len(body)) + body


YES_MAP = message("YES (MAP ('standard'))")
SEATS = tuple(VARIANT.map.powers)
START_UNITS = {
    "AUS": "FLT TRI, AMY BUD, AMY VIE",
    "ENG": "FLT LON, FLT EDI, AMY LVP",
    "FRA": "FLT BRE, AMY PAR, AMY MAR",
    "GER": "FLT KIE, AMY BER, AMY MUN",
    "ITA": "FLT NAP, AMY ROM, AMY VEN",
    "RUS": "FLT SEV, FLT (STP SCS), AMY MOS, AMY WAR",
    "TUR": "FLT ANK, AMY CON, AMY SMY",
}


# The floods


@frozen
class Flood:
    """Clients that say one thing as fast as they can."""

    clients: int
    says: Callable[[str], str]
    """Returns what the client of a power says, if it is a player."""
    joins: str = ""
    """NME or OBS; empty: they join nothing."""
    reads: bool = True


def says(text: str) -> Callable[[str], str]:
    """Return what says the same for each client."""
    return lambda _: text


def many_orders(power: str) -> str:
    """Return a SUB of 2,000 orders."""
    unit = START_UNITS[power].split(", ")[0]
    return "SUB " + f"(({power} {unit}) HLD)" * 2000


def press(power: str) -> str:
    """Return a proposal to all others."""
    others = " ".join(each for each in SEATS if each != power)
    return f"SND ({others}) (PRP (PCE ({power} {others})))"


FLOODS: Mapping[str, Flood] = {
    "HST": Flood(20, says("HST (SPR 1901)"), "OBS"),
    "HST 100": Flood(100, says("HST (SPR 1901)"), "OBS"),
    "MDF": Flood(20, says("MDF")),
    "unread": Flood(20, says("MDF"), reads=False),
    "GOF": Flood(20, says("GOF")),
    "ADM": Flood(20, says(f"ADM ('x') ('{'y' * 200}')"), "OBS"),
    "OBS": Flood(20, says("OBS"), "OBS"),
    "SUB": Flood(7, many_orders, "NME"),
    "DRW": Flood(7, says("DRW"), "NME"),
    "SND": Flood(7, press, "NME"),
}


class Client:
    """One connection, and how often it was told the position."""

    def __init__(self, address: tuple[str, int]) -> None:
        self.socket: Final = socket.create_connection(address, PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.sendall(INITIAL)
        self.power = ""
        self.positions = 0
        self._buffer = b""

    def hear(self) -> int:
        """Read once, and count the messages NOW; return how many bytes came."""
        data = self.socket.recv(65536)
        if not data:
            raise EOFError
        size_read = len(data)
        data, place = self._buffer + data, 0
        while len(data) - place >= HEADER.size:
            kind, _, size, first = HEADER.unpack_from(data, place)
            if not size and kind != 1:
                break
            if len(data) - place < 4 + size:
                break
            if kind == 2 and first == NOW:  # noqa: PLR2004 (a diplomacy message)
                self.positions += 1
            elif kind == 2 and first == HELLO:  # noqa: PLR2004 (the same)
                self.power = POWERS[data[place + 9]]
            place += 4 + size
        self._buffer = data[place:]
        return size_read


HELLO = from_text("HLO", WORDS)[0]
POWERS = {from_text(power, WORDS)[0] & 0xFF: power for power in SEATS}


def players(address: tuple[str, int]) -> list[Client]:
    """Return seven clients of a game that has begun."""
    clients = [Client(address) for _ in SEATS]
    for client in clients:
        client.socket.sendall(message("NME ('control') ('1')") + YES_MAP)
    for client in clients:
        while not client.positions:
            client.hear()
    return clients


def flood(chosen: Flood, address: tuple[str, int]) -> None:
    """Flood the server, until killed or for so many seconds."""
    if chosen.joins == "NME":
        clients = players(address)
    else:
        clients = [Client(address) for _ in range(chosen.clients)]
        for client in clients:
            if chosen.joins:
                client.socket.sendall(message(chosen.joins) + YES_MAP)
    selector = selectors.DefaultSelector()
    events = selectors.EVENT_WRITE | (selectors.EVENT_READ if chosen.reads else 0)
    unsent: dict[Client, memoryview] = {}
    blocks: dict[Client, bytes] = {}
    for client in clients:
        client.socket.setblocking(False)
        selector.register(client.socket, events, client)
        said = message(chosen.says(client.power))
        blocks[client] = said * max(1, 16000 // len(said))
        unsent[client] = memoryview(blocks[client])
    print("ready", flush=True)
    ends = time.monotonic() + FLOOD_SECONDS
    while time.monotonic() < ends:
        for key, ready in selector.select(1.0):
            client = key.data
            with suppress(BlockingIOError):
                if ready & selectors.EVENT_READ and not client.socket.recv(65536):
                    raise EOFError
            with suppress(BlockingIOError):
                if ready & selectors.EVENT_WRITE:
                    sent = client.socket.send(unsent[client])
                    rest = unsent[client][sent:]
                    unsent[client] = rest or memoryview(blocks[client])


# The game beside them


@contextmanager
def running(*command: str, on: int | None) -> Iterator[tuple[int, str]]:
    """Run a program on one processor; give its id and its first line, then end it."""
    with subprocess.Popen(
        [sys.executable, *command],
        stdout=subprocess.PIPE,
        stderr=None if "--flood" in command else subprocess.DEVNULL,
        text=True,
    ) as process:
        try:
            if on is not None:
                os.sched_setaffinity(process.pid, {on})
            assert process.stdout is not None
            yield process.pid, process.stdout.readline().strip()
        finally:
            process.send_signal(signal.SIGKILL)


def turns(clients: Sequence[Client], count: int) -> list[float]:
    """Return the milliseconds from the last SUB to the last NOW, of each turn."""
    holds = {client: hold(client.power) for client in clients}
    taken: list[float] = []
    for _ in range(count):
        before = [client.positions for client in clients]
        for client, orders in holds.items():
            client.socket.sendall(orders)
        began = time.perf_counter()
        for client, positions in zip(clients, before, strict=True):
            while client.positions == positions:
                client.hear()
        taken.append(1000 * (time.perf_counter() - began))
    return taken


def hold(power: str) -> bytes:
    """Return a SUB in which all units of a power hold."""
    orders = " ".join(
        f"(({power} {words}) HLD)" for words in START_UNITS[power].split(", ")
    )
    return message(f"SUB {orders}")


def go_first(pid: int = 0) -> None:
    """Let a process go before all others."""
    os.sched_setscheduler(pid, POLICY, os.sched_param(1))


@frozen
class Machine:
    """Where programs run."""

    cores: Sequence[int | None]
    is_real_time: bool


def one_round(name: str, count: int, machine: Machine) -> list[float]:
    """Return the milliseconds of the turns of a game beside one flood."""
    cores = machine.cores
    with tempfile.TemporaryDirectory() as folder:
        server = ["-m", "daide_server", "serve", "--port", "0", "--level", "20"]
        server += ["--records", folder, "--journal", f"{folder}/journal"]
        with running(*server, on=cores[0]) as (pid, line):
            port = int(line.rpartition(":")[2])
            clients = players(("127.0.0.1", port))
            turns(clients, WARM_UP)
            if machine.is_real_time:
                go_first(pid)
            if not name:
                return turns(clients, count)
            script = [__file__, "--flood", name, "--port", str(port)]
            return beside(script, cores[-1], lambda: turns(clients, count))


def beside(
    script: list[str], core: int | None, measure: Callable[[], list[float]]
) -> list[float]:
    """Return what is measured while another script runs."""
    with running(*script, on=core) as (pid, line):
        assert line == "ready", line
        measure()  # until what clients may use at once is used
        found = measure()
        state = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        assert state is None, "the flood has ended"
        return found


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which a *share* of *values* is."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def compare(
    names: Sequence[str], rounds: int, count: int, *, is_real_time: bool
) -> None:
    """Print milliseconds beside each flood, and the median ratio to none."""
    cores: list[int | None] = [*sorted(os.sched_getaffinity(0))]
    if len(cores) > 1:
        os.sched_setaffinity(0, {cores[-1] or 0})
    else:
        cores = [None]
    if is_real_time:
        go_first()
    machine = Machine(cores, is_real_time)
    found: dict[str, list[list[float]]] = {name: [] for name in ("", *names)}
    for _ in range(rounds):
        for name, each in found.items():
            each.append(one_round(name, count, machine))
    print(f"{rounds} rounds of {count} turns; load average {os.getloadavg()[0]:.1f}")
    print(f"{'':10}{'p50 ms':>10}{'ratio':>8}{'p99 ms':>10}{'ratio':>8}{'least':>8}")
    for name, each in found.items():
        cells = f"{name or 'none':10}"
        for share in (0.5, 0.99):
            figures = [percentile(times, share) for times in each]
            plain = [percentile(times, share) for times in found[""]]
            ratios = [one / other for one, other in zip(figures, plain, strict=True)]
            cells += f"{median(figures):10.2f}{median(ratios):8.1f}"
        print(f"{cells}{min(ratios):8.1f}")


def main() -> None:
    """Compare all floods, or those that are named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--turns", type=int, default=TURNS)
    parser.add_argument("--real-time", action="store_true")
    parser.add_argument("--flood", help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, help=argparse.SUPPRESS)
    parser.add_argument("names", nargs="*", metavar="FLOOD", help=" ".join(FLOODS))
    options = parser.parse_args()
    if options.flood is not None:
        flood(FLOODS[options.flood], ("127.0.0.1", options.port))
    else:
        compare(
            options.names or list(FLOODS),
            options.rounds,
            options.turns,
            is_real_time=options.real_time,
        )


if __name__ == "__main__":
    main()

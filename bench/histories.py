"""What HST costs a server with a long game, and the other games beside it.

    python -m bench.histories [--turns 150] [--rounds 3]

A game of holds is played so far; then one of its clients asks for each of its turns, in
one piece. A second game is timed alone, and while ten clients of the first ask for all
turns again and again, from a process of their own.
"""

import argparse
import os
import selectors
import signal
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from statistics import median

from bench.floods import Client, message, percentile, players, running, turns

FIRST_YEAR = 1901
ASKERS = 10
MEASURED = 300
START = signal.SIGUSR1
SECONDS = 40.0
"""After which the askers end."""


def questions(count: int) -> bytes:
    """Return HST for each of the first *count* turns of a game of holds."""
    seasons = ("SPR", "FAL")
    asked = (f"HST ({seasons[at % 2]} {FIRST_YEAR + at // 2})" for at in range(count))
    return b"".join(map(message, asked))


def answered(client: Client, count: int) -> tuple[float, int]:
    """Return the milliseconds until all answers are there, and their bytes."""
    size, wanted = 0, client.positions + count
    began = time.perf_counter()
    client.socket.sendall(questions(count))
    while client.positions < wanted:
        size += client.hear()
    return 1000 * (time.perf_counter() - began), size


def ask(port: int, count: int) -> None:
    """Play a long game; then ask for all of it, until killed or for so many seconds."""
    address = ("127.0.0.1", port)
    clients = players(address)
    turns(clients, count)
    found = [answered(clients[0], count) for _ in range(5)]
    milliseconds, size = min(found)
    signal.pthread_sigmask(signal.SIG_BLOCK, {START})
    print(f"{milliseconds:.1f} ms, {size} bytes", flush=True)
    observers = [Client(address) for _ in range(ASKERS - len(clients))]
    for client in observers:
        client.socket.sendall(message("OBS") + message("YES (MAP ('standard'))"))
    signal.sigwait({START})
    block = questions(count)
    selector = selectors.DefaultSelector()
    unsent = dict.fromkeys((*clients, *observers), memoryview(block))
    for client in unsent:
        client.socket.setblocking(False)
        both = selectors.EVENT_READ | selectors.EVENT_WRITE
        selector.register(client.socket, both, client)
    ends = time.monotonic() + SECONDS
    while time.monotonic() < ends:
        for key, ready in selector.select(1.0):
            with suppress(BlockingIOError):
                if ready & selectors.EVENT_READ and not key.data.socket.recv(65536):
                    raise EOFError
            with suppress(BlockingIOError):
                if ready & selectors.EVENT_WRITE:
                    rest = unsent[key.data]
                    rest = rest[key.data.socket.send(rest) :]
                    unsent[key.data] = rest or memoryview(block)


def one_round(count: int) -> tuple[str, Sequence[float], Sequence[float]]:
    """Return what one client was told, and the turns of a game alone and beside ten."""
    with tempfile.TemporaryDirectory() as folder:
        server = ["-m", "daide_server", "serve", "--port", "0", "--records", folder]
        server += ["--journal", f"{folder}/journal"]
        with running(*server, on=None) as (_, line):
            port = line.rpartition(":")[2]
            script = ["-m", "bench.histories", "--ask", port, "--turns", str(count)]
            with running(*script, on=None) as (asker, told):
                clients = players(("127.0.0.1", int(port)))
                turns(clients, 20)
                alone = turns(clients, MEASURED)
                os.kill(asker, START)
                turns(clients, MEASURED)  # until what clients may use at once is used
                return told, alone, turns(clients, MEASURED)


def main() -> None:
    """Compare rounds; or ask, as the other process."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=150)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--ask", type=int, metavar="PORT", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.ask is not None:
        ask(chosen.ask, chosen.turns)
        return
    rounds = [one_round(chosen.turns) for _ in range(chosen.rounds)]
    for told, alone, beside in rounds:
        figures = [
            percentile(x, share) for share in (0.5, 0.99) for x in (alone, beside)
        ]
        print(f"all {chosen.turns} turns: {told}; beside: p50, p99, longest ms", end="")
        print("".join(f"{each:8.2f}" for each in (*figures, max(alone), max(beside))))
    for share in (0.5, 0.99):
        ratios = [percentile(b, share) / percentile(a, share) for _, a, b in rounds]
        print(f"p{100 * share:.0f}: {median(ratios):.2f} times that without them")


if __name__ == "__main__":
    main()

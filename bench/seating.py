"""Does it cost more to seat a game when many games run? CPU of each hundred.

    python bench/seating.py [--games 1000]

Games of seven clients are seated one after the other, with the journal, and stay open.
Prints the processor time of the server for each hundred.
"""

import argparse
import os
import resource
import tempfile
from pathlib import Path

from bench.floods import players, running

HUNDRED = 100


def cpu_of(pid: int) -> float:
    """Return the processor time of a process in seconds, in its code and for it."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Seat games, and print what each hundred took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    games = parser.parse_args().games
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    clients = []
    with tempfile.TemporaryDirectory() as folder:
        server = ["-m", "daide_server", "serve", "--port", "0", "--records", folder]
        server += ["--journal", f"{folder}/journal"]
        with running(*server, on=None) as (pid, line):
            port = int(line.rpartition(":")[2])
            before = cpu_of(pid)
            for number in range(1, games + 1):
                clients += players(("127.0.0.1", port))
                if number % HUNDRED == 0:
                    now = cpu_of(pid)
                    print(f"to {number:5}: {now - before:.2f} s", flush=True)
                    before = now


if __name__ == "__main__":
    main()

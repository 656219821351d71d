"""What a command costs before it does anything: processor time until it is ready.

    python bench/startup.py [ROUNDS]

`serve` until it listens and until its first YES, `play` until its first turn and to the
end of a year, `bot` and `--help` against interpreters that only import the libraries
they cannot do without. All in turns, in one run; medians of the
processor time of whole processes, as the kernel counts it (`wait4`).

The bytecode of all of them is in a folder of this run, as pip leaves it beside what it
installs: a tree that may keep none (`PYTHONDONTWRITEBYTECODE`) is compiled anew at each
start, which costs more than all the rest. The processes run in empty folders: what is
measured is the package that is installed, or that of PYTHONPATH.
"""

import argparse
import os
import signal
import socket
import struct
import subprocess
import sys
import tempfile
from collections.abc import Callable
from statistics import median

from daide_server.daide.tokens import BRA, KET, NME, YES

ROUNDS = 15
PROGRAM = (sys.executable, "-m", "daide_server")
LIBRARIES = "import trio, attrs, structlog"
HELP_LIBRARIES = "import click, rich.console"
WARM_UP = 2
"""Rounds that are not counted; the first of them writes the bytecode."""
INITIAL = bytes.fromhex("00000004 0001da10")
NAME = struct.pack(
    ">BxH7H", 2, 14, NME, BRA, 0x4B00 + ord("x"), KET, BRA, 0x4B00 + ord("1"), KET
)
"""NME ('x') ('1')"""


def cpu_of(process: "subprocess.Popen[bytes]") -> float:
    """Return the processor time in milliseconds of *process*, which ends."""
    _, _, usage = os.wait4(process.pid, 0)
    process.returncode = 0
    return 1000 * (usage.ru_utime + usage.ru_stime)


def start(*command: str, cwd: str | None = None) -> "subprocess.Popen[bytes]":
    """Return a process with a standard output to read."""
    return subprocess.Popen(
        command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )


def whole(*command: str) -> Callable[[], float]:
    """Return a measurement of a command that ends by itself."""

    def measure() -> float:
        with tempfile.TemporaryDirectory() as folder:
            process = start(*command, cwd=folder)
            assert process.stdout is not None
            process.stdout.read()
            return cpu_of(process)

    return measure


def until_line(*command: str, line: int = 1) -> Callable[[], float]:
    """Return a measurement of a command that is killed after that line."""

    def measure() -> float:
        with tempfile.TemporaryDirectory() as folder:
            process = start(*command, cwd=folder)
            assert process.stdout is not None
            for _ in range(line):
                process.stdout.readline()
            process.send_signal(signal.SIGKILL)
            return cpu_of(process)

    return measure


def serve_until_yes() -> float:
    """Return what a server takes until its first YES, to the NME of a client."""
    with tempfile.TemporaryDirectory() as folder:
        process = start(*PROGRAM, "serve", "--port", "0", cwd=folder)
        assert process.stdout is not None
        port = int(process.stdout.readline().rpartition(b":")[2])
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.sendall(INITIAL + NAME)
            said = b""
            while YES.to_bytes(2, "big") not in said:
                said += connection.recv(4096)
            process.send_signal(signal.SIGKILL)
            return cpu_of(process)


def bot_until_name() -> float:
    """Return what a bot takes until its NME, at a server that says RM only."""
    with (
        socket.create_server(("127.0.0.1", 0)) as listening,
        tempfile.TemporaryDirectory() as folder,
    ):
        port = listening.getsockname()[1]
        process = start(*PROGRAM, "bot", "dumb", "--port", str(port), cwd=folder)
        connection, _ = listening.accept()
        with connection:
            connection.recv(8)
            connection.sendall(bytes.fromhex("01000000"))
            connection.recv(4)
            process.send_signal(signal.SIGKILL)
            return cpu_of(process)


MEASUREMENTS = {
    LIBRARIES: whole(sys.executable, "-c", LIBRARIES),
    "serve until it listens": until_line(*PROGRAM, "serve", "--port", "0"),
    "serve until its first YES": serve_until_yes,
    "play until its first turn": until_line(*PROGRAM, "play", "--year-limit", "1901"),
    "play until its second year": until_line(
        *PROGRAM, "play", "--year-limit", "1901", line=2
    ),
    "play of one year": whole(*PROGRAM, "play", "--year-limit", "1901"),
    "bot until NME": bot_until_name,
    HELP_LIBRARIES: whole(sys.executable, "-c", HELP_LIBRARIES),
    "serve --help": whole(*PROGRAM, "serve", "--help"),
    "play --help": whole(*PROGRAM, "play", "--help"),
    "bot --help": whole(*PROGRAM, "bot", "--help"),
    "replay --help": whole(*PROGRAM, "replay", "--help"),
    "adjudicate --help": whole(*PROGRAM, "adjudicate", "--help"),
    "render --help": whole(*PROGRAM, "render", "--help"),
}


def main() -> None:
    """Print a line for each measurement."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rounds", type=int, nargs="?", default=ROUNDS)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as bytecode:
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = bytecode
        report(rounds)


def report(rounds: int) -> None:
    """Measure all in turns, *rounds* times."""
    times: dict[str, list[float]] = {name: [] for name in MEASUREMENTS}
    for number in range(WARM_UP + rounds):
        for name, measure in MEASUREMENTS.items():
            taken = measure()
            if number >= WARM_UP:
                times[name].append(taken)
    base = LIBRARIES
    for name, taken_times in times.items():
        if name in (LIBRARIES, HELP_LIBRARIES):
            base = name
        ratio = median(taken_times) / median(times[base])
        print(f"{name:32} {median(taken_times):6.0f} ms  {ratio:4.2f}")


if __name__ == "__main__":
    main()

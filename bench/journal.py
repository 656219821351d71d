"""What does a commit cost? A checked file against SQLite, pass by pass, in one run.

Run as a script: prints, for 1, 7 and 50 events of 110 bytes a pass, the CPU of a pass
and the 99th percentile of its time, in microseconds. The journal is SQLite's own in
WAL mode with `synchronous` NORMAL: one row for each pass.
"""

import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from daide_server.storage.journal_file import JournalFile
from daide_server.storage.journal_frames import EntryKind, JournalEntry

PASSES: Final = 4000
GAMES: Final = 50
PAYLOAD: Final = bytes(110)
SIZES: Final = (1, 7, 50)

Commit = Callable[[list[JournalEntry]], None]


@contextmanager
def nothing(_: Path) -> Iterator[Commit]:
    """Commit nothing."""
    yield lambda _: None


@contextmanager
def checked_file(folder: Path) -> Iterator[Commit]:
    """Append one frame a pass, as the server does."""
    with JournalFile(folder / "bench.journal") as journal:
        yield journal.append


@contextmanager
def sqlite(folder: Path) -> Iterator[Commit]:
    """Insert one row a pass, in a transaction of its own."""
    with closing(sqlite3.connect(folder / "bench.db", isolation_level=None)) as base:
        base.execute("PRAGMA journal_mode=WAL")
        base.execute("PRAGMA synchronous=NORMAL")
        base.execute("CREATE TABLE pass (seq INTEGER PRIMARY KEY, events BLOB)")

        def commit(entries: list[JournalEntry]) -> None:
            blob = b"".join(each.payload for each in entries)
            base.execute("INSERT INTO pass (events) VALUES (?)", (blob,))

        yield commit


def measure(commit: Commit, size: int) -> tuple[float, float]:
    """Return the CPU of a pass and the 99th percentile of its time, in microseconds."""
    numbers = dict.fromkeys(range(1, GAMES + 1), 0)
    times = []
    began = time.process_time()
    for done in range(PASSES):
        start = time.perf_counter()
        entries = []
        for event in range(size):
            game = (done + event) % GAMES + 1
            entries.append(JournalEntry(game, numbers[game], EntryKind.EVENT, PAYLOAD))
            numbers[game] += 1
        commit(entries)
        times.append(time.perf_counter() - start)
    cpu = (time.process_time() - began) / PASSES
    return 1e6 * cpu, 1e6 * sorted(times)[PASSES * 99 // 100]


def main() -> None:
    """Print a table."""
    print(f"CPU, p99 in microseconds a pass; {PASSES} passes over {GAMES} games")
    print(f"{'events a pass':16}" + "".join(f"{size:>16}" for size in SIZES))
    stores = {"nothing": nothing, "checked file": checked_file, "SQLite": sqlite}
    for name, store in stores.items():
        line = f"{name:16}"
        for size in SIZES:
            with tempfile.TemporaryDirectory() as folder, store(Path(folder)) as commit:
                cpu, p99 = measure(commit, size)
            line += f"{cpu:9.1f}{p99:7.1f}"
        print(line)


if __name__ == "__main__":
    main()

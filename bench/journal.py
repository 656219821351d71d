"""What does a commit cost? The journals of games, pass by pass.

Run as a script: prints, for 1, 7 and 50 messages of 110 bytes a pass, the CPU of a pass
and the 99th percentile of its time, in microseconds, with the lines kept in memory
(`none`), in the kernel (`process`), and on the disk (`disk`).
"""

import tempfile
import time
from pathlib import Path

import trio

from daide_server.daide.messages import Go
from daide_server.daide.vocabulary import Vocabulary, from_text
from daide_server.game.events import ClientId, MessageReceived
from daide_server.library.journal_folder import JournalFolder
from daide_server.library.variants import load_variant
from daide_server.server.events import Events
from daide_server.server.journal import ServerClock, ServerJournal
from tests.support.journals import header_of

PASSES = 4000
GAMES = 50
TEXT = "SUB ( ( FRA AMY PAR ) MTO BUR ) ( ( FRA AMY MAR ) SUP ( FRA AMY PAR ) MTO BUR )"
SIZES = (1, 7, 50)


async def measure(folder: Path, durability: str, size: int) -> tuple[float, float]:
    """Return the CPU of a pass and the 99th percentile of its time, in microseconds."""
    is_kept = durability != "none"
    files = JournalFolder(folder / "journal") if is_kept else None
    journal = ServerJournal(files, ServerClock(), Events(), syncs=durability == "disk")
    variant, words = load_variant("standard"), Vocabulary.standard()
    games = [journal.game(header_of(variant, n), words) for n in range(1, GAMES + 1)]
    said = MessageReceived(ClientId(1), Go(), from_text(TEXT, words))
    times = []
    began = time.process_time()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(journal.run)
        for done in range(PASSES):
            start = time.perf_counter()
            released = trio.Event()
            for event in range(size):
                games[(done + event) % GAMES].note(said, (), float(done))
            journal.commit(released.set)
            if not released.is_set():
                await released.wait()
            times.append(time.perf_counter() - start)
        nursery.cancel_scope.cancel()
    journal.close()
    cpu = (time.process_time() - began) / PASSES
    return 1e6 * cpu, 1e6 * sorted(times)[PASSES * 99 // 100]


def main() -> None:
    """Print a table."""
    print(f"CPU, p99 in microseconds a pass; {PASSES} passes over {GAMES} games")
    print(f"{'messages a pass':16}" + "".join(f"{size:>20}" for size in SIZES))
    for durability in ("none", "process", "disk"):
        line = f"{durability:16}"
        for size in SIZES:
            with tempfile.TemporaryDirectory() as folder:
                cpu, p99 = trio.run(measure, Path(folder), durability, size)
            line += f"{cpu:10.1f}{p99:10.1f}"
        print(line)


if __name__ == "__main__":
    main()

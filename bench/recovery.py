"""How long a server needs to go on with many games, and where the time goes.

python bench/recovery.py [--games 1000] [--year 1910]
"""

import argparse
import resource
import tempfile
import time
from pathlib import Path
from typing import Final

import trio
import trio.testing

from daide_server.app.journal_reader import JournalReader
from daide_server.app.settings import ServerSettings
from daide_server.board.names import Power
from daide_server.board.orders import Order, Waive
from daide_server.board.variant import Variant
from daide_server.language.messages import SubmitOrders, SubmittedOrder
from daide_server.language.text import to_text
from daide_server.language.vocabulary import Vocabulary
from daide_server.language.writer import Writer
from daide_server.storage.journal_file import JournalFile
from daide_server.storage.journal_frames import JournalEntry
from daide_server.storage.variants import load_variant
from tests.support.journalled import journalled
from tests.support.random_games import Chance
from tests.support.settings import settings_with

DIFFERENT: Final = 8
"""Games that are played; the others are copies of them."""
TURN_SECONDS: Final = 20.5
"""A little more than the deadlines of those games."""
ROUNDS: Final = 200
"""Turns after which a game is given up."""


async def played(variant: Variant, path: Path, until: int, seed: int) -> None:
    """Write the journal of one game of random orders, up to a year."""
    chance, words = Chance(variant, seed), Vocabulary.of(variant.map)
    writer = Writer(words)
    async with journalled(variant, path) as server:
        clients = server.seat(variant)
        for _ in range(ROUNDS):
            position = server.runner().game.state.position
            if position.turn.year >= until or server.runner().is_closed:
                return
            by_power: dict[Power, list[SubmittedOrder]] = {}
            for order in chance.orders(position):
                by_power.setdefault(_power_of(order), []).append(
                    SubmittedOrder(order, ())
                )
            for power, orders in by_power.items():
                message = SubmitOrders(position.turn, tuple(orders))
                server.say(clients[power], to_text(writer.write(message), words))
            await trio.sleep(TURN_SECONDS)


def _power_of(order: Order) -> Power:
    assert not isinstance(order, Waive), "those players build what they can"
    return order.unit.power


def copies(found: list[tuple[JournalEntry, ...]], games: int, path: Path) -> None:
    """Write a journal of so many games."""
    with JournalFile(path) as journal:
        for number in range(1, games + 1):
            for entry in found[number % len(found)]:
                journal.append(
                    [JournalEntry(number, entry.number, entry.kind, entry.payload)]
                )


def main() -> None:
    """Print seconds and memory of a recovery."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--year", type=int, default=1910)
    options = parser.parse_args()
    variant = load_variant("standard")
    with tempfile.TemporaryDirectory() as folder:
        found = []
        for seed in range(DIFFERENT):
            path = Path(folder) / f"{seed}.journal"
            clock = trio.testing.MockClock(autojump_threshold=0)
            trio.run(played, variant, path, options.year, seed, clock=clock)
            with JournalFile(path) as journal:
                found.append(journal.recovered.games[1])
        path = Path(folder) / "all.journal"
        copies(found, options.games, path)
        recover(path, variant)


def recover(path: Path, variant: Variant) -> None:
    """Read and replay the journal *path*."""
    settings: ServerSettings = settings_with(level=20, seats="arrival")
    began = time.process_time()
    with JournalFile(path) as journal:
        games = journal.recovered.games
    read = time.process_time()
    recovery = JournalReader(settings, variant).read(games)
    done = time.process_time()
    entries = sum(map(len, games.values()))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{len(games)} games, {entries} entries, {path.stat().st_size >> 20} MiB")
    assert not recovery.set_aside, next(iter(recovery.set_aside.values()))
    turns = {str(game.game.state.position.turn) for game in recovery.games}
    print(f"replayed {len(recovery.games)}, to {', '.join(sorted(turns))}")
    print(f"read {read - began:.1f} s, replay {done - read:.1f} s CPU, {memory} MiB")


if __name__ == "__main__":
    main()

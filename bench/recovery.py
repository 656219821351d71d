"""How long a server needs to go on with many games, and where the time goes.

python bench/recovery.py [--games 1000] [--year 1910]
"""

import argparse
import resource
import tempfile
import time
from pathlib import Path

import trio
import trio.testing
from msgspec.structs import replace

from daide_server.board.map import Variant
from daide_server.board.names import Power
from daide_server.board.orders import Order, Waive
from daide_server.daide.messages import SubmitOrders, SubmittedOrder
from daide_server.daide.translation import Writer
from daide_server.daide.vocabulary import Vocabulary, to_text
from daide_server.library.journal_file import encode_header, read_game
from daide_server.library.variants import load_variant
from daide_server.server.making import GameMaker
from daide_server.server.settings import ServerSettings
from tests.support.journalled import journalled
from tests.support.random_games import Chance
from tests.support.settings import settings_with

DIFFERENT = 8
"""Games that are played; the others are copies of them."""
TURN_SECONDS = 20.5
"""A little more than the deadlines of those games."""
ROUNDS = 200
"""Turns after which a game is given up."""


async def played(variant: Variant, path: Path, until: int, seed: int) -> None:
    """Write the journal of one game of random orders, up to a year, in a folder."""
    chance, words = Chance(variant, seed), Vocabulary.of(variant.map)
    writer = Writer(words)
    async with journalled(variant, path) as server:
        clients = server.seat(variant)
        for _ in range(ROUNDS):
            position = server.runner().game.state.position
            if position.turn.year >= until or server.runner().is_closed:
                return
            by_power: dict[Power, list[SubmittedOrder]] = {}
            for order in chance.drawn(position):
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


def copies(found: list[Path], games: int, folder: Path) -> None:
    """Write so many journals into *folder*."""
    for number in range(1, games + 1):
        content = read_game(found[number % len(found)])
        assert content is not None
        record = f"run-{number:06}"
        header = replace(content.header, number=number, record=record)
        data = encode_header(header) + b"".join(content.raw)
        (folder / f"{record}.jsonl").write_bytes(data)


def main() -> None:
    """Print seconds and memory of a recovery."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--year", type=int, default=1910)
    options = parser.parse_args()
    variant = load_variant("standard")
    with tempfile.TemporaryDirectory() as name:
        found = []
        for seed in range(DIFFERENT):
            path = Path(name) / f"{seed}"
            clock = trio.testing.MockClock(autojump_threshold=0)
            trio.run(played, variant, path, options.year, seed, clock=clock)
            found.append(path / "run-0001.jsonl")
        folder = Path(name) / "all"
        folder.mkdir()
        copies(found, options.games, folder)
        recover(folder, variant)


def recover(folder: Path, variant: Variant) -> None:
    """Read and replay the journals in *folder*."""
    settings: ServerSettings = settings_with(level=20, seats="arrival")
    maker = GameMaker(settings, variant)
    reading = replaying = 0.0
    games, lines, size = [], 0, 0
    for path in sorted(folder.iterdir()):
        began = time.process_time()
        content = read_game(path)
        read = time.process_time()
        assert content is not None
        games.append(maker.replay(content))
        done = time.process_time()
        reading, replaying = reading + read - began, replaying + done - read
        lines, size = lines + len(content.lines), size + content.size
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    turns = {str(each.game.state.position.turn) for each in games}
    print(f"{len(games)} games, {lines} lines, {size >> 20} MiB")
    print(f"replayed to {', '.join(sorted(turns))}")
    print(f"read {reading:.1f} s, replay {replaying:.1f} s CPU, {memory} MiB")


if __name__ == "__main__":
    main()

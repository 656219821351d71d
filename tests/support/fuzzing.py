"""Fuzzing: seven players, observers and strangers who say anything at all.

Everything runs in one process and without sockets, from the bytes of a connection
through session, dispatcher and game to the bytes of the answers. What must hold:

- nothing is raised, whatever comes in;
- what goes out is frames, and sentences of the server's grammar;
- a game goes as it would have gone in silence: between the storms each player
  withdraws what the storm may have ordered and gives orders that are drawn, and the
  turns are those of a second game in which only these orders were given.

`python -m tests.support.fuzzing --messages 1000000` prints what it counted.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from typing import Final

import trio

from daide_server.board.map import Variant
from daide_server.game.options import GameOptions, ServerPolicy
from daide_server.storage.variants import load_variant

from .stormed_game import Faults, StormedGame, maker_of, open_game

LEVELS: Final = (0, 10, 30, 60, 120, 160, 8000)


async def storm(messages: int, seed: int, counts: Counter[str]) -> list[str]:
    """Storm one game after another; return what went wrong."""
    variant = load_variant("standard")
    found: list[str] = []
    number = seed
    while counts["messages"] < messages and not found:
        number += 1
        found = await _storm_game(variant, number, messages, counts)
        _show_progress(counts["messages"], messages)
    return found


async def _storm_game(
    variant: Variant, number: int, messages: int, counts: Counter[str]
) -> list[str]:
    """Storm one game; return what went wrong."""
    level = LEVELS[number % len(LEVELS)]
    faults = Faults()
    strict = number % 3 == 0
    policy = ServerPolicy(strict=strict)
    options = GameOptions(level=level, partial_draws=True)
    async with open_game(maker_of(variant, options, policy), faults, counts) as game:
        stormed = StormedGame(game, level, number, counts)
        stormed.play(messages - counts["messages"])
    return faults.found


def _show_progress(said: int, messages: int) -> None:
    """Print, on a terminal, how far it is."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{said:,} of {messages:,} messages ")


def report(counts: Counter[str], seconds: float) -> Iterator[str]:
    """Yield what was counted, a line each."""
    said = counts["messages"]
    yield f"{said} messages in {seconds:.0f} s, {counts['turns']} turns of games"
    for what in ("paired", "understood", "understood from a player"):
        yield f"{counts[what]:9} {counts[what] / said:6.1%} {what}"


def main() -> None:
    """Storm, print the counts, and exit with 1 if anything went wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=10_000_000)
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    counts: Counter[str] = Counter()
    begun = time.monotonic()
    faults = trio.run(storm, chosen.messages, chosen.seed, counts)
    for line in (*report(counts, time.monotonic() - begun), *faults[:5]):
        sys.stdout.write(line + "\n")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()

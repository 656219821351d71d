"""Writes the table of designs: `python -m tools.designs`."""

from pathlib import Path
from typing import get_args

import daide_server
from daide_server.tournament.designs import SEATS, Block, DesignGoal

from .galois import affine_maps, field
from .rounds import round_blocks
from .special_designs import PAIR_DESIGNS, PROJECTIVE, projective_blocks

TABLE = Path(daide_server.__file__).parent / "tournament" / "designs.txt"
MOST_BOTS = 31
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def blocks_of(bots: int, goal: DesignGoal) -> tuple[Block, ...]:
    """Return the design of *bots* on seven seats that is best for *goal*."""
    if goal == "pairs" and (bots, SEATS) in PAIR_DESIGNS:
        return (PAIR_DESIGNS[bots, SEATS](),)
    if goal == "everything" and (bots, SEATS) in PROJECTIVE:
        return projective_blocks(bots, SEATS)
    return round_blocks(bots, SEATS, goal)


def moved(blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    """Return *blocks* with all moves of the seats."""
    over = field(SEATS)
    assert over is not None
    return tuple(
        tuple(tuple(game[at] for at in move) for game in block)
        for move in affine_maps(over)
        for block in blocks
    )


def text_of(blocks: tuple[Block, ...]) -> str:
    """Return *blocks* as lines, the first of which says whether they are moved."""
    base = blocks[: len(blocks) // (SEATS * (SEATS - 1))]
    is_moved = bool(base) and moved(base) == blocks
    lines = [
        " ".join("".join(DIGITS[bot] for bot in game) for game in block)
        for block in (base if is_moved else blocks)
    ]
    return "\n".join(["moved" if is_moved else "all", *lines])


def main() -> None:
    """Write the table; a goal whose design is that of "rounds" has no entry."""
    parts = []
    for bots in range(2, MOST_BOTS + 1):
        usual = blocks_of(bots, "rounds")
        for goal in get_args(DesignGoal):
            blocks = blocks_of(bots, goal)
            if goal == "rounds" or blocks != usual:
                parts.append(f"{bots} {goal}\n{text_of(blocks)}")
    TABLE.write_text("\n\n".join(parts) + "\n", "ascii")


if __name__ == "__main__":
    main()

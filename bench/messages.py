"""What one message costs, from the bytes that come to the bytes that go.

In process, through session, dispatcher and game, without the system calls. The
limit is an echo: the same frame, taken apart into tokens and put together again.
Two targets: reading and checking press of 30 tokens in 60 microseconds, and a SUB of
10 orders to its THX in 250.
"""

import sys
import timeit
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

import trio
from attrs import evolve
from msgspec.structs import replace

from daide_server.board.map import Variant
from daide_server.daide.frames import INITIAL_MESSAGE, Connection, encode_tokens
from daide_server.daide.messages import CurrentPosition
from daide_server.daide.translation import ClientReader, ServerReader
from daide_server.daide.vocabulary import Vocabulary, from_text
from daide_server.game.options import GameOptions
from daide_server.library.variants import load_variant

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.support.fuzzing import Faults, StormedGame, maker_of, open_game

WORDS = Vocabulary.standard()
PRESS = "SND (ENG GER) (PRP (AND (PCE (ENG FRA GER)) (XDO ((ENG FLT LON) MTO NTH))))"
PLACES = ["BUR", "GAS", "PAR", "PIC", "MAR", "BEL", "HOL", "RUH", "PIE", "TUS"]
ORDERS = " ".join(f"((FRA AMY {place}) HLD)" for place in PLACES)
MOVES = (
    "((FRA AMY BUR) MTO MUN) ((FRA AMY GAS) MTO SPA) ((FRA AMY PAR) MTO BRE)"
    "((FRA AMY PIC) SUP (FRA AMY BUR)) ((FRA AMY MAR) SUP (FRA AMY GAS) MTO SPA)"
    "((FRA AMY BEL) SUP (FRA AMY HOL)) ((FRA AMY HOL) MTO KIE)"
    "((FRA AMY RUH) SUP (FRA AMY BUR) MTO MUN) ((FRA AMY PIE) MTO VEN)"
    "((FRA AMY TUS) SUP (FRA AMY PIE) MTO VEN)"
)
TARGETS = {"press": 60.0, "SUB": 250.0}


def with_ten_armies(variant: Variant) -> Variant:
    """Return *variant* with ten armies of France on the board, and others' units."""
    armies = " ".join(f"(FRA AMY {place})" for place in PLACES)
    said = f"NOW (SPR 1905) (ENG FLT LON) (GER AMY BER) (TUR AMY CON) {armies}"
    position = ServerReader(WORDS, variant.map).read(from_text(said, WORDS))
    assert isinstance(position, CurrentPosition)
    start = replace(position.position, owners=variant.start.owners)
    return evolve(variant, start=start)


def best(run: Callable[[], object], number: int = 2000) -> float:
    """Return the microseconds that *run* takes at best."""
    return min(timeit.repeat(run, number=number, repeat=7)) / number * 1e6


def tell(what: str, ours: float, echo: float, target: float | None = None) -> None:
    """Print one line."""
    verdict = "" if target is None else f"   target {target:.0f}"
    print(f"{what:44}{ours:9.1f} us{echo:9.1f} us{ours / echo:8.1f}{verdict}")


def echo_of(frame: bytes) -> Callable[[], object]:
    """Return what reads *frame* and writes it again."""
    connection = Connection(())
    connection.receive(INITIAL_MESSAGE)
    return lambda: [encode_tokens(each) for each in connection.receive(frame)]


def measure(game: StormedGame, variant: Variant) -> None:
    """Print the figures."""
    reader = ClientReader(WORDS, variant.map, 130)
    press, held = from_text(PRESS, WORDS), from_text(f"SUB {ORDERS}", WORDS)
    moved = from_text(f"SUB {MOVES}", WORDS)
    frames = {each: encode_tokens(each) for each in (press, held, moved)}
    echoes = {each: best(echo_of(frame)) for each, frame in frames.items()}
    france = game.players[variant.map.powers.index(variant.map.powers[2])]
    print(f"{'':44}{'ours':>12}{'echo':>12}{'ratio':>8}")
    tell(
        f"press of {len(press)} tokens, read and checked",
        best(lambda: reader.read(press)),
        echoes[press],
        TARGETS["press"],
    )
    for what, said, target in (
        (f"press of {len(press)} tokens to YES and two FRM", press, None),
        ("SUB of 10 holds to its THX", held, TARGETS["SUB"]),
        ("SUB of 10 moves and supports to its THX", moved, TARGETS["SUB"]),
    ):
        spoken = partial(game.feed, france, frames[said])
        tell(what, best(spoken), echoes[said], target)


async def main() -> None:
    """Seat seven clients, and let one of them speak."""
    variant = with_ten_armies(load_variant("standard"))
    options = GameOptions(level=130)
    counts: Counter[str] = Counter()
    async with open_game(maker_of(variant, options), Faults()) as opened:
        game = StormedGame(opened, 130, 0, counts)
        game.seat()
        measure(game, variant)


if __name__ == "__main__":
    trio.run(main)

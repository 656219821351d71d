"""Does a turn cost more the longer a game has lasted? Ratios of one run.

    python bench/growth.py [--rounds 5]

A game of random legal orders, and one of holds, is played to 2002 by the state machine
alone and by a server without sockets that writes a journal. Each round plays it whole,
and games that begin in 1950 and in 1990 from the same positions with the same orders:
only the years before them differ. Prints the processor time of `TURNS` turns, the
least of the rounds for each turn, and its ratio to that of the games that begin there;
what a game keeps of each turn; and what HST costs for its first and its last turn.
"""

import argparse
import sys
import tempfile
import tracemalloc
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from random import Random
from time import process_time

import trio
import trio.testing
from attrs import evolve, frozen

from daide_server.board.map import Phase, Position, Variant
from daide_server.board.names import Power
from daide_server.board.orders import Convoy, ConvoyedMove, Hold, Order, Waive
from daide_server.daide.messages import SubmitOrders, SubmittedOrder
from daide_server.daide.tokens import Tokens
from daide_server.daide.translation import ClientReader, Writer
from daide_server.daide.vocabulary import Vocabulary, from_text
from daide_server.game.events import ClientId, MessageReceived
from daide_server.game.game import Game
from daide_server.game.options import SeatAssignment
from daide_server.judge.adjudication import adjudicate
from daide_server.judge.possible import possible_adjustments, possible_orders
from daide_server.judge.rules import DAIDE_RULES
from daide_server.library.variants import load_variant

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.support.journalled import journalled
from tests.support.scripts import options_of

STANDARD = evolve(
    load_variant("standard"), map=evolve(load_variant("standard").map, victory=35)
)
"""No game on it is won."""
WORDS = Vocabulary.of(STANDARD.map)
YEARS = (1901, 1950, 1990)
LAST_YEAR = 2003
TURNS = 24
QUESTIONS = 200


# The game


@frozen
class PlayedTurn:
    """A position, and what each power sends in it."""

    position: Position
    sent: Mapping[Power, Tokens]


Choose = Callable[[Position], Sequence[Order]]


def played(choose: Choose) -> list[PlayedTurn]:
    """Return the turns of a game with the orders that *choose* returns."""
    position, found, writer = STANDARD.start, list[PlayedTurn](), Writer(WORDS)
    while position.turn.year < LAST_YEAR:
        orders = tuple(choose(position))
        sent = dict[Power, Tokens]()
        for power in STANDARD.map.powers:
            own = [SubmittedOrder(o, ()) for o in orders if _owner(o) == power]
            if own:
                sent[power] = writer.write(SubmitOrders(position.turn, tuple(own)))
        found.append(PlayedTurn(position, sent))
        position = adjudicate(STANDARD, position, orders, DAIDE_RULES).next
    return found


def _owner(order: Order) -> Power:
    return order.power if isinstance(order, Waive) else order.unit.power


def holds(position: Position) -> Sequence[Order]:
    """Return a hold of each unit."""
    return [Hold(unit) for unit in position.units]


def random_orders(dice: Random) -> Choose:
    """Return what chooses a legal order of each unit, without convoys."""

    def choose(position: Position) -> Sequence[Order]:
        if position.turn.phase is Phase.ADJUSTMENTS:
            return [*_adjustments(position, dice)]
        possible = possible_orders(STANDARD.map, position).values()
        return [
            dice.choice([o for o in each if not isinstance(o, Convoy | ConvoyedMove)])
            for each in possible
        ]

    return choose


def _adjustments(position: Position, dice: Random) -> Iterator[Order]:
    for power, orders in possible_adjustments(STANDARD.map, position).items():
        due = abs(position.surplus(power))
        by_place = {o.unit.province: o for o in orders if not isinstance(o, Waive)}
        chosen = dice.sample([*by_place.values()], min(due, len(by_place)))
        yield from chosen
        if position.surplus(power) > 0:
            yield from [Waive(power)] * (due - len(chosen))


# Who plays it

Say = Callable[[Power, Tokens], None]
"""Lets the client of a power send a message, and drops what it is answered."""


@asynccontextmanager
async def state_machine(variant: Variant) -> AsyncIterator[Say]:
    """Give the game alone."""
    options, policy = options_of(())
    powers = variant.map.powers
    codes = {power: number for number, power in enumerate(powers, start=1)}
    game = Game(variant, options, policy, SeatAssignment(powers, codes))
    reader = ClientReader(WORDS, variant.map, options.level)

    def say(power: Power, tokens: Tokens) -> None:
        client = ClientId(codes[power])
        game.handle(MessageReceived(client, reader.read(tokens), tokens), 0.0)

    for text in ("NME ('c') ('1')", "YES (MAP ('standard'))"):
        for power in powers:
            say(power, from_text(text, WORDS))
    yield say


@asynccontextmanager
async def server(variant: Variant) -> AsyncIterator[Say]:
    """Give a server with a journal; only its sockets are not real."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal"
        async with journalled(variant, path, mtl=0, rtl=0, btl=0) as opened:
            clients = opened.seat(variant)

            def say(power: Power, tokens: Tokens) -> None:
                opened.send(clients[power], tokens)
                for client in clients.values():
                    client.transport.sent.clear()

            yield say


Open = Callable[[Variant], AbstractAsyncContextManager[Say]]
PLAYERS: Mapping[str, Open] = {"game alone": state_machine, "server": server}


# What is measured


async def times(start: Open, turns: Sequence[PlayedTurn]) -> list[float]:
    """Return the seconds of processor time of each of *turns*, played in turn."""
    found = list[float]()
    async with start(evolve(STANDARD, start=turns[0].position)) as say:
        for turn in turns:
            began = process_time()
            for power, message in turn.sent.items():
                say(power, message)
            found.append(process_time() - began)
            await trio.lowlevel.checkpoint()
    return found


async def kept(start: Open, turns: Sequence[PlayedTurn]) -> list[int]:
    """Return the bytes of memory in use after each of *turns*."""
    found = list[int]()
    async with start(STANDARD) as say:
        tracemalloc.start()
        for turn in turns:
            for power, message in turn.sent.items():
                say(power, message)
            found.append(tracemalloc.get_traced_memory()[0])
        tracemalloc.stop()
    return found


async def asked(start: Open, turns: Sequence[PlayedTurn]) -> tuple[float, float]:
    """Return the seconds that HST takes for the first of *turns* and for the last."""
    async with start(STANDARD) as say:
        for turn in turns[:-1]:
            for power, message in turn.sent.items():
                say(power, message)
        found = []
        for turn in (turns[0], turns[-2]):
            question = from_text(f"HST ({turn.position.turn})", WORDS)
            began = process_time()
            for _ in range(QUESTIONS):
                say(FRANCE, question)
            found.append((process_time() - began) / QUESTIONS)
    return found[0], found[1]


FRANCE = Power("FRA")


def least(rounds: Sequence[Sequence[float]]) -> float:
    """Return the milliseconds of a turn, where each takes the least of its rounds."""
    turns: list[float] = [min(each) for each in zip(*rounds, strict=True)]
    return 1000 * sum(turns) / len(turns)


async def compare(choose: Choose, rounds: int) -> None:
    """Print a line for each year and player."""
    turns = played(choose)
    firsts = [
        next(at for at, turn in enumerate(turns) if turn.position.turn.year == year)
        for year in YEARS
    ]
    for name, start in PLAYERS.items():
        await times(start, turns)  # all orders have been seen once
        old: list[list[list[float]]] = [[] for _ in YEARS]
        new: list[list[list[float]]] = [[] for _ in YEARS]
        for _ in range(rounds):
            whole = await times(start, turns)
            for at, first in enumerate(firsts):
                old[at].append(whole[first : first + TURNS])
                new[at].append(await times(start, turns[first : first + TURNS]))
        memory = await kept(start, turns)
        for at, (first, year) in enumerate(zip(firsts, YEARS, strict=True)):
            last, began_there = least(old[at]), least(new[at])
            grown = (memory[first + TURNS - 1] - memory[first]) / (TURNS - 1)
            print(
                f"{name:12}{year:6}{first:7}{last:9.3f}{began_there:9.3f}"
                f"{last / began_there:8.2f}{grown / 1000:8.1f}"
            )
        before, after = await asked(start, turns)
        print(
            f"{name:12}HST of turn 1 and of turn {len(turns) - 1}: "
            f"{1e6 * before:.0f} and {1e6 * after:.0f} microseconds"
        )


def main() -> None:
    """Compare games of holds and of random orders."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    for name, choose in (("holds", holds), ("random", random_orders(Random(1)))):
        print(f"{name}: player, year, turns before, ms a turn, begun there, ratio, kB")
        clock = trio.testing.MockClock(autojump_threshold=0)
        trio.run(compare, choose, rounds, clock=clock)


if __name__ == "__main__":
    main()

"""What large boards cost: is it linear in the units? Microseconds for each unit.

    python bench/boards.py

Boards of one, two and three copies of the standard one, side by side, with random units
and random legal orders. Three copies are 225 provinces; 256 is the most a board can
have. Boards as crowded as each other are compared: 22 and 34 units a copy, as at the
beginning and the end of a game, and 67, where convoys reach everywhere.
"""

import timeit
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from random import Random
from time import process_time
from typing import Any

from attrs import evolve, frozen
from msgspec.structs import replace

from daide_server.board.map import Position, Season, Turn, Variant
from daide_server.board.map_reading import from_mapping
from daide_server.board.names import Power, Unit
from daide_server.board.orders import Convoy, ConvoyedMove, Order, Waive
from daide_server.bots.built_in import BOTS
from daide_server.bots.view import View
from daide_server.daide.messages import (
    CurrentPosition,
    MapDefinition,
    OrderResulted,
    SubmitOrders,
    SubmittedOrder,
)
from daide_server.daide.tokens import Tokens
from daide_server.daide.translation import ClientReader, Writer
from daide_server.daide.vocabulary import Vocabulary
from daide_server.game.turns import CurrentTurn
from daide_server.judge.adjudication import adjudicate
from daide_server.judge.possible import possible_adjustments, possible_orders
from daide_server.judge.rules import DAIDE_RULES
from daide_server.library.variants import shipped_file

Table = dict[str, Any]
SECONDS = 0.03
"""For one round of one figure."""
ROUNDS = 15
SIZES = ((1, 22), (3, 22), (1, 34), (2, 34), (3, 34), (1, 67), (3, 67))
"""Copies of the standard board, and units on each."""
FALL = Turn(Season.FALL, 1905)
WINTER = Turn(Season.WINTER, 1905)


# Boards


def copied(table: Mapping[str, Any], copies: int) -> Variant:
    """Return a variant of so many standard boards; a power has its homes on each."""
    names = {
        (place, copy): f"{copy}{at // 26}{chr(65 + at % 26)}"
        for copy in range(copies)
        for at, place in enumerate(table["provinces"])
    }
    provinces = {
        names[place, copy]: _renamed(entry, names, copy)
        for copy in range(copies)
        for place, entry in table["provinces"].items()
    }
    powers = {
        power: {
            "name": entry["name"],
            "homes": [
                names[at, each] for each in range(copies) for at in entry["homes"]
            ],
            "units": [],
        }
        for power, entry in table["powers"].items()
    }
    return from_mapping(
        {
            "name": f"{copies} boards",
            "first_turn": table["first_turn"],
            "powers": powers,
            "provinces": provinces,
        }
    )


def _renamed(entry: Table, names: Mapping[tuple[str, int], str], copy: int) -> Table:
    def renamed(place: str) -> str:
        province, slash, coast = place.partition("/")
        return names[province, copy] + slash + coast

    changed = {key: value for key, value in entry.items() if key != "token"}
    for key in ("army", "fleet"):
        near = entry.get(key)
        if isinstance(near, dict):
            changed[key] = {at: [*map(renamed, to)] for at, to in near.items()}
        elif near is not None:
            changed[key] = [*map(renamed, near)]
    return changed


def crowded(variant: Variant, copies: int, each: int, *, owner: str = "") -> Position:
    """Return a position with *each* units on each copy: the same on all of them."""
    board_map, units = variant.map, list[Unit]()
    size = len(board_map.provinces) // copies
    for copy in range(copies):
        dice = Random(each)
        places = sorted(at for at in board_map.provinces if at[0] == str(copy))
        assert len(places) == size
        for place in dice.sample(places, each):
            nodes = [node for node in board_map.neighbours if node[1].province == place]
            kind, at = dice.choice(sorted(nodes, key=str))
            power = owner or dice.choice(board_map.powers)
            units.append(board_map.unit(Power(power), kind, at))
    owners = {
        at: Power(owner) if owner else board_map.powers[place % len(board_map.powers)]
        for place, at in enumerate(board_map.provinces)
        if at in board_map.centres
    }
    return Position(FALL, tuple(sorted(units, key=board_map.sort_key)), owners)


def chosen_orders(variant: Variant, position: Position) -> tuple[Order, ...]:
    """Return a random order of each unit, without convoys."""
    dice = Random(1)
    return tuple(
        dice.choice([o for o in orders if not isinstance(o, Convoy | ConvoyedMove)])
        for orders in possible_orders(variant.map, position).values()
    )


# What is measured


@frozen
class Board:
    """A position, orders for it, and what reads and writes them."""

    variant: Variant
    position: Position
    orders: tuple[Order, ...]
    writer: Writer
    reader: ClientReader

    def judged(self) -> None:
        """Judge the turn: results, and the next position."""
        found = adjudicate(self.variant, self.position, self.orders, DAIDE_RULES)
        _ = found.reports, found.next

    def possible(self) -> None:
        """List all possible orders."""
        possible_orders(self.variant.map, self.position)

    def now(self) -> None:
        """Write NOW."""
        self.writer.write(CurrentPosition(self.position))

    def mdf(self) -> None:
        """Write MDF."""
        self.writer.write(MapDefinition(self.variant.map))

    def dumb(self) -> None:
        """Let a dumb bot of each power think; the board is new to them."""
        position = replace(self.position, turn=FALL)
        for power in self.variant.map.powers:
            BOTS["dumb"](Random(1))(View(self.variant.map, power, position))


def board(variant: Variant, position: Position) -> Board:
    """Return *position* with orders."""
    words = Vocabulary.of(variant.map)
    return Board(
        variant,
        position,
        chosen_orders(variant, position),
        Writer(words),
        ClientReader(words, variant.map, 0),
    )


def submission(made: Board, orders: Sequence[Order]) -> Tokens:
    """Return the tokens of a SUB of *orders*."""
    submitted = tuple(SubmittedOrder(order, ()) for order in orders)
    return made.writer.write(SubmitOrders(made.position.turn, submitted))


def submitted(made: Board, tokens: Tokens, power: Power) -> None:
    """Read a SUB of *power*, and take its orders."""
    message = made.reader.read(tokens)
    assert isinstance(message, SubmitOrders)
    turn = CurrentTurn(made.variant.map, made.position, DAIDE_RULES, any_orders=False)
    turn.submit(message.orders, power)
    turn.missing(power)


def best(run: Callable[[], object]) -> float:
    """Return the microseconds that *run* takes at best."""
    run()
    timer = timeit.Timer(run, timer=process_time)
    seconds = timer.timeit(1)
    number = max(1, int(SECONDS / max(seconds, 1e-6)))
    return min(timer.repeat(number=number, repeat=ROUNDS)) / number * 1e6


FRANCE = Power("FRA")


def figures(variant: Variant, copies: int, each: int) -> dict[str, float]:
    """Return microseconds for each unit (MDF: for each province)."""
    units = copies * each
    of_all = board(variant, crowded(variant, copies, each))
    of_one = board(variant, crowded(variant, copies, each, owner=FRANCE))
    writing = [OrderResulted(FALL, report) for report in _reports(of_all)]
    orders = sum(map(len, possible_orders(variant.map, of_all.position).values()))
    return {
        "judge": best(of_all.judged) / units,
        "possible": best(of_all.possible) / units,
        "orders": orders / units,
        "ORD": best(lambda: [of_all.writer.write(each) for each in writing]) / units,
        "NOW": best(of_all.now) / units,
        "MDF": best(of_all.mdf) / len(variant.map.provinces),
        "SUB": best(_submitting(of_one, of_one.orders)) / units,
        "builds": best(_submitting(*_building(of_one, units))) / units,
        "dumb": best(of_all.dumb) / units,
    }


def _reports(made: Board) -> Sequence[Any]:
    return adjudicate(made.variant, made.position, made.orders, DAIDE_RULES).reports


def _submitting(made: Board, orders: Sequence[Order]) -> Callable[[], None]:
    return partial(submitted, made, submission(made, orders), FRANCE)


def _building(made: Board, count: int) -> tuple[Board, Sequence[Order]]:
    """Return a winter in which France may waive *count* builds, and its orders."""
    places = made.variant.map.provinces[:count]
    position = Position(WINTER, (), dict.fromkeys(places, FRANCE))
    assert possible_adjustments(made.variant.map, position)
    return evolve(made, position=position, orders=()), [Waive(FRANCE)] * count


def main() -> None:
    """Print a line for each size."""
    path = shipped_file("standard")
    assert path is not None
    table = tomllib.loads(path.read_text())
    names = (
        "judge",
        "possible",
        "orders",
        "ORD",
        "NOW",
        "MDF",
        "SUB",
        "builds",
        "dumb",
    )
    print(f"{'units':>12}" + "".join(f"{name:>10}" for name in names))
    for copies, each in SIZES:
        found = figures(copied(table, copies), copies, each)
        line = "".join(f"{found[name]:10.2f}" for name in names)
        print(f"{copies} x {each} = {copies * each:3}".rjust(12) + line, flush=True)


if __name__ == "__main__":
    main()

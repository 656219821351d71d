"""How long is a turn? Real mid-game boards, and the recorded games as a whole.

Run as a script: prints microseconds per movement adjudication (from order values
to units, dislodged ones and plain results), per note and per list of all possible
orders, and milliseconds per recorded game replayed from its texts.
"""

import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from daide_server.board.names import Power, Province
from daide_server.board.notation import Notation, reader_of
from daide_server.board.orders import Order
from daide_server.board.position import Position
from daide_server.board.turns import Phase, Season, Turn
from daide_server.board.variant import Variant
from daide_server.judge.adjudication import adjudicate
from daide_server.judge.legality import Legality
from daide_server.judge.possible import possible_orders
from daide_server.judge.rules import DIPCC_RULES
from daide_server.storage.variants import load_variant

GAMES: Final = Path(__file__).parents[2] / "shared" / "data" / "games"

COMMON_NAMES: Final = Notation(
    provinces={
        Province("ECH"): "ENG",
        Province("GOB"): "BOT",
        Province("GOL"): "LYO",
    }
)

SEASONS: Final = {
    "SM": Season.SPRING,
    "SR": Season.SUMMER,
    "FM": Season.FALL,
    "FR": Season.AUTUMN,
    "WA": Season.WINTER,
}

CROWDED: Final = 30
"""A mid-game board has at least so many units."""

Turns = list[tuple[Position, tuple[Order, ...]]]


def recorded_phases(path: Path) -> Iterator[Mapping[str, Any]]:
    """Yield the phases of a record in which something could be ordered."""
    for phase in json.loads(path.read_text(encoding="utf-8"))["phases"]:
        if phase["name"][0] + phase["name"][-1] in SEASONS:
            yield phase


def position_of(variant: Variant, phase: Mapping[str, Any]) -> Position:
    """Return the position that a recorded phase starts from."""
    name, state = phase["name"], phase["state"]
    turn = Turn(SEASONS[name[0] + name[-1]], int(name[1:-1]))
    reader = reader_of(Position(turn, (), {}), variant.map, COMMON_NAMES)
    units = [
        reader.unit(text, Power(power[:3]))
        for power, texts in state["units"].items()
        for text in texts
        if not text.startswith("*")
    ]
    dislodged = {
        reader.unit(text.lstrip("*"), Power(power[:3])): tuple(
            map(reader.location, places)
        )
        for power, retreats in state.get("retreats", {}).items()
        for text, places in retreats.items()
    }
    owned = {
        reader.location(text).province: Power(power[:3])
        for power, texts in state["centers"].items()
        for text in texts
    }
    ground = variant.map
    owners = {at: owned[at] for at in ground.provinces if at in owned}
    in_order = tuple(sorted(units, key=ground.sort_key))
    return Position(turn, in_order, owners, dislodged)


def orders_of(
    variant: Variant, position: Position, phase: Mapping[str, Any]
) -> tuple[Order, ...]:
    """Return the orders of a recorded phase."""
    reader = reader_of(position, variant.map, COMMON_NAMES)
    return tuple(
        reader.order(text, Power(power[:3]))
        for power, texts in phase["orders"].items()
        for text in texts or ()
    )


def crowded_turns(variant: Variant) -> Turns:
    """Return the movement turns of the recorded games with many units."""
    turns = []
    for path in sorted(GAMES.glob("*.json")):
        for phase in recorded_phases(path):
            position = position_of(variant, phase)
            movement = position.turn.phase is Phase.MOVEMENT
            if movement and len(position.units) >= CROWDED:
                turns.append((position, orders_of(variant, position, phase)))
    return turns


def microseconds(task: Callable[[], None], number: int, rounds: int = 7) -> float:
    """Return the time of one of the *number* things that *task* does, at best."""
    best = float("inf")
    for _ in range(rounds):
        began = time.process_time()
        task()
        best = min(best, time.process_time() - began)
    return best / number * 1e6


def adjudicate_all(variant: Variant, turns: Turns) -> None:
    """Adjudicate, and ask for units, dislodged ones and reports."""
    for position, orders in turns:
        resolution = adjudicate(variant, position, orders, DIPCC_RULES)
        _ = resolution.units, resolution.dislodged


def report_all(variant: Variant, turns: Turns) -> None:
    """Adjudicate, and ask for the reports and the next position as well."""
    for position, orders in turns:
        resolution = adjudicate(variant, position, orders, DIPCC_RULES)
        _ = resolution.next, resolution.reports


def note_all(variant: Variant, turns: Turns) -> None:
    """Ask for the note of every order."""
    for position, orders in turns:
        legality = Legality(variant.map, position)
        for order in orders:
            legality.note(order, order.unit.power)  # type: ignore[union-attr]


def list_all(variant: Variant, turns: Turns) -> None:
    """List the possible orders of every position."""
    for position, _ in turns:
        possible_orders(variant.map, position)


def replay(variant: Variant, path: Path) -> int:
    """Adjudicate a recorded game from its texts; return the number of phases."""
    played = 0
    for phase in recorded_phases(path):
        position = position_of(variant, phase)
        orders = orders_of(variant, position, phase)
        _ = adjudicate(variant, position, orders, DIPCC_RULES).next
        played += 1
    return played


def main() -> None:
    """Measure and print."""
    variant = load_variant("standard")
    turns = crowded_turns(variant)
    if not turns:
        sys.exit(f"no recorded games in {GAMES}")
    units = sum(len(position.units) for position, _ in turns)
    number = sum(len(orders) for _, orders in turns)
    print(f"{len(turns)} boards, {units / len(turns):.1f} units on average")
    figures = {
        "adjudicate, units, dislodged": (adjudicate_all, len(turns)),
        "adjudicate, reports, next position": (report_all, len(turns)),
        "note on an order": (note_all, number),
        "all possible orders of a board": (list_all, len(turns)),
    }
    for title, (task, count) in figures.items():
        took = microseconds(lambda task=task: task(variant, turns), count)  # type: ignore[misc]
        print(f"{title:38}{took:9.1f} microseconds")
    for path in sorted(GAMES.glob("game_*.json"))[:3]:
        phases = replay(variant, path)
        took = microseconds(lambda path=path: _ignore(replay(variant, path)), 1000, 3)  # type: ignore[misc]
        print(f"{path.stem:38}{took:9.1f} milliseconds, {phases} phases")


def _ignore(_played: int) -> None:
    return


if __name__ == "__main__":
    main()

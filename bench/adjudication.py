"""How long is a turn? Real mid-game boards, and the recorded games as a whole.

Run as a script: prints microseconds per movement adjudication (from order values
to units and dislodged ones), per list of all possible orders and so on, the best of
some rounds for each board, and milliseconds per recorded game replayed from its texts.
"""

import json
import lzma
import sys
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import peers  # type: ignore[import-not-found] # the script beside this one

from daide_server.board.map import Position, Season, Turn, Variant
from daide_server.board.names import Power, Province
from daide_server.board.notation import Notation, reader_of
from daide_server.board.orders import Order, owner
from daide_server.judge.adjudication import adjudicate
from daide_server.judge.legality import Legality
from daide_server.judge.possible import possible_orders
from daide_server.judge.rules import DIPCC_RULES
from daide_server.library.variants import load_variant
from daide_server.text.queries import QueryAdjudicator

GAMES = Path(__file__).parents[1] / "tests" / "data" / "games"

COMMON_NAMES = Notation(
    provinces={Province("ECH"): "ENG", Province("GOB"): "BOT", Province("GOL"): "LYO"}
)

SEASONS = {
    "SM": Season.SPRING,
    "SR": Season.SUMMER,
    "FM": Season.FALL,
    "FR": Season.AUTUMN,
    "WA": Season.WINTER,
}

CROWDED = 30
"""A mid-game board has at least so many units."""

Turns = list[tuple[Position, tuple[Order, ...]]]


def recorded_games() -> Iterator[bytes]:
    """Yield the JSON of each recorded game."""
    for path in sorted(GAMES.glob("*.json.xz")):
        yield lzma.decompress(path.read_bytes())


def recorded_phases(game: bytes) -> Iterator[Mapping[str, Any]]:
    """Yield the phases of a record in which something could be ordered."""
    for phase in json.loads(game)["phases"]:
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
    board_map = variant.map
    owners = {at: owned[at] for at in board_map.provinces if at in owned}
    in_order = tuple(sorted(units, key=board_map.sort_key))
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


def crowded_phases() -> Iterator[Mapping[str, Any]]:
    """Yield the movement phases of the recorded games with many units."""
    for game in recorded_games():
        for phase in recorded_phases(game):
            units = sum(map(len, phase["state"]["units"].values()))
            if phase["name"].endswith("M") and units >= CROWDED:
                yield phase


def crowded_turns(variant: Variant) -> Turns:
    """Return what `crowded_phases` hold, as values."""
    positions = ((position_of(variant, phase), phase) for phase in crowded_phases())
    return [
        (position, orders_of(variant, position, phase)) for position, phase in positions
    ]


def resolve(variant: Variant, position: Position, orders: tuple[Order, ...]) -> None:
    """Adjudicate, and ask for units and dislodged ones."""
    resolution = adjudicate(variant, position, orders, DIPCC_RULES)
    _ = resolution.units, resolution.dislodged


def report(variant: Variant, position: Position, orders: tuple[Order, ...]) -> None:
    """Adjudicate, and ask for the results of the orders as well."""
    resolution = adjudicate(variant, position, orders, DIPCC_RULES)
    _ = resolution.units, resolution.dislodged, resolution.reports


def go_on(variant: Variant, position: Position, orders: tuple[Order, ...]) -> None:
    """Adjudicate, and ask for the results and the next position."""
    resolution = adjudicate(variant, position, orders, DIPCC_RULES)
    _ = resolution.next, resolution.reports


def note(variant: Variant, position: Position, orders: tuple[Order, ...]) -> None:
    """Ask for the note of every order."""
    legality = Legality(variant.map, position)
    for order in orders:
        legality.note(order, owner(order))


def list_orders(variant: Variant, position: Position, _: tuple[Order, ...]) -> None:
    """List the possible orders of a position."""
    possible_orders(variant.map, position)


def replay(variant: Variant, game: bytes) -> int:
    """Play a recorded game again from the texts of its orders; count the phases."""
    phases = list(recorded_phases(game))
    position = position_of(variant, phases[0])
    for phase in phases:
        while phase["name"] != phase_name(position.turn):
            # Some recorders skip retreats of units that have nowhere to go.
            position = adjudicate(variant, position, (), DIPCC_RULES).next
        orders = orders_of(variant, position, phase)
        position = adjudicate(variant, position, orders, DIPCC_RULES).next
    return len(phases)


def phase_name(turn: Turn) -> str:
    """Return such as `S1901M`."""
    season = next(name for name, season in SEASONS.items() if season is turn.season)
    return f"{season[0]}{turn.year}{season[1]}"


def main() -> None:
    """Measure and print."""
    variant = load_variant("standard")
    turns = crowded_turns(variant)
    if not turns:
        sys.exit(f"no recorded games in {GAMES}")
    units = sum(len(position.units) for position, _ in turns)
    print(f"{len(turns)} boards, {units / len(turns):.1f} units on average")
    clock = peers.Clock()
    for title, task in TASKS.items():
        for number, (position, orders) in enumerate(turns):
            for _ in range(ROUNDS):
                clock.time(title, number, partial(task, variant, position, orders))
    time_lines(clock)
    found = clock.figures()
    for title, took in found.items():
        print(f"{title:42}{took:9.1f} microseconds")
    longest = max(recorded_games(), key=len)
    for _ in range(ROUNDS):
        clock.time("game", 0, lambda: replay(variant, longest))
    phases = replay(variant, longest)
    took = clock.figures()["game"] / 1000
    print(f"{'a whole game from its JSON':42}{took:9.1f} milliseconds, {phases} phases")
    compare(found)


def time_lines(clock: peers.Clock) -> None:
    """Time the answers of `daide-server adjudicate` to the boards as JSON lines."""
    adjudicator = QueryAdjudicator(load_variant, DIPCC_RULES)
    for number, phase in enumerate(crowded_phases()):
        state = phase["state"]
        query = {"phase": phase["name"], "orders": phase["orders"]}
        query |= {key: state[key] for key in ("units", "centers")}
        line = json.dumps(query).encode()
        for _ in range(ROUNDS):
            clock.time(LINES, number, partial(adjudicator.answer, line, 1))


def compare(ours: Mapping[str, float]) -> None:
    """Print the figures of the `diplomacy` package, as multiples of ours."""
    if not peers.INSTALLED:
        print("no ratios: the package `diplomacy` is not installed here")
        return
    for name, took in peers.diplomacy_figures(crowded_phases()).items():
        text = f"diplomacy: {name:31}{took:9.1f} microseconds"
        if name in COUNTERPARTS:
            text += f", {took / ours[COUNTERPARTS[name]]:.1f} times ours"
        print(text)


UNITS = "adjudicate, units, dislodged"
NEXT = "adjudicate, results, next position"
LISTS = "all possible orders of a board"
LINES = "a JSON line in, a JSON line out"
COUNTERPARTS = {
    peers.POSSIBLE: LISTS,
    peers.RESOLUTION: UNITS,
    peers.TURN: NEXT,
    "process()": NEXT,
}
"""What of ours does as much as each figure of theirs; `set_orders()` has none."""
ROUNDS = 15

TASKS = {
    UNITS: resolve,
    "adjudicate, units, dislodged, results": report,
    NEXT: go_on,
    "notes on all orders of a board": note,
    LISTS: list_orders,
}


if __name__ == "__main__":
    main()

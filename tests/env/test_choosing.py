"""Choices of games that share caches, against those of a map without any."""

from random import Random

import pytest
from attrs import evolve
from msgspec.structs import replace

from daide_server.board.map import Map, Phase, Position, Variant
from daide_server.board.names import Power
from daide_server.board.orders import Build, Order
from daide_server.judge.adjudication import adjudicate
from daide_server.judge.possible import possible_adjustments, possible_orders
from daide_server.library.variants import load_variant
from tests.support.needed import need_package

need_package("numpy")

from daide_server.env.env_game import TurnChoices, default_shape  # noqa: E402 - numpy first


def uncached(variant: Variant) -> Variant:
    """Return the board with a map that has no tables yet."""
    return evolve(variant, map=evolve(variant.map))


def expected_slots(
    board_map: Map, position: Position
) -> dict[Power, list[tuple[Order, ...]]]:
    """Return the orders of each slot, from lists of all that is possible."""
    found: dict[Power, list[tuple[Order, ...]]]
    found = {power: [] for power in board_map.powers}
    if position.turn.phase is Phase.ADJUSTMENTS:
        for power, orders in possible_adjustments(board_map, position).items():
            sites = {at.unit.province for at in orders if isinstance(at, Build)}
            surplus = position.surplus(power)
            due = min(surplus, len(sites)) if surplus > 0 else -surplus
            found[power] = [orders] * due
    else:
        for unit, listed in possible_orders(board_map, position).items():
            found[unit.power].append(listed)
    return found


@pytest.mark.parametrize("board", ["standard", "fva", "hundred3"])
def test_a_game_is_the_same_on_a_map_that_has_kept_nothing(board: str) -> None:
    """Counts, masks, the order of each number, and what the judge makes of them."""
    variant, chance = load_variant(board), Random(7)
    position, shape = variant.start, default_shape(variant)
    for _ in range(30):
        choices = TurnChoices(variant.map, position, shape)
        fresh = uncached(variant)
        slots_of = expected_slots(fresh.map, position)
        orders = []
        for power in variant.map.powers:
            slots, counts = choices.of(power), choices.counts[power]
            expected = [slot[: shape.width] for slot in slots_of[power]]
            assert [tuple(slot) for slot in slots] == expected
            assert counts == [len(slot) for slot in expected]
            rows = [int(row.sum()) for row in choices.mask(power)]
            assert rows == counts + [1] * (shape.slots - len(counts))
            numbers = [chance.randrange(count) for count in counts]
            chosen = choices.orders(power, numbers + [0] * (shape.slots - len(counts)))
            assert chosen == [
                slot[number] for slot, number in zip(expected, numbers, strict=True)
            ]
            orders += chosen
        after = adjudicate(variant, position, orders)
        assert after.next == adjudicate(fresh, position, orders).next
        if after.winner is not None:
            break
        position = after.next


def test_a_power_that_is_out_has_no_slots(standard: Variant) -> None:
    position = replace(standard.start, units=standard.start.units[3:])
    shape = default_shape(standard)
    choices = TurnChoices(standard.map, position, shape)
    gone = Power("AUS")
    assert choices.of(gone) == ()
    assert choices.orders(gone, [0] * shape.slots) == []
    assert len(choices.of(Power("ENG"))) == 3

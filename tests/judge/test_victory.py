"""Solo and elimination."""

import pytest
from msgspec.structs import replace

from daide_server.board.map import Map
from daide_server.board.names import Power, Province
from daide_server.board.variant import Variant
from daide_server.judge.resolution import solo


def owners(board_map: Map, *counts: int) -> dict[Province, Power]:
    """Give each power in turn so many centres."""
    centres = iter(sorted(board_map.centres))
    return {
        next(centres): power
        for power, count in zip(board_map.powers, counts, strict=False)
        for _ in range(count)
    }


@pytest.mark.parametrize(
    ("counts", "winner"), [((17, 17), None), ((18, 16), "AUS"), ((3, 18), "ENG")]
)
def test_more_than_half_of_all_centres_wins(
    standard: Variant, counts: tuple[int, ...], winner: str | None
) -> None:
    assert solo(standard.map, owners(standard.map, *counts)) == winner


def test_nobody_wins_an_empty_board(standard: Variant) -> None:
    assert solo(standard.map, {}) is None


def test_a_power_survives_with_a_unit_or_a_centre(standard: Variant) -> None:
    start = standard.start
    france, *_ = (unit for unit in start.units if unit.power == "FRA")
    centre = {Province("LON"): Power("ENG")}
    position = replace(start, units=(france,), owners=centre)
    powers = standard.map.powers
    assert [who for who in powers if not position.is_eliminated(who)] == ["ENG", "FRA"]

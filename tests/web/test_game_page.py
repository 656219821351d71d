"""The texts of a game's page: powers and their centres, orders by power."""

from pathlib import Path

import pytest

from daide_server.records.record import GameRecord
from daide_server.reports.game_views import game_view
from daide_server.storage.game_files import games_in, read_game
from daide_server.web.contexts import centres_after, orders_by_power, power_rows

DRAW = Path(__file__).parents[1] / "records" / "games" / "draw.json"


@pytest.fixture(scope="module")
def record() -> GameRecord:
    """Return a game that was drawn."""
    (found,) = games_in(DRAW)
    return read_game(found)


def test_centres_are_those_after_the_turn(record: GameRecord) -> None:
    view = game_view(record)
    for turn, after in zip(view.turns, record.positions[1:], strict=False):
        counts = centres_after(turn)
        for power in record.variant.map.powers:
            assert counts[power] == len(after.centres_of(power))


def test_the_change_is_since_the_year_before(record: GameRecord) -> None:
    view = game_view(record)
    fall = next(turn for turn in view.turns if turn.id == "F1902M")
    start, first, second = (year.centres for year in view.years[:3])

    assert start != first
    for row in power_rows(view, fall):
        power = row.power.id
        change = second[power] - first[power]
        assert row.centres == second[power]
        assert row.change.replace("\u2212", "-") == (f"{change:+d}" if change else "")


def test_orders_are_grouped_in_the_order_of_the_powers(record: GameRecord) -> None:
    view = game_view(record)
    found = orders_by_power(view, view.turns[0])

    assert [power.id for power, _ in found] == list(record.variant.map.powers)
    assert sum(len(orders) for _, orders in found) == len(view.turns[0].orders)

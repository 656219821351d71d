"""What the page of a game says of its powers."""

from pathlib import Path

import pytest

from daide_server.library.game_files import games_in, read_game
from daide_server.records.record import GameRecord
from daide_server.text.game_views import game_view
from daide_server.web.contexts import centres_after, power_rows

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

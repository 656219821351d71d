"""Comparisons of two bots, and which of them hold together."""

from collections.abc import Callable

from daide_server.tournament.description import (
    TournamentDescription,
)
from daide_server.tournament.pairs import cross_table, holm
from daide_server.tournament.plan import plan
from tests.tournament.playing import Play, all_played

Described = Callable[..., TournamentDescription]
LEADING = (3.0, *(1.0,) * 7)


def test_holm_by_example() -> None:
    """0.05 over 4, 3, 2, 1: the third smallest fails, so the fourth does too."""
    assert holm([0.04, 0.01, 0.03, 0.005]) == (False, True, False, True)
    assert holm([0.02, 0.012]) == (True, True)
    assert holm([]) == ()


def test_the_cross_table_finds_the_strong_bot(described: Described, play: Play) -> None:
    cells = cross_table(all_played(plan(described(games=210)), play, LEADING))
    assert len(cells) == 21
    for cell in cells:
        assert cell.games == 210
        assert cell.interval is not None
        assert cell.holds is (cell.pair[0] == 0)
        assert (cell.better > 0.6) is (cell.pair[0] == 0)


def test_with_more_bots_than_seats_only_shared_games_count(
    described: Described, play: Play
) -> None:
    cells = cross_table(all_played(plan(described(8, 56)), play, LEADING))
    assert {cell.games for cell in cells} == {42}

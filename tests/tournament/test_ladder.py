"""The next line-up of a ladder."""

from collections import Counter
from collections.abc import Callable

import pytest
from attrs import evolve

from daide_server.tournament.description import (
    DesignChoice,
    TournamentDescription,
)
from daide_server.tournament.plan import (
    LadderBot,
    ladder_draws,
    ladder_plan,
    next_line_up,
)
from tests.tournament.playing import Play, all_played

Described = Callable[..., TournamentDescription]


def test_the_least_known_bot_plays_and_meets_its_like() -> None:
    bots = [LadderBot(at, at * 1.0, 0.2, (5,) * 7) for at in range(12)]
    bots.append(LadderBot(12, 5.5, None))
    line_up = next_line_up(bots, 7, ladder_draws(1, 1))
    assert sorted(line_up) == [2, 3, 4, 5, 6, 7, 12] or {4, 5, 6, 7, 12} < set(line_up)
    assert line_up == next_line_up(bots, 7, ladder_draws(1, 1))


def test_fewer_bots_than_seats_play_in_copies() -> None:
    line_up = next_line_up([LadderBot(0), LadderBot(1)], 7, ladder_draws(1, 1))
    assert sorted(Counter(line_up).values()) == [3, 4]


def test_a_bot_takes_the_seat_that_it_had_least() -> None:
    held = (3, 3, 3, 0, 3, 3, 3)
    bots = [LadderBot(0, 0.0, None, held)]
    bots += [LadderBot(at, 0.0, 0.1, (9,) * 7) for at in range(1, 7)]
    assert next_line_up(bots, 7, ladder_draws(1, 1))[3] == 0


def test_nobody_to_play_is_an_error() -> None:
    with pytest.raises(ValueError, match="needs a bot"):
        next_line_up([], 7, ladder_draws(1, 1))


def test_a_ladder_s_plan_is_its_decisions(described: Described, play: Play) -> None:
    ladder = evolve(described(), design=DesignChoice("ladder"))
    of = ladder_plan(ladder, [(0, 1, 2, 3, 4, 5, 6), (6, 5, 4, 3, 2, 1, 0)])
    assert of.game(2).bots == (6, 5, 4, 3, 2, 1, 0)
    found = all_played(of, play, (1.0,) * 7)
    assert found.is_complete()
    longer = ladder_plan(ladder, [*(game.bots for game in of.all_games()), (0,) * 7])
    assert longer.game(1) == of.game(1)

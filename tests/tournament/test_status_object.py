"""The object that programs read: its keys, and that its games add up."""

from collections.abc import Callable, Sequence

import attrs
import msgspec

from daide_server.tournament.description import TournamentDescription
from daide_server.tournament.game_outcomes import PlayedGame, VoidGame
from daide_server.tournament.plan import PlannedGame, plan
from daide_server.tournament.standings import standings, status_json, status_object
from tests.support.tournaments import ledger

Described = Callable[..., TournamentDescription]
Play = Callable[[PlannedGame, Sequence[float]], PlayedGame]
EVEN = (1.0,) * 7


def test_the_keys_are_those_that_were_promised(described: Described) -> None:
    found = ledger(plan(described()), [])
    status = msgspec.json.decode(status_json(status_object(found, standings(found))))

    assert " ".join(status) == (
        "name rank_by games played running remaining unplayed stopped bots kind"
    )
    assert " ".join(status["bots"][0]) == (
        "name version games score low high low_fixed high_fixed forfeits voids refused "
        "late rating rating_low rating_high anchor worker_deaths endings win_rate "
        "never_ordered usage cost_per_game fixed_is_rough centres place clean_games "
        "clean_score by_power played said_names versions boxes bot"
    )


def test_before_the_first_block_nothing_is_known(described: Described) -> None:
    found = ledger(plan(described()), [])

    bot = status_object(found, standings(found)).bots[0]

    assert (bot.games, bot.score, bot.low, bot.high) == (0, None, 0, 1)
    assert (bot.low_fixed, bot.high_fixed) == (None, None)


def test_the_games_add_up(described: Described, play: Play) -> None:
    of = plan(described(retries=0))
    found = ledger(of, [play(of.game(at), EVEN) for at in range(1, 11)])
    found.add(VoidGame(12, 1, "no memory"))

    status = status_object(found, standings(found), running=2, stopped="separated")

    assert attrs.astuple(status)[2:8] == (42, 10, 2, 29, 1, "separated")
    assert status.bots[0].games == 7


def test_bots_are_in_the_order_of_the_table(described: Described, play: Play) -> None:
    of = plan(described())
    found = ledger(of, [play(game, (1, 1, 1, 9, 1, 1, 1)) for game in of.all_games()])

    status = status_object(found, standings(found))

    assert status.bots[0].name == "bot3"
    assert status.bots[0].low < (status.bots[0].score or 0) < status.bots[0].high

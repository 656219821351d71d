"""What went wrong: one entry for each forfeit, stand-in and void attempt."""

from attrs import evolve

from daide_server.tournament.game_outcomes import PlayedGame, VoidGame, incidents
from tests.support.tournaments import forfeited, played_ledger


def test_a_forfeit_names_bot_power_turn_and_output() -> None:
    (found,) = incidents(played_ledger(games=42, change=forfeited(5, "exit code 1")))

    assert (found.kind, found.turn, found.power) == ("forfeit", "F1903M", "AUS")
    assert found.output.startswith("Traceback")


def test_a_stand_in_is_named() -> None:
    def change(game: PlayedGame) -> PlayedGame:
        seats = (evolve(game.seats[0], stand_in=game.game == 2), *game.seats[1:])
        return evolve(game, seats=seats)

    (found,) = incidents(played_ledger(games=42, change=change))

    assert (found.kind, found.attempt.game, found.power) == ("stand-in", 2, "AUS")


def test_void_games_say_what_became_of_them() -> None:
    ledger = played_ledger(games=42, played=0)
    for game, attempts in ((1, 1), (2, 3), (3, 1)):
        for attempt in range(1, attempts + 1):
            ledger.add(VoidGame(game, attempt, "worker killed"))
    again = played_ledger(games=42).played[3]
    ledger.add(evolve(again, attempt=2))

    found = [(each.attempt.game, each.afterwards) for each in incidents(ledger)]

    assert found == [
        (1, "to be played again"),
        *[(2, "given up after its retries")] * 3,
        (3, "played in attempt 2"),
    ]

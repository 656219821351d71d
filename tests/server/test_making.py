"""Seats that a seed repeats; passcodes that nobody can foresee."""

from itertools import count

import pytest

from daide_server.board.map import Variant
from daide_server.game.directory import Directory, GameId
from daide_server.game.game import Game
from daide_server.game.options import GameOptions, SeatAssignment, ServerPolicy
from daide_server.server.game_host import SeatsUnavailableError
from daide_server.server.making import MAX_PASSCODE, PasscodeSource, SeatAssigner
from tests.support.settings import settings_with


def in_order() -> PasscodeSource:
    """Return a source of the numbers from 0 on."""
    numbers = count()
    return lambda below: next(numbers) % below


def test_a_seed_repeats_the_seats_and_not_the_passcodes(standard: Variant) -> None:
    """It stands in every record."""

    def drawn(**given: object) -> SeatAssignment:
        return SeatAssigner(settings_with(**given), standard).draw(Directory())

    assert drawn(seed=7).seats == drawn(seed=7).seats
    assert drawn(seed=7).seats != drawn(seed=8).seats
    assert drawn(seed=7, seats="arrival").seats == standard.map.powers
    codes = [drawn(seed=7).passcodes for _ in range(2)]
    assert codes[0] != codes[1]


def test_a_passcode_is_drawn_again_while_a_game_has_it(standard: Variant) -> None:
    """From 1 to 8191; when its game is closed it may be drawn again."""
    settings, directory = settings_with(), Directory()
    for number in (1, 2):
        seats = SeatAssigner(settings, standard, in_order())
        assignment = seats.draw(directory)
        codes = assignment.passcodes.values()
        # The source begins at 0 again: what is taken is passed over.
        assert sorted(codes) == sorted(set(codes))
        assert min(codes) == number
        game = Game(standard, GameOptions(), ServerPolicy(), assignment)
        directory.add(GameId(number), game)
    directory.remove(GameId(1))
    again = SeatAssigner(settings, standard, in_order()).draw(directory)
    assert 1 in again.passcodes.values()


class Full(Directory):
    """A directory of as many games as there are passcodes."""

    def passcodes(self, power: object) -> range:
        del power
        return range(1, MAX_PASSCODE + 1)


def test_more_games_than_passcodes_are_refused(standard: Variant) -> None:
    """Not drawn for without end."""
    seats = SeatAssigner(settings_with(), standard)
    with pytest.raises(SeatsUnavailableError, match="found 8191 games, expected fewer"):
        seats.draw(Full())

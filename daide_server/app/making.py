"""Settings to the setup of games, and the seats that chance draws."""

import random
from typing import Final

from attrs import evolve

from daide_server.board.variant import Variant
from daide_server.game.options import SeatAssignment
from daide_server.lobby.directory import Directory, GameId
from daide_server.server.game_setup import GameSetup

from .settings import ServerSettings

MAX_PASSCODE: Final = 8191


def setup(settings: ServerSettings, variant: Variant) -> GameSetup:
    """Return the setup of the games that the server plays."""
    return GameSetup(
        variant,
        settings.options,
        evolve(settings.policy, record=settings.record),
        settings.service.games,
        settings.guesses,
        settings.log.dialect,
    )


class SeatAssigner:
    """Draws the seats and the passcodes of each new game."""

    def __init__(self, settings: ServerSettings, variant: Variant) -> None:
        self._powers: Final = variant.map.powers
        self._shuffled: Final = settings.policy.seats == "random"
        self._chance: Final = random.Random(  # noqa: S311 (passcodes keep order, not secrets)
            settings.chance.seed
        )

    def draw(self, _number: GameId, directory: Directory) -> SeatAssignment:
        """Return seats, and passcodes that are free among the games of *directory*."""
        powers = list(self._powers)
        if self._shuffled:
            self._chance.shuffle(powers)
        passcodes = {
            power: self._passcode(directory.passcodes(power)) for power in self._powers
        }
        return SeatAssignment(tuple(powers), passcodes)

    def _passcode(self, taken: set[int]) -> int:
        passcode = self._chance.randint(1, MAX_PASSCODE)
        while passcode in taken:
            passcode = self._chance.randint(1, MAX_PASSCODE)
        return passcode

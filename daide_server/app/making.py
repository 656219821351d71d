"""Settings to the setup of games; the seats and passcodes that are drawn for each.

A seed makes the seats repeatable, never the passcodes: those keep strangers out.
"""

import random
import secrets
from collections.abc import Callable, Collection
from typing import Final

from daide_server.board.variant import Variant
from daide_server.game.options import SeatAssignment
from daide_server.lobby.directory import Directory, GameId
from daide_server.server.game_host import SeatsUnavailableError
from daide_server.server.game_setup import GameSetup

from .settings import ServerSettings
from .starting import begun

MAX_PASSCODE: Final = 8191
"""The highest number of the protocol: so many games there can be at a time."""

PasscodeSource = Callable[[int], int]
"""Returns a number from 0 up to, but not including, its argument."""


def setup(settings: ServerSettings, variant: Variant) -> GameSetup:
    """Return the setup of the games that the server plays. Raises `StartError`."""
    return GameSetup(
        begun(settings, variant),
        settings.options,
        settings.policy,
        settings.service.games,
        settings.log.dialect,
    )


class SeatAssigner:
    """Draws the seats and the passcodes of each new game."""

    def __init__(
        self,
        settings: ServerSettings,
        variant: Variant,
        below: PasscodeSource = secrets.randbelow,
    ) -> None:
        """Draw passcodes from *below*, and seats as the settings' seed says."""
        self._powers: Final = variant.map.powers
        self._shuffled: Final = settings.policy.seats == "random"
        self._chance: Final = random.Random(  # noqa: S311 (a seed repeats the seats)
            settings.chance.seed
        )
        self._below: Final = below

    def draw(self, _number: GameId, directory: Directory) -> SeatAssignment:
        """Return seats, and passcodes that no game of *directory* uses.

        Raises `SeatsUnavailableError` if the games use all passcodes of a power.
        """
        passcodes = {
            power: self._passcode(directory.passcodes(power)) for power in self._powers
        }
        powers = list(self._powers)
        if self._shuffled:
            self._chance.shuffle(powers)
        return SeatAssignment(tuple(powers), passcodes)

    def _passcode(self, taken: Collection[int]) -> int:
        if len(taken) >= MAX_PASSCODE:
            message = f"found {len(taken)} games, expected fewer than {MAX_PASSCODE}"
            raise SeatsUnavailableError(message)
        while True:
            passcode = 1 + self._below(MAX_PASSCODE)
            if passcode not in taken:
                return passcode

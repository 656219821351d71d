"""Settings to the values that each floor takes, and the lots that chance draws."""

import random
from typing import Final

from attrs import evolve

from daide_server.board.variant import Variant
from daide_server.game.options import SeatAssignment, ServerPolicy
from daide_server.judge.rules import EDITIONS, IllegalOrders
from daide_server.lobby.directory import Directory, GameId
from daide_server.lobby.rejoin_throttle import RejoinLimits
from daide_server.server.dispatcher import GameSetup
from daide_server.server.listener import ConnectionLimits
from daide_server.server.session import SessionLimits
from daide_server.settings import ServerSettings

LARGEST_PASSCODE: Final = 8191


def setup(settings: ServerSettings, variant: Variant) -> GameSetup:
    """Return what is played and by which policy."""
    rules = EDITIONS[settings.rules]
    if settings.aoa:
        rules = evolve(rules, illegal_orders=IllegalOrders.REPORTED)
    policy = ServerPolicy(
        rules=rules,
        edition=settings.rules,
        year_limit=settings.year_limit or None,
        post_game_seconds=settings.post_game_seconds,
        abandoned_after=settings.abandoned_after,
        seats_by_name=settings.seats == "name",
        late_is_disorder=settings.late_is_disorder,
        vacant_blocks_draw=settings.vacant_blocks_draw,
        admin_allowed=settings.admin,
        strict=settings.strict,
        takeover_after=settings.takeover_after or None,
        load_limit=settings.load_limit or None,
        pause_limit=settings.pause_limit or None,
    )
    guesses = RejoinLimits(
        per_connection=settings.guesses_per_connection,
        per_address=settings.guesses_per_address,
        per_seat=settings.guesses_per_seat,
        seconds=settings.guess_seconds,
    )
    games = settings.games or None
    return GameSetup(
        variant, settings.options, policy, games, guesses, settings.dialect
    )


def connection_limits(settings: ServerSettings) -> ConnectionLimits:
    """Return how many connections there may be."""
    return ConnectionLimits(
        settings.connections,
        settings.connections_per_address,
        settings.loopback_exempt,
    )


def session_limits(settings: ServerSettings) -> SessionLimits:
    """Return what one client may cost."""
    return SessionLimits(
        largest_message=settings.largest_message,
        outbox_bytes=settings.outbox_bytes,
        read_bytes_per_second=settings.read_bytes_per_second,
        read_burst_bytes=settings.read_burst_bytes,
        messages_per_pass=settings.messages_per_pass,
        im_seconds=settings.im_seconds,
        join_seconds=settings.join_seconds or float("inf"),
        close_seconds=settings.close_seconds,
    )


class Lots:
    """Draws the seats and the passcodes of each new game."""

    def __init__(self, settings: ServerSettings, variant: Variant) -> None:
        self._powers: Final = variant.map.powers
        self._shuffled: Final = settings.seats == "random"
        self._chance: Final = random.Random(  # noqa: S311 (passcodes keep order, not secrets)
            None if settings.seed == "random" else settings.seed
        )

    def draw(self, _number: GameId, directory: Directory) -> SeatAssignment:
        """Return a lot whose passcodes are free among the games of *directory*."""
        powers = list(self._powers)
        if self._shuffled:
            self._chance.shuffle(powers)
        passcodes = {
            power: self._passcode(directory.passcodes(power)) for power in self._powers
        }
        return SeatAssignment(tuple(powers), passcodes)

    def _passcode(self, taken: set[int]) -> int:
        passcode = self._chance.randint(1, LARGEST_PASSCODE)
        while passcode in taken:
            passcode = self._chance.randint(1, LARGEST_PASSCODE)
        return passcode

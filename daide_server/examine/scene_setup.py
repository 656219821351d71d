"""The table at which scenes are played."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from attrs import evolve
from msgspec.structs import replace

from daide_server.board.names import Power
from daide_server.board.position import Position
from daide_server.board.turns import Phase
from daide_server.board.variant import Variant
from daide_server.classes import frozen
from daide_server.game.options import GameOptions
from daide_server.storage.variants import find_variant

# How the bytes of messages are cut on their way to the bot

Pace = Callable[[bytes], Iterable[bytes]]
"""Cuts bytes into the pieces that are sent one by one."""

SMALL_PIECE: Final = 1
SLOW_PIECES: Final = 400
"""So many bytes are sent one by one; the rest in odd pieces."""
ODD_PIECE: Final = 97


def whole(data: bytes) -> Iterable[bytes]:
    """Return all at once: many frames in one piece."""
    return (data,)


def bytewise(data: bytes) -> Iterator[bytes]:
    """Yield single bytes at first, then pieces that end in the middle of frames."""
    for place in range(0, min(len(data), SLOW_PIECES), SMALL_PIECE):
        yield data[place : place + SMALL_PIECE]
    for place in range(SLOW_PIECES, len(data), ODD_PIECE):
        yield data[place : place + ODD_PIECE]


def split_headers(data: bytes) -> Iterator[bytes]:
    """Yield three bytes, and then the rest: the first header is cut."""
    yield data[:3]
    if data[3:]:
        yield data[3:]


FRANCE: Final = Power("FRA")
NO_LIMITS: Final = GameOptions()


@frozen
class SceneSetup:
    """The table at which scenes are played; scenes of equal ones may share a start."""

    power: Power = FRANCE
    board: str = "standard"
    options: GameOptions = NO_LIMITS
    """Limits that are `None` are the usual ones of the examination."""
    has_limits: bool = True
    first_year: int | None = None
    """The year of the first turn, if it is not that of the board."""
    start: Position | None = None
    """Where the game begins, if not as the board says."""
    pace: Pace = whole
    padding: bool = False
    """The second byte of each frame is garbage."""
    full_rm: bool = False
    """RM has all names, also those of the standard board."""
    rm_delay: float | None = None
    """How long RM waits, if it is not the usual time of the examination."""
    map_name: str | None = None
    """The name in MAP, if it is not that of the board."""
    environment: tuple[tuple[str, str], ...] = ()


USUAL_SETUP: Final = SceneSetup()


# How long the examination waits: what was announced, times the machine's slowness

SECONDS_PER_TURN: Final = 5
MARGIN_SECONDS: Final = 0.3
"""Between the bot's clock and ours, on top of a limit."""
START_SECONDS: Final = 60.0
"""How long a bot may load before it sends NME, and answer MAP."""
UNANNOUNCED_FACTOR: Final = 2
"""A bot that has no limit is waited for so much longer."""


@frozen
class Measures:
    """What was measured before the scenes, and how long a turn has."""

    slowness: float = 1.0
    """How much slower this machine is than an idle one, measured with hold."""
    seconds_per_turn: int = SECONDS_PER_TURN
    rm_delay: float = 0.0
    """How long RM waits in all scenes: the first delay after which the bot joins."""
    level: int = 0
    """Of games in scenes that need no higher one."""
    start_seconds: float = START_SECONDS
    margin: float = MARGIN_SECONDS

    def options(self, setup: SceneSetup) -> GameOptions:
        """Return the options of a setup with the usual limits, if it has limits."""
        level = max(setup.options.level, self.level)
        options = evolve(setup.options, level=level)
        if not setup.has_limits:
            return options
        return evolve(
            options,
            movement_limit=options.movement_limit or self.seconds_per_turn,
            retreat_limit=options.retreat_limit or self.seconds_per_turn,
            build_limit=options.build_limit or self.seconds_per_turn,
        )

    def limit(self, options: GameOptions, phase: Phase) -> float:
        """Return how long the bot is waited for in a phase."""
        announced = options.limits[phase]
        if announced is None:
            return self.seconds_per_turn * UNANNOUNCED_FACTOR
        return announced


def variant_of(setup: SceneSetup) -> Variant:
    """Return the board of a setup, with its first year."""
    variant = find_variant(setup.board)
    if setup.start is not None:
        return evolve(variant, start=setup.start)
    if setup.first_year is None:
        return variant
    turn = replace(variant.start.turn, year=setup.first_year)
    return evolve(variant, start=replace(variant.start, turn=turn))

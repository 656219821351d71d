"""What is agreed before a game begins.

`GameOptions` are the variant options of HLO (Message Syntax, HLO and Level 10);
`ServerPolicy` are what the protocol leaves to the server; a `SeatAssignment` is chance.
"""

from collections.abc import Mapping

from attrs import frozen

from daide_server.board.names import Power
from daide_server.board.turns import Phase
from daide_server.judge.rules import Rules
from daide_server.language.hello_options import PRESS_LEVEL, HelloOption

LARGEST_LIMIT = 8191
"""Seconds above this do not fit into a number of the protocol."""


@frozen(kw_only=True)
class GameOptions:
    """The variant options of HLO. Limits are in seconds, `None` is no limit."""

    level: int = 0
    movement_limit: int | None = None
    retreat_limit: int | None = None
    build_limit: int | None = None
    press_limit: int | None = None
    deadline_stops: bool = False
    any_orders: bool = False
    partial_draws: bool = False
    no_retreat_press: bool = False
    no_build_press: bool = False

    @property
    def limits(self) -> Mapping[Phase, int | None]:
        """Return how long each phase lasts."""
        return {
            Phase.MOVEMENT: self.movement_limit,
            Phase.RETREATS: self.retreat_limit,
            Phase.ADJUSTMENTS: self.build_limit,
        }

    @property
    def has_partial_draws(self) -> bool:
        """Return whether draws may leave out survivors, at this level."""
        return bool(self._with_press(self.partial_draws))

    def as_hello(self) -> tuple[tuple[HelloOption, int | None], ...]:
        """Return the options as HLO lists them: what is set, in SEED's order."""
        numbers = {
            HelloOption.LEVEL: self.level,
            HelloOption.MOVEMENT_LIMIT: self.movement_limit,
            HelloOption.RETREAT_LIMIT: self.retreat_limit,
            HelloOption.BUILD_LIMIT: self.build_limit,
            HelloOption.PRESS_LIMIT: self._with_press(self.press_limit),
        }
        flags = {
            HelloOption.DEADLINE_STOPS: self.deadline_stops,
            HelloOption.ANY_ORDERS: self.any_orders,
            HelloOption.PARTIAL_DRAWS: self._with_press(self.partial_draws),
            HelloOption.NO_RETREAT_PRESS: self._with_press(self.no_retreat_press),
            HelloOption.NO_BUILD_PRESS: self._with_press(self.no_build_press),
        }
        return tuple(
            (option, numbers.get(option))
            for option in HelloOption
            if numbers.get(option) is not None or flags.get(option)
        )

    def _with_press(self, value: int | bool | None) -> int | None:  # noqa: FBT001 (any option's value)
        return value if value and self.level >= PRESS_LEVEL else None


@frozen(kw_only=True)
class ServerPolicy:
    """What the protocol leaves to the server. Times are in seconds."""

    rules: Rules
    edition: str
    year_limit: int | None = None
    """After the winter of this year the survivors share a draw."""
    post_game_seconds: float = 5.0
    """How long a finished game answers."""
    abandoned_after: float = 60.0
    """How long a game waits when no living power has a client."""
    seats_by_name: bool = False
    """A name `POW:Name` asks for the seat of POW."""
    late_is_disorder: bool = False
    """A player that misses a deadline is announced by CCD."""
    vacant_blocks_draw: bool = False
    """A surviving power without a client must vote for a plain draw too."""
    admin_allowed: bool = True
    """ADM is forwarded; if not, it is refused."""
    strict: bool = False
    """Only what the appendix of the document allows is syntax."""
    pause_limit: float | None = None
    """How long a clock stands still for a missing player (DSD)."""
    load_limit: float | None = None
    """How long a loaded game waits for the others when somebody is back."""
    takeover_after: float | None = None
    """IAM takes a seat whose client has been silent so long; `None` is never."""


@frozen
class SeatAssignment:
    """What chance decided: the order of the seats, and the passcodes."""

    seats: tuple[Power, ...]
    passcodes: Mapping[Power, int]

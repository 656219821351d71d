"""The table at which scenes are played."""

from typing import Final

from daide_server.board.names import Power
from daide_server.board.position import Position
from daide_server.classes import frozen
from daide_server.game.options import GameOptions

from .pacing import Pace, whole

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

"""The life of a game: its stages, and the causes that change them.

Other modules give a cause (`Cause.DRAW`), and `TRANSITIONS` has the next stage. Only
`GameState.enter` changes the stage, and does what goes with it. A cause that the table
does not list for a stage is a bug of the game, never of a client, because
`game.ANSWERS` refuses such messages; it raises `StageError`, which ends that game.

The clock is stopped in three stages: PAUSED, LOADING, RECOVERING. In all three, players
who are there may send orders, votes and press; a draw can be agreed while PAUSED, but
nothing else is decided before the game resumes. There is no way back to FORMING, and
CLOSED is final. The diagram in docs/architecture.md is made from the table.
"""

from collections.abc import Mapping
from enum import Enum, auto
from typing import Final


class Stage(Enum):
    """The stage of a game."""

    FORMING = auto()
    """Seats are being taken."""
    PLAYING = auto()
    PAUSED = auto()
    """A player is missing (DSD), or no surviving power has a client."""
    LOADING = auto()
    """Loaded from a save; all connections are new."""
    RECOVERING = auto()
    """The server was restarted: no player has left, but all connections are new."""
    ENDED = auto()
    """Over, but still answering queries; an abandoned game closes instead."""
    CLOSED = auto()


RUNNING: Final = (Stage.PLAYING, Stage.PAUSED, Stage.LOADING, Stage.RECOVERING)
"""The stages of a game that has begun, and is not over."""


class Cause(Enum):
    """Why a game changes its stage; the value is the text in the diagram."""

    ALL_READY = "all seats taken, all maps accepted"
    NOBODY_LEFT = "no surviving power has a client"
    PLAYER_MISSED = "a player who owes orders left (DSD)"
    PLAYERS_BACK = "no player is missing any more"
    PAUSE_TOO_LONG = "the pause took too long"
    LOADED = "loaded from a save"
    LOAD_COMPLETE = "all players are back or have refused"
    LOAD_TOO_LONG = "loading took too long"
    SOLO = "solo"
    DRAW = "draw"
    YEAR_LIMIT = "year limit"
    STALEMATE = "stalemate"
    ABANDONED = "nobody came back"
    RECOVERED = "the server was restarted"
    RECOVERY_COMPLETE = "all clients are back"
    RECOVERY_TOO_LONG = "recovery took too long"
    NOBODY_RETURNED = "nobody returned to the server"
    BROKEN_OFF = "aborted by the server"
    POST_GAME_OVER = "post-game time is over"


TRANSITIONS: Final[Mapping[Stage, Mapping[Cause, Stage]]] = {
    Stage.FORMING: {Cause.ALL_READY: Stage.PLAYING},
    Stage.PLAYING: {
        Cause.NOBODY_LEFT: Stage.PAUSED,
        Cause.PLAYER_MISSED: Stage.PAUSED,
        Cause.LOADED: Stage.LOADING,
        Cause.RECOVERED: Stage.RECOVERING,
        Cause.BROKEN_OFF: Stage.CLOSED,
        Cause.SOLO: Stage.ENDED,
        Cause.DRAW: Stage.ENDED,
        Cause.YEAR_LIMIT: Stage.ENDED,
        Cause.STALEMATE: Stage.ENDED,
    },
    Stage.PAUSED: {
        Cause.PLAYERS_BACK: Stage.PLAYING,
        Cause.PAUSE_TOO_LONG: Stage.PLAYING,
        Cause.LOADED: Stage.LOADING,
        Cause.RECOVERED: Stage.RECOVERING,
        Cause.BROKEN_OFF: Stage.CLOSED,
        Cause.DRAW: Stage.ENDED,
        Cause.ABANDONED: Stage.CLOSED,
    },
    Stage.LOADING: {
        Cause.LOADED: Stage.LOADING,
        Cause.RECOVERED: Stage.RECOVERING,
        Cause.BROKEN_OFF: Stage.CLOSED,
        Cause.LOAD_COMPLETE: Stage.PLAYING,
        Cause.LOAD_TOO_LONG: Stage.PLAYING,
    },
    Stage.RECOVERING: {
        Cause.RECOVERED: Stage.RECOVERING,
        Cause.LOADED: Stage.LOADING,
        Cause.BROKEN_OFF: Stage.CLOSED,
        Cause.RECOVERY_COMPLETE: Stage.PLAYING,
        Cause.RECOVERY_TOO_LONG: Stage.PLAYING,
        Cause.NOBODY_RETURNED: Stage.CLOSED,
    },
    Stage.ENDED: {Cause.POST_GAME_OVER: Stage.CLOSED},
    Stage.CLOSED: {},
}


class StageError(Exception):
    """A cause that cannot change the present stage: a bug in this program."""

    def __init__(self, stage: Stage, cause: Cause) -> None:
        expected = ", ".join(each.name for each in TRANSITIONS[stage]) or "nothing"
        super().__init__(
            f"found {cause.name} in stage {stage.name}, expected {expected}"
        )


def enter(stage: Stage, cause: Cause) -> Stage:
    """Return the stage that follows from *cause* in *stage*; raises `StageError`."""
    following = TRANSITIONS[stage].get(cause)
    if following is None:
        raise StageError(stage, cause)
    return following

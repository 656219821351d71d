"""The life of a game: its stages, the causes that change them, and the executor.

How it works:

Rule 1: everything that decides which stage a game is in is in this file. The other
modules name a cause (`Cause.DRAW`), `TRANSITIONS` says what follows, and `enter`
executes that. Only `GameState.enter` calls it; what goes with a stage (the clock stops,
runs on, ends) is there, for all stages in one place.

Rule 2: a cause that the table does not list for a stage is a bug of the game, never of
a client: clients are held off by `game.ANSWERS` before. Hence `StageError`,
which ends that game.

The stages. A game is FORMING while seats are taken. It is PLAYING while orders are
awaited and a deadline may run. It stands still in three ways: PAUSED, because a player
is missed (DSD) or no surviving power has a client; LOADING, because it comes from a
save and all connections are new; RECOVERING, because its server was started again:
nobody has left, but connections are new here too. Players who are there may send
orders, votes and press in all three; a draw can be agreed while PAUSED, but nothing
else is decided before the game goes on. A game that is saved while LOADING is LOADING
again when it is loaded. An ENDED game still answers questions until it is CLOSED; an
abandoned one has no clients left, and closes at once.

A limit that is over (`Timeout` in `clock.py`) is a cause like any other. There is no
way back to FORMING, and nothing leaves CLOSED.

The diagram in docs/architecture.md is `diagram()`; `make diagrams` writes it.
"""

from collections.abc import Iterator, Mapping
from enum import Enum, auto
from typing import Final


class Stage(Enum):
    """Where a game is in its life."""

    FORMING = auto()
    """Seats are being taken."""
    PLAYING = auto()
    PAUSED = auto()
    """The clock stands still until players return."""
    LOADING = auto()
    """Loaded from a save; the clock stands still until its players are back."""
    RECOVERING = auto()
    """The server was started again; the clock stands still until clients are back."""
    ENDED = auto()
    """Over, but it still answers."""
    CLOSED = auto()


RUNNING: Final = (
    Stage.PLAYING,
    Stage.PAUSED,
    Stage.LOADING,
    Stage.RECOVERING,
)
"""The stages of a game that has begun, and is not over."""


class Cause(Enum):
    """Why a game changes its stage; the value is its text in the diagram."""

    ALL_READY = "all seats taken, all maps accepted"
    NOBODY_LEFT = "no surviving power has a client"
    PLAYER_MISSED = "a player who owes orders left (DSD)"
    PLAYERS_BACK = "nobody is missed any more"
    PAUSE_TOO_LONG = "the pause took too long"
    LOADED = "loaded from a save"
    LOAD_COMPLETE = "all players are back or have refused"
    LOAD_TOO_LONG = "loading took too long"
    SOLO = "solo"
    DRAW = "draw"
    YEAR_LIMIT = "year limit"
    ABANDONED = "nobody came back"
    RECOVERED = "the server was started again"
    RECOVERY_COMPLETE = "all clients are back"
    RECOVERY_TOO_LONG = "recovery took too long"
    NOBODY_RETURNED = "nobody returned to the server"
    BROKEN_OFF = "broken off by the server"
    POST_GAME_OVER = "post-game time is over"


TRANSITIONS: Final[Mapping[Stage, Mapping[Cause, Stage]]] = {
    Stage.FORMING: {
        Cause.ALL_READY: Stage.PLAYING,
    },
    Stage.PLAYING: {
        Cause.NOBODY_LEFT: Stage.PAUSED,
        Cause.PLAYER_MISSED: Stage.PAUSED,
        Cause.LOADED: Stage.LOADING,
        Cause.RECOVERED: Stage.RECOVERING,
        Cause.BROKEN_OFF: Stage.CLOSED,
        Cause.SOLO: Stage.ENDED,
        Cause.DRAW: Stage.ENDED,
        Cause.YEAR_LIMIT: Stage.ENDED,
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
    Stage.ENDED: {
        Cause.POST_GAME_OVER: Stage.CLOSED,
    },
    Stage.CLOSED: {},
}


class StageError(Exception):
    """A cause came up in a stage that it cannot change: a defect of this program."""

    def __init__(self, stage: Stage, cause: Cause) -> None:
        expected = ", ".join(each.name for each in TRANSITIONS[stage]) or "nothing"
        super().__init__(
            f"found {cause.name} in stage {stage.name}, expected {expected}"
        )


def enter(stage: Stage, cause: Cause) -> Stage:
    """Return the stage that *cause* leads to from *stage*.

    Raises `StageError` if `TRANSITIONS` lists no such cause.
    """
    following = TRANSITIONS[stage].get(cause)
    if following is None:
        raise StageError(stage, cause)
    return following


def diagram() -> str:
    """Return `TRANSITIONS` as a Mermaid state diagram, one arrow for two stages."""
    return "\n".join(
        (
            "stateDiagram-v2",
            f"    [*] --> {Stage.FORMING.name}",
            *_arrows(),
            f"    {Stage.CLOSED.name} --> [*]",
        )
    )


def _arrows() -> Iterator[str]:
    for stage, causes in TRANSITIONS.items():
        for following in dict.fromkeys(causes.values()):
            why = " or ".join(
                cause.value
                for cause, leads_to in causes.items()
                if leads_to is following
            )
            yield f"    {stage.name} --> {following.name}: {why}"

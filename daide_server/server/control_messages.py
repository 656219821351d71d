"""The requests and answers at the control socket: JSON, one object per line.

A request names what to `do`; an answer has `ok`, and `error` if that is false. The
answer to `metrics` has the text for Prometheus. Quick to import, for the command that
sends requests.
"""

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct


class ControlRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A request of an operator to a server."""

    do: Literal["status", "metrics", "drain", "end", "kick"]
    game: str | int = ""
    """The game for `end` and `kick`: the id of its record, or its number."""
    power: str = ""
    """The power whose client `kick` disconnects."""


class PowerStatus(Struct, frozen=True):
    """A seat; name and version are those of its present or last client."""

    power: str
    connected: bool
    name: str
    version: str
    owes: bool
    """Whether the power owes orders, if the game is being played."""


class GameStatus(Struct, frozen=True):
    """The state of an open game."""

    game: str
    """The id of the game's record."""
    number: int
    turn: str
    stage: str
    seconds_left: float | None
    """Seconds until the deadline of the turn; `None` without a running deadline."""
    powers: Sequence[PowerStatus]


class ServerStatus(Struct, frozen=True):
    """The state of a server."""

    version: str
    pid: int
    addresses: Sequence[str]
    """The address for players, and that of the page if there is one."""
    draining: bool
    unready: str | None
    """Why the server accepts no players now."""
    commit_failure: str | None
    """Why the journal cannot be written now."""
    connections: int
    places: int
    """The maximum number of connections."""
    games: Sequence[GameStatus]
    ok: bool = True

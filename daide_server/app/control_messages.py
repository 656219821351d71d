"""What is asked at the control socket, and answered: JSON, a line each.

A request names what to `do`; an answer has `ok`, and `error` if that is false. That to
`metrics` has the text of Prometheus. Light to import, for the command that asks.
"""

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct


class ControlRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """What an operator asks of a server."""

    do: Literal["status", "metrics", "drain", "end", "kick"]
    game: str | int = ""
    """What `end` and `kick` are about: the id of a record, or the number of a game."""
    power: str = ""
    """Whose client `kick` puts out."""


class PowerStatus(Struct, frozen=True):
    """A seat; name and version are those of the client that has it, or had it last."""

    power: str
    connected: bool
    name: str
    version: str
    owes: bool
    """Orders, if the game is played."""


class GameStatus(Struct, frozen=True):
    """A game that is open."""

    game: str
    """The id of its record."""
    number: int
    turn: str
    stage: str
    seconds_left: float | None
    """Until the deadline of the turn; `None`: none is running."""
    powers: Sequence[PowerStatus]


class ServerStatus(Struct, frozen=True):
    """How a server is."""

    version: str
    pid: int
    addresses: Sequence[str]
    """That of the players, and that of the page if there is one."""
    draining: bool
    unready: str | None
    """Why no players can be taken now."""
    commit_failure: str | None
    """Why the journal cannot be written now."""
    connections: int
    places: int
    """How many connections there may be."""
    games: Sequence[GameStatus]
    ok: bool = True

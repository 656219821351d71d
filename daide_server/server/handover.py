"""What a server hands over to a new version of its program, as one value.

The value holds descriptors, which the new program inherits, and everything that is
in memory and not in the kernel: bytes that were received and not handled, bytes that
were not sent, the events of all games, timers as the seconds that are left. It is
taken between two passes, when all that happened is committed.

`HANDOVER_FORMAT` changes with every change of the types below, and of the enumerations
in them: their members stand here by value.
"""

from collections.abc import Mapping
from typing import Final

import msgspec
from msgspec import Struct

from daide_server.game.events import ClientId, Seconds
from daide_server.lobby.directory import GameId, PortTarget

from .session_services import SessionState

HANDOVER_FORMAT: Final = 3


class HandoverError(Exception):
    """What was handed over cannot be taken up; the message says why."""


class HandedSession(Struct, frozen=True):
    """The connection of one client."""

    descriptor: int
    client: ClientId
    target: PortTarget
    """What may be joined at its port."""
    game: GameId | None
    """The game that what it sends goes to."""
    is_served: bool
    """Whether messages reach it; they do not after it has left."""
    state: SessionState


class HandedGame(Struct, frozen=True):
    """One game: how it was opened, and what happened to it."""

    number: GameId
    opened: bytes
    """As the first entry of a journal says it."""
    events: tuple[bytes, ...]
    """As the entries of a journal say it."""
    seconds: Seconds
    """Game time: it stands still until the game goes on."""
    name: str | None
    """Under which it is saved."""
    fingerprint: str
    """What its replay must come to."""


class HandedListener(Struct, frozen=True):
    """A socket that listens."""

    descriptor: int
    target: PortTarget
    """What may be joined there."""


class HandedJournal(Struct, frozen=True):
    """The open journal, all of whose entries are committed."""

    path: str
    is_per_run: bool
    lock: int
    """The descriptor whose lock keeps other servers out."""
    size: int
    sequence: int
    games: Mapping[GameId, tuple[int, int]]
    """The entries of each game in it, and their bytes."""
    highest: int
    counted: int
    left_alone: int


class Handover(Struct, frozen=True):
    """A whole server."""

    run: str
    """The name of the run, which the ids of its records begin with."""
    opened_games: int
    uncounted_games: int
    next_client: ClientId
    is_draining: bool
    renewals: int
    """How often the program was renewed before."""
    taken_at: float
    """When reading stopped, by the monotonic clock of the machine."""
    report: int | None
    """The descriptor by which the outcome is reported."""
    sessions: tuple[HandedSession, ...]
    games: tuple[HandedGame, ...]
    listeners: tuple[HandedListener, ...]
    journal: HandedJournal | None
    version: str
    """Of the program that hands over."""
    start: str | None
    """Where its games begin, as a line of JSON; `None`: as the board says."""
    web: tuple[int, ...] = ()
    """The descriptors of the sockets at which the page listens."""

    def descriptors(self) -> tuple[int, ...]:
        """Return the descriptors that the new program must inherit."""
        journal = () if self.journal is None else (self.journal.lock,)
        report = () if self.report is None else (self.report,)
        return (
            *(session.descriptor for session in self.sessions),
            *(listener.descriptor for listener in self.listeners),
            *journal,
            *report,
            *self.web,
        )


def encode_handover(handover: Handover) -> bytes:
    """Return the bytes of *handover*."""
    return msgspec.msgpack.encode((HANDOVER_FORMAT, handover))


def decode_handover(data: bytes) -> Handover:
    """Return what `encode_handover` made *data* of. Raises `HandoverError`."""
    try:
        found, rest = msgspec.msgpack.decode(data, type=tuple[int, msgspec.Raw])
    except (msgspec.DecodeError, RecursionError) as error:
        message = f"found no handover: {error}"
        raise HandoverError(message) from error
    if found != HANDOVER_FORMAT:
        message = f"found a handover of format {found}, expected {HANDOVER_FORMAT}"
        raise HandoverError(message)
    try:
        return msgspec.msgpack.decode(rest, type=Handover)
    except (msgspec.DecodeError, RecursionError) as error:
        message = f"cannot read the handover: {error}"
        raise HandoverError(message) from error

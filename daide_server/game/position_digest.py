"""The position after a turn as a short hash, which every replay must reach."""

from functools import lru_cache
from hashlib import blake2b

from msgspec import Struct

from daide_server.board.names import Unit
from daide_server.board.position import Position
from daide_server.records.entries import TurnResolved


class PositionDigest(Struct, frozen=True):
    """The position after a turn, as a short hash, and the version that reached it."""

    turn: str
    digest: str
    version: str


class ReplayError(Exception):
    """A game cannot be replayed to what it was; the message says where, and why."""


def digest_of(position: Position) -> str:
    """Return a hash of *position*, the same in every version of this program."""
    parts = [str(position.turn)]
    parts += map(_unit_text, position.units)
    parts += map("".join, position.owners.items())
    for unit, places in position.dislodged.items():
        parts.append(f"{_unit_text(unit)} {' '.join(map(str, places))}")
    return blake2b("\n".join(parts).encode(), digest_size=8).hexdigest()


@lru_cache(maxsize=4096)
def _unit_text(unit: Unit) -> str:
    return f"{unit.power} {unit}"


def turn_digest(turn: TurnResolved, version: str) -> PositionDigest:
    """Return the digest of what *turn* led to in this *version*."""
    return PositionDigest(str(turn.position.turn), digest_of(turn.next), version)


def compare(position: Position, expected: PositionDigest) -> None:
    """Raise `ReplayError` if *position* is not the *expected* one."""
    found = digest_of(position)
    if found != expected.digest:
        message = (
            f"turn {expected.turn}: found position {found}, expected "
            f"{expected.digest} of version {expected.version}"
        )
        raise ReplayError(message)

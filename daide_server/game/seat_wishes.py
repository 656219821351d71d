"""Which seat a client asks for by its name: NME ('FRA:MyBot') ('1.0').

Only with seats by name; otherwise the prefix is part of the name like any other.
"""

from collections.abc import Container

from msgspec import Struct
from msgspec.structs import replace

from daide_server.board.names import Power
from daide_server.language.messages import Name

SEPARATOR = ":"


class SeatWish(Struct, frozen=True):
    """What an NME asks for."""

    power: Power | None
    """The power whose seat is asked for; `None` if any will do."""
    said: Name
    """The name, without the power before it, and the version."""


def named_wish(said: Name, powers: Container[Power]) -> SeatWish:
    """Return the wish of a name `POW:Name`, where POW is one of *powers*."""
    prefix, separator, bare = said.name.partition(SEPARATOR)
    if not separator or Power(prefix) not in powers:
        return SeatWish(None, said)
    return SeatWish(Power(prefix), replace(said, name=bare))

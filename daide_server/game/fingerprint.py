"""A short hash of all that a client can rely on in a game.

Two processes that have handled the same events come to the same hash, whatever the
order in which they keep sets.
"""

from collections.abc import Sequence
from hashlib import blake2b

from daide_server.records.entries import RecordEntry

from .game import Game
from .position_digest import digest_of


def fingerprint(game: Game, recorded: Sequence[RecordEntry]) -> str:
    """Return a hash of *game*, which has *recorded* so much."""
    state = game.state
    parts = [game.stage.name, str(game.alarm), digest_of(state.position)]
    parts += sorted(map(str, state.turn.orders.accepted()))
    parts += (
        f"{seat.power} {seat.client} {seat.name} {seat.passcode} {seat.in_disorder}"
        for seat in state.seating
    )
    parts += sorted(map(str, state.observers))
    parts += (type(entry).__name__ for entry in recorded)
    return blake2b("\n".join(parts).encode(), digest_size=8).hexdigest()

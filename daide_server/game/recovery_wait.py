"""Whom a game waits for that its server has recovered."""

from collections.abc import Set

from msgspec import Struct

from daide_server.board.names import Power

from .events import Seconds


class RecoveryWait(Struct, frozen=True):
    """What a recovered game was when its server was killed."""

    awaited: frozenset[Power]
    """The surviving powers that had a client."""
    missed: frozenset[Power]
    """The powers that the game was already PAUSED for (DSD)."""
    grace: Seconds
    """What the turn has left at least when the game goes on."""

    def again(self, present: Set[Power], grace: Seconds) -> "RecoveryWait":
        """Return whom to wait for if the server was killed again meanwhile."""
        return RecoveryWait(self.awaited | present, self.missed, grace)

    def is_complete(self, present: Set[Power]) -> bool:
        """Return whether all are back, or somebody if there was nobody."""
        return bool(present) and self.awaited <= present

"""Votes for a draw: DRW and NOT (DRW).

Message Syntax, DRW in Level 0 and Level 10. A vote names the powers that would
share the draw (PDA), or none of them: all survivors.
"""

from collections.abc import Collection

from daide_server.board.names import Power

Share = frozenset[Power] | None
"""The powers named in a vote; `None` is the plain form."""


class DrawVotes:
    """The votes of the current turn. Several votes of a power stand side by side."""

    def __init__(self) -> None:
        self._votes: dict[Power, set[Share]] = {}
        self.are_cast = False
        """Whether a power has voted in this turn, and has not lost its client."""

    def has(self, power: Power, share: Share) -> bool:
        """Return whether *power* has cast a vote of exactly that form."""
        return share in self._votes.get(power, ())

    def vote(self, power: Power, share: Share) -> None:
        """Add a vote of *power*."""
        self._votes.setdefault(power, set()).add(share)
        self.are_cast = True

    def withdraw(self, power: Power, share: Share) -> None:
        """Take back the vote of *power* of exactly that form, if it was made."""
        self._votes.get(power, set()).discard(share)

    def forget(self, power: Power) -> None:
        """Drop all votes of a power that has lost its client."""
        self._votes.pop(power, None)
        self.are_cast = bool(self._votes)

    def clear(self) -> None:
        """Drop all votes: the turn is over."""
        self._votes.clear()
        self.are_cast = False

    def agreed(
        self, survivors: Collection[Power], voters: Collection[Power]
    ) -> frozenset[Power] | None:
        """Return the powers that share an agreed draw, or `None`.

        A draw of all survivors needs the votes of *voters*; a draw of some of them
        (PDA) needs the vote of every survivor.
        """
        if not self._votes:
            return None
        everyone = frozenset(survivors)
        if voters and all(self._wants(power, None, everyone) for power in voters):
            return everyone
        named = {share for votes in self._votes.values() for share in votes if share}
        return next(
            (
                share
                for share in sorted(named, key=sorted)
                if all(self._wants(power, share, everyone) for power in everyone)
            ),
            None,
        )

    def _wants(self, power: Power, share: Share, everyone: frozenset[Power]) -> bool:
        votes = self._votes.get(power, set())
        return share in votes or (share is None and everyone in votes)

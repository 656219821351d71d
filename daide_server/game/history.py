"""The turns played so far, and the year of each elimination.

Message Syntax: HST, ORD, SMR.
"""

from collections.abc import Iterator, Sequence

from daide_server.board.names import Power
from daide_server.board.position import Position
from daide_server.board.turns import Phase, Turn
from daide_server.records.entries import TurnResolved


class History:
    """The turns that have been processed, oldest first."""

    def __init__(self, powers: Sequence[Power], start: Position) -> None:
        self._powers = powers
        self._turns: dict[Turn, TurnResolved] = {}
        # In which year a power first had no centre, while that lasts.
        self._eliminated: dict[Power, int] = _eliminated_before(powers, start)

    @property
    def turns(self) -> Sequence[TurnResolved]:
        """Return the turns, oldest first."""
        return tuple(self._turns.values())

    def add(self, turn: TurnResolved) -> None:
        """Add the turn that was processed last."""
        self._turns[turn.position.turn] = turn

    def end_year(self, turn: TurnResolved) -> None:
        """Note which powers own no centre after *turn*, the last of its year."""
        owners = set(turn.next.owners.values())
        for power in self._powers:
            if power in owners:
                self._eliminated.pop(power, None)
            else:
                self._eliminated.setdefault(power, turn.position.turn.year)

    def year_of_elimination(self, power: Power) -> int | None:
        """Return in which year *power* lost its last centre; `None` if it has one."""
        return self._eliminated.get(power)

    def find(self, turn: Turn) -> TurnResolved | None:
        """Return the turn *turn* as it was played."""
        return self._turns.get(turn)

    def latest(self) -> Sequence[TurnResolved]:
        """Return the latest movement turn and what followed it, oldest first."""
        return tuple(self._since_movement())[::-1]

    def _since_movement(self) -> Iterator[TurnResolved]:
        for turn in reversed(self._turns.values()):
            yield turn
            if turn.position.turn.phase is Phase.MOVEMENT:
                return


def _eliminated_before(powers: Sequence[Power], start: Position) -> dict[Power, int]:
    """Return the powers that are not in the game at its *start*.

    A game may begin anywhere: their year is the last one that it can have been.
    """
    counted = start.turn.phase is Phase.ADJUSTMENTS
    year = start.turn.year if counted else start.turn.year - 1
    return {power: year for power in powers if start.is_eliminated(power)}

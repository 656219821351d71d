"""When orders that a bot has forgotten are completed, so that the game goes on.

With a deadline, that is just before it, if the bot has ordered something. Without one,
it is some seconds after the bot's last orders. A bot that says nothing may think: it
is left alone in movement turns, and has longer in the others, unless it forgot such a
turn before and has answered none since.
"""

from typing import Final

from daide_server.board.turns import Phase
from daide_server.classes import define

SILENCE: Final = 12
"""How many times as long a bot may say nothing in a turn of retreats or builds."""
FILL_MARGIN_SECONDS: Final = 1.0
"""Before a deadline; less before short ones."""


@define
class Filling:
    """The time of the completion in one game; without `seconds` there is none."""

    seconds: float | None
    _phase: Phase = Phase.MOVEMENT
    _began: float = 0.0
    _ordered: float | None = None
    """When the bot has last ordered in this turn."""
    _deadline: float | None = None
    _margin: float = 0.0
    _filled: bool = False
    """Whether the orders were completed since the bot's last ones."""
    _forgets: bool = False

    def begin(self, phase: Phase, now: float, seconds: float | None) -> None:
        """Begin a turn with so many *seconds*, `None` without a deadline."""
        self._phase, self._began, self._ordered = phase, now, None
        self._filled = False
        self.set_deadline(now, seconds)

    def set_deadline(self, now: float, seconds: float | None) -> None:
        """Note that so many *seconds* are left; `None`: no clock is running."""
        self._deadline = None if seconds is None else now + seconds
        self._margin = 0.0 if seconds is None else min(FILL_MARGIN_SECONDS, seconds / 4)

    def note_orders(self, phase: Phase, now: float | None) -> None:
        """Note that the bot orders for a turn of *phase*; *now* is `None` if late."""
        if phase is not Phase.MOVEMENT:
            self._forgets = False
        if now is not None:
            self._ordered, self._filled = now, False

    def note_filled(self) -> None:
        """Note that the orders were completed: once, until the bot orders again."""
        self._forgets = self._forgets or self._ordered is None
        self._filled = True

    @property
    def at(self) -> float | None:
        """Return when to complete orders, if some are missing then."""
        if self.seconds is None or self._filled:
            return None
        if self._deadline is not None:
            return None if self._ordered is None else self._deadline - self._margin
        if self._ordered is not None:
            return self._ordered + self.seconds
        if self._phase is Phase.MOVEMENT:
            return None
        return self._began + self.seconds * (1 if self._forgets else SILENCE)

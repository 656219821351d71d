"""The clock of a scripted game, which stands still while no scene waits for orders."""

from daide_server.classes import define


@define
class StoppableClock:
    """Game time: seconds in which the clock was running. Pure: *at* is an argument."""

    _elapsed: float = 0.0
    _since: float | None = None

    def read(self, at: float) -> float:
        """Return the game time."""
        running = 0.0 if self._since is None else at - self._since
        return self._elapsed + running

    def run(self, at: float) -> None:
        """Let the clock run."""
        if self._since is None:
            self._since = at

    def stop(self, at: float) -> None:
        """Let the clock stand still."""
        self._elapsed = self.read(at)
        self._since = None

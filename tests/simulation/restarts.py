"""What must hold of a game that another server has taken up: its time, its wait."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import TYPE_CHECKING, Final

import trio
from attrs import define

from daide_server.board.map import Turn
from daide_server.board.names import Power
from daide_server.game.directory import GameId
from daide_server.game.events import Seconds, Stage
from daide_server.records.entries import Seated
from daide_server.server.game_runner import GameRunner

from .scenario import Kill

if TYPE_CHECKING:
    from .simulate import Run

A_MOMENT = 0.001
"""Seconds by which a time may be missed."""
GOES_ON = (Stage.PLAYING, Stage.PAUSED)
"""The stages of a game whose wait is over; a player may leave a paused one again."""
WRITTEN = 0.1
"""Seconds after which what happened is in the file, while the clock runs."""


@define
class Standing:
    """How a game stood when it was last looked at."""

    runner: GameRunner
    turn: Turn
    size: int = -1
    """Bytes of its journal."""
    written: Turn | None = None
    """The turn in which the last line of its journal was written."""
    most: Seconds = inf
    """Seconds until the deadline at that time."""
    least: Seconds = 0.0
    """The same now."""
    known: frozenset[Power] = frozenset()
    """The powers that had a client at that time."""
    present: frozenset[Power] = frozenset()
    """The powers that have one now."""

    @property
    def awaited(self) -> frozenset[Power]:
        """Return the powers that another server must wait for."""
        return self.known & self.present


@define
class TakenUp:
    """A game that waits for its clients, after its server was started again."""

    since: Seconds
    before: Standing
    entries: int
    """The entries of its record at that time."""
    has_waited: bool = False
    """Whether its wait is over."""


class Restarts:
    """Compares each game with what it was on the server before."""

    def __init__(self, run: Run) -> None:
        self._run: Final = run
        self._standing: Final[dict[GameId, Standing]] = {}
        self._taken_up: Final[dict[GameId, TakenUp]] = {}
        faults, given = run.scenario.faults, run.scenario.settings
        self._keeps_lines: Final = not (
            given["durability"] == "disk"
            and any(isinstance(each, Kill) and each.power for each in faults)
        )
        """Whether no line is lost, as those are that a power cut finds unsynced."""

    def look(self, runner: GameRunner, clock: Seconds) -> Iterator[str]:
        """Note how a game stands whose *clock* runs; yield what is wrong since."""
        state = runner.game.state
        standing = self._standing.get(runner.number)
        if standing is not None and standing.runner is not runner:
            taken_up = self._taken_up.get(runner.number)
            if taken_up is not None and not taken_up.has_waited:
                standing.present |= taken_up.before.awaited
                standing.known |= taken_up.before.awaited
            self._taken_up[runner.number] = TakenUp(
                trio.current_time(), standing, len(runner.entries)
            )
            standing = None
        if standing is None:
            standing = Standing(runner, state.position.turn)
            self._standing[runner.number] = standing
        taken_up = self._taken_up.get(runner.number)
        if taken_up is not None and state.stage in GOES_ON:
            yield from self._waited(runner, taken_up)
            if state.stage is Stage.PLAYING:
                del self._taken_up[runner.number]
                yield from self._resumed(runner, taken_up)
        self._note(standing, clock)
        file = runner.journal.file
        size = 0 if file is None else file.size
        if size != standing.size:
            left = state.clock.left(clock)
            standing.size, standing.written = size, state.position.turn
            standing.known = state.present()
            standing.most = inf if left is None else left

    def stand_still(self, runner: GameRunner) -> None:
        """Note how a game stands whose clock has just been stopped.

        What is written then may be half a line.
        """
        standing = self._standing.get(runner.number)
        if standing is not None and standing.runner is runner:
            self._note(standing, runner.seconds)

    def _note(self, standing: Standing, clock: Seconds) -> None:
        state = standing.runner.game.state
        standing.present, standing.turn = state.present(), state.position.turn
        standing.least = state.clock.left(clock) or 0.0

    def _waited(self, runner: GameRunner, taken_up: TakenUp) -> Iterator[str]:
        """Yield who should have been waited for, once the wait is over."""
        state, waited = runner.game.state, trio.current_time() - taken_up.since
        least = self._run.scenario.settings["recovery_wait"] - A_MOMENT
        if waited < least and not taken_up.has_waited:
            new = runner.entries[taken_up.entries :]
            back = {each.power for each in new if isinstance(each, Seated)}
            for power in taken_up.before.awaited - state.present() - back:
                yield f"{state.position.turn}: {power} was waited for {waited} s only"
        taken_up.has_waited = True

    def _resumed(self, runner: GameRunner, taken_up: TakenUp) -> Iterator[str]:
        """Yield what is wrong with the time that is left when a game is played."""
        state, before = runner.game.state, taken_up.before
        given, turn = self._run.scenario.settings, state.position.turn
        left = state.clock.left(runner.seconds) or 0.0
        grace = given["recovery_grace"]
        least = max(before.least if turn == before.turn else 0.0, grace)
        if left < least - A_MOMENT:
            yield f"{turn} goes on with {left} s, expected {least} s"
        most = max(before.most, grace)
        if self._keeps_lines and turn == before.written and left > most + WRITTEN:
            yield f"{turn} goes on with {left} s, expected {most} s at most"

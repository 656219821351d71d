"""What must hold at every moment: times, memory, and what the page may show."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import trio

from daide_server.board.turns import Turn
from daide_server.game.events import Seconds
from daide_server.game.stages import Stage
from daide_server.records.secrecy import PressPolicy, PressShown
from daide_server.server.game_runner import GameRunner
from daide_server.web.running_files import GameFault, GameReplay

from .scenario import FAULTS_UNTIL, MOST_UNREAD

if TYPE_CHECKING:
    from .simulate import Run

A_MOMENT: Final = 0.001
"""Seconds by which a deadline may be missed."""
PATIENCE: Final = 90.0
"""Seconds after the last fault until all players are back: a lost connection is found
after 60 s, and asked for every 10 s."""
NUMBER: Final = re.compile(r"(?<![\d.])\d{4}(?![\d.])")
"""What may be a passcode."""


class Watch:
    """Looks at the server whenever time is about to pass."""

    def __init__(self, run: Run) -> None:
        self._run: Final = run
        self._turns: Final[dict[GameRunner, tuple[Turn, Seconds]]] = {}
        """The turn of each game, and how long this server has played it."""

    def pass_time(self, seconds: Seconds) -> None:
        """Note what is wrong while *seconds* pass in which nothing happens."""
        self._run.problems.extend(self._found(seconds))

    def _found(self, seconds: Seconds) -> Iterator[str]:
        server = self._run.server
        if server is None or self._run.world.disk.is_dead:
            return
        if server.poller.clock.is_running:
            for runner in server.games.open_games():
                yield from self._time(runner, seconds)
        for session in server.clients.everybody():
            if session.outbox.kept_bytes > MOST_UNREAD:
                yield f"keeps {session.outbox.kept_bytes} bytes for one client"

    def _time(self, runner: GameRunner, seconds: Seconds) -> Iterator[str]:
        state = runner.game.state
        alarm = state.clock.alarm
        if alarm is not None and runner.seconds + seconds > alarm + A_MOMENT:
            yield f"an alarm of {state.stage} was missed"
        if state.stage is not Stage.PLAYING:
            return
        turn = state.position.turn
        before, played = self._turns.get(runner, (turn, 0.0))
        played = seconds + (played if before == turn else 0.0)
        self._turns[runner] = turn, played
        if trio.current_time() > FAULTS_UNTIL + PATIENCE:
            # Who never heard its passcode cannot return.
            known = {each.passcode for each in self._run.players}
            for seat in state.seating:
                if seat.client is None and seat.passcode in known:
                    yield f"{seat.power} has not returned in {turn}"
        limit = state.options.limits[turn.phase]
        assert limit is not None
        # Who takes up a game gives the players a little time more.
        grace = self._run.scenario.settings["recovery_grace"] * self._run.takeovers
        if played > limit + grace + A_MOMENT:
            yield f"{turn} has been played for {played} s, expected {limit} s"


class Page:
    """A page that follows the journals of running games, of which press is secret."""

    def __init__(self, run: Run) -> None:
        self._run: Final = run
        self._replays: Final[dict[Path, GameReplay]] = {}

    def look(self) -> None:
        """Read what is new, and note what should not be shown."""
        for path in sorted(self._run.journals.glob("*.jsonl")):
            self._run.problems.extend(self._found(path))

    def close(self) -> None:
        """Close the files."""
        for replay in self._replays.values():
            replay.close()

    def _found(self, path: Path) -> Iterator[str]:
        if path not in self._replays:
            self._replays[path] = _replay(path)
        if self._replays[path].has_ended():  # which looks at the file, too
            return
        try:
            news = self._replays[path].update()
            anew = _replay(path)
            whole = anew.update()
            anew.close()
        except GameFault as fault:
            yield f"the page cannot show a game: {fault}"
            return
        if news is None or whole is None:
            return
        view = news.shown.view
        if news.shown.body != whole.shown.body:
            yield f"the page shows {path.name} other than a new one does"
        if view.running:
            if view.turns[-1].orders:
                yield f"the page shows orders of the running turn: {view.turns[-1]}"
            for said in view.press:
                yield f"the page shows {said}"
        shown = (news.shown.body + news.states.get("status", b"")).decode()
        for code in self._run.codes.intersection(NUMBER.findall(shown)):
            yield f"the page shows the passcode {code}"


def _replay(path: Path) -> GameReplay:
    return GameReplay(path.stem, path, {}, PressPolicy(PressShown.AFTER))

"""What must hold at every moment: times, memory, and what the page may show."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Final

from attrs import frozen

from daide_server.app.server import Server
from daide_server.board.map import Turn
from daide_server.board.names import Power
from daide_server.game.events import Seconds, Stage
from daide_server.game.game_state import Seating
from daide_server.records.secrecy import PressPolicy, PressShown
from daide_server.server.game_runner import GameRunner
from daide_server.web.running_files import GameFault, GameReplay

from .players import Player
from .restarts import A_MOMENT, Restarts
from .scenario import FAULTS_UNTIL, MOST_UNREAD, Slow
from .world import LATENCY

if TYPE_CHECKING:
    from .simulate import Run

QUIET: Final = 0.25
"""Seconds without an event in which a game that should go on goes on."""
PATIENCE: Final = 90.0
"""Seconds after the last fault until all players are back: a lost connection is found
after 60 s, and asked for every 10 s."""
NUMBER: Final = re.compile(r"(?<![\d.])\d{4}(?![\d.])")
"""What may be a passcode."""


@lru_cache(1_000)
def name_of(turn: Turn) -> str:
    """Return *turn* as players call it."""
    return f"{turn.season.value} {turn.year}"


@frozen
class Disorder:
    """Which seats of a game are in civil disorder, before a change and now."""

    before: tuple[bool, ...]
    now: tuple[bool, ...]
    since: Seconds

    def said_wrong(
        self, seating: Seating, player: Player, *, was_here: bool
    ) -> Iterator[Power]:
        """Yield the powers of which *player* was told otherwise, or nothing."""
        said = player.told.in_disorder
        if not (said or any(self.before) or any(self.now)):
            return
        for seat, before, now in zip(seating, self.before, self.now, strict=True):
            unsaid = before if was_here else now
            if said.get(seat.power, unsaid) != now:
                yield seat.power


class Watch:
    """Looks at the server whenever time is about to pass."""

    def __init__(self, run: Run) -> None:
        self._run: Final = run
        self._note: Final = run.problems.append
        self._agenda: Final = run.world.agenda
        self._grace: Final = run.scenario.settings["recovery_grace"]
        slowest = max(
            (each.factor for each in run.scenario.faults if isinstance(each, Slow)),
            default=1.0,
        )
        self._heard: Final = 10 * LATENCY * slowest
        """Seconds in which all hear what they are told."""
        self._stood_till = 0.0
        """Until when the clock of the games stood still."""
        self._turns: Final[dict[GameRunner, tuple[Turn | None, Seconds]]] = {}
        """The turn of each game, and how long this server has played it."""
        self._disorder: Final[dict[GameRunner, Disorder]] = {}
        self._restarts: Final = Restarts(run)
        self._ends: Final[dict[GameRunner, Seconds]] = {}
        """When the turn of each game must be over."""
        self._right_till = -inf
        """Until when all is right if no task of the server runs."""
        self._unseen = 0.0
        """Seconds that have passed like this."""

    def pass_time(self, seconds: Seconds, is_new: bool) -> None:  # noqa: FBT001
        """Note what is wrong while *seconds* pass in which nothing happens.

        *is_new* says whether a task has run since time passed last.
        """
        till = self._agenda.now + seconds
        if is_new or seconds > QUIET or till > self._right_till:
            self._right_till = FAULTS_UNTIL + PATIENCE
            server = self._run.server
            if server is not None and not self._run.world.disk.is_dead:
                self._look(server, seconds)
            self._unseen = 0.0
        else:
            self._unseen += seconds

    def _look(self, server: Server, seconds: Seconds) -> None:
        if server.poller.clock.is_running:
            for runner in server.games.open_games():
                self._time(runner, seconds)
        else:
            self._right_till = -inf
            self._stood_till = self._agenda.now + seconds
        for session in server.clients.everybody():
            kept = session.outbox.kept_bytes
            if kept > MOST_UNREAD:
                self._note(f"keeps {kept} bytes for one client")

    def _time(self, runner: GameRunner, seconds: Seconds) -> None:
        state, now = runner.game.state, self._agenda.now
        alarm = state.clock.alarm
        if alarm is not None:
            left = alarm + A_MOMENT - runner.seconds
            self._right_till = min(self._right_till, now + left)
            if seconds > left:
                self._note(f"an alarm of {state.stage} was missed")
        seats = tuple([seat.in_disorder for seat in state.seating])
        disorder = self._disorder.get(runner)
        if disorder is None:
            self._disorder[runner] = Disorder(seats, seats, 0.0)
        elif disorder.now != seats:
            self._disorder[runner] = Disorder(disorder.now, seats, now)
            self._run.problems.extend(self._left(runner, disorder.now))
        self._run.problems.extend(self._restarts.look(runner))
        if state.stage is Stage.PLAYING:
            self._playing(runner, seconds)
        else:
            self._right_till = -inf  # what passes is not time that a turn is played

    def _left(self, runner: GameRunner, before: Sequence[bool]) -> Iterator[str]:
        """Yield who left and should have stopped the clock (DSD)."""
        state = runner.game.state
        is_same = self._turns.get(runner, (None, 0.0))[0] == state.position.turn
        if not (is_same and state.options.deadline_stops):
            return
        for seat, was_away in zip(state.seating, before, strict=True):
            is_missed = (
                seat.in_disorder
                and not was_away
                and seat.power in state.turn.survivors
                and not state.turn.is_complete(seat.power)
            )
            if is_missed and state.stage is Stage.PLAYING:
                yield f"the clock runs, and {seat.power} left without orders"

    def _playing(self, runner: GameRunner, seconds: Seconds) -> None:
        state, now = runner.game.state, self._agenda.now
        turn = state.position.turn
        before, played = self._turns.get(runner, (None, 0.0))
        if before not in {None, turn} and self._ends[runner] > now + A_MOMENT:
            self._run.problems.extend(self._ended_early(runner, name_of(before)))
        self._ends[runner] = now + (state.clock.left(runner.seconds) or 0.0)
        played = seconds + (played + self._unseen if before == turn else 0.0)
        self._turns[runner] = turn, played
        if now > FAULTS_UNTIL + PATIENCE:
            # Who never heard its passcode cannot return.
            known = {each.passcode for each in self._run.players if not each.is_over}
            for seat in state.seating:
                if seat.client is None and seat.passcode in known:
                    self._note(f"{seat.power} has not returned in {turn}")
        if seconds > QUIET:
            self._run.problems.extend(self._quiet(runner, played))
        limit = state.options.limits[turn.phase]
        assert limit is not None
        # Who takes up a game gives the players a little time more.
        grace = self._grace * self._run.takeovers
        left = limit + grace + A_MOMENT - played
        self._right_till = min(self._right_till, now + seconds + left)
        if left < 0:
            self._note(f"{turn} has been played for {played} s, expected {limit} s")

    def _ended_early(self, runner: GameRunner, turn: str) -> Iterator[str]:
        """Yield why a turn should not have ended before its deadline."""
        for player in self._players_of(runner).values():
            seat = runner.game.state.seating[Power(player.power)]
            if seat.client is not None and player.turn == turn:
                for reason in player.waits_for():
                    yield f"{turn} ended early: {player.name} {reason}"

    def _players_of(self, runner: GameRunner) -> dict[Power, Player]:
        """Return the players of a game who know that they are, by their powers."""
        known = {(each.power, each.passcode): each for each in self._run.players}
        return {
            seat.power: known[seat.power, seat.passcode]
            for seat in runner.game.state.seating
            if (seat.power, seat.passcode) in known
        }

    def _quiet(self, runner: GameRunner, played: Seconds) -> Iterator[str]:
        """Yield what is wrong in a game while nothing happens for a while."""
        state = runner.game.state
        players = self._players_of(runner)
        survivors = [players.get(power) for power in state.turn.survivors]
        yield from _goes_on(name_of(state.position.turn), survivors)
        for seat in state.seating.seats(state.turn.survivors):
            if seat.client is None and not seat.in_disorder:
                yield f"{seat.power} has no client and is not in civil disorder"
        before = self._agenda.now - self._heard
        for player in players.values():
            if player.hears_since(before) and self._stood_till < before:
                yield from self._said(player, runner, is_begun=played > self._heard)

    def _said(
        self, player: Player, runner: GameRunner, *, is_begun: bool
    ) -> Iterator[str]:
        """Yield what a player should have been told by now, and was not."""
        state, before = runner.game.state, self._agenda.now - self._heard
        turn = name_of(state.position.turn)
        if player.turn != turn and is_begun:
            yield f"{player.name} is in {player.turn}, and has not heard of {turn}"
        if player.talk.owed and player.talk.asked_at < before:
            yield f"{player.name} is owed {player.talk.owed} answers in {turn}"
        disorder = self._disorder[runner]
        if disorder.since < before:
            was_here = player.hears_since(disorder.since - self._heard)
            for power in disorder.said_wrong(state.seating, player, was_here=was_here):
                yield f"{player.name} is told the contrary: CCD ({power})"


def _goes_on(turn: str, survivors: Sequence[Player | None]) -> Iterator[str]:
    """Yield why a turn should be over."""
    if all(each is not None and each.has_ordered_all(turn) for each in survivors):
        yield f"{turn} goes on, and all have ordered"
    if all(
        each is not None and each.turn == turn and each.told.is_for_draw
        for each in survivors
    ):
        yield f"{turn} goes on, and all have voted for a draw"


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

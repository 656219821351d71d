"""What must hold at every moment: times, memory, and what the page may show."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import lru_cache
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Final

from attrs import define, frozen

from daide_server.board.map import Phase, Turn
from daide_server.board.names import Power, Unit
from daide_server.board.orders import Waive
from daide_server.game.events import Seconds, Stage
from daide_server.game.game_state import GameState
from daide_server.records.entries import TurnResolved
from daide_server.records.secrecy import PressPolicy, PressShown
from daide_server.server.game_runner import GameRunner
from daide_server.server.server import Server
from daide_server.text.views import GameView
from daide_server.web.running_files import GameFault, GameNews, GameReplay

from .network import LATENCY
from .players import Player
from .restarts import A_MOMENT, GOES_ON, Restarts
from .scenario import FAULTS_UNTIL, MOST_UNREAD, Kind

if TYPE_CHECKING:
    from .simulate import Run

QUIET = 0.25
"""Seconds without an event in which a game that should go on goes on."""
PATIENCE = 90.0
"""Seconds after the last fault until all players are back: a lost connection is found
after 60 s, and asked for every 10 s."""
ALL_BACK = FAULTS_UNTIL + PATIENCE
"""When all players are back, in seconds since the run began."""
NUMBER = re.compile(r"(?<![\d.])\d{4}(?![\d.])")
"""What may be a passcode."""


@lru_cache(1_000)
def name_of(turn: Turn) -> str:
    """Return *turn* as players call it."""
    return f"{turn.season.value} {turn.year}"


@frozen
class Disorder:
    """Which powers of a game are in civil disorder, and which have changed last."""

    now: Mapping[Power, bool]
    changed: frozenset[Power] = frozenset()
    since: Seconds = 0.0

    def after(self, now: Mapping[Power, bool], time: Seconds) -> Disorder:
        """Return what follows at *time*."""
        changed = {power for power in now if now[power] != self.now[power]}
        return Disorder(now, frozenset(changed), time)

    def said_wrong(self, player: Player, *, was_here: bool) -> Iterator[Power]:
        """Yield the powers of which *player* was told otherwise, or nothing."""
        said = player.told.in_disorder
        for power, is_away in said.items():
            if self.now[Power(power)] != is_away:
                yield Power(power)
        yield from sorted(self.changed.difference(said)) if was_here else ()


@define
class Watched:
    """One game on one server, as it was seen last."""

    disorder: Disorder
    turn: Turn | None = None
    """The turn that is or was played."""
    began: Seconds = 0.0
    """When it began, and later by the time in which it was not played."""
    stopped: Seconds | None = None
    """Since when it is not played."""
    most: Seconds = inf
    """How long it may be played."""
    ends: Seconds = 0.0
    """When its deadline was, as it was seen last."""


class Watch:
    """Looks at the games, when they have changed, before time passes."""

    def __init__(self, run: Run) -> None:
        self._run: Final = run
        self._note: Final = run.problems.append
        self._agenda: Final = run.world.agenda
        self._grace: Final = run.scenario.settings["recovery_grace"]
        self._heard: Final = 10 * LATENCY * run.scenario.slowest
        """Seconds in which all hear what they are told."""
        self._stood_till = 0.0
        """Until when the clock of the games stood still."""
        self._observers: Final = [
            each
            for each in run.players
            if each.kind is Kind.OBSERVER and run.scenario.settings["games"] == 1
        ]
        """Who observes the one game that is played."""
        self._games: Final[dict[GameRunner, Watched]] = {}
        self._restarts: Final = Restarts(run)
        self._is_new = True
        """Whether a game or a file has changed since it looked."""
        self._right_till = -inf
        """Until when all is right if none of these changes."""

    def change(self) -> None:
        """Look at the games before time passes: one has changed."""
        self._is_new = True

    def pass_time(self, seconds: Seconds) -> None:
        """Note what is wrong while *seconds* pass in which nothing happens."""
        server, now = self._run.server, self._agenda.now
        if server is None or self._run.world.disk.is_dead:
            return
        if self._is_new or seconds > QUIET or now + seconds > self._right_till:
            self._is_new = False
            self._right_till = inf if now > ALL_BACK else ALL_BACK
            self._look(server, seconds)

    def _look(self, server: Server, seconds: Seconds) -> None:
        if server.poller.clock.is_running:
            for runner in server.games.open_games():
                self._time(runner, seconds)
        else:
            for runner in server.games.open_games():
                self._restarts.stand_still(runner)
            self._right_till = -inf
            self._stood_till = self._agenda.now + seconds
            for game in self._games.values():
                game.began += seconds if game.stopped is None else 0.0
        if server.passes.kept_bytes > MOST_UNREAD:  # for all together
            self._check_memory(server)

    def _check_memory(self, server: Server) -> None:
        for session in server.clients.everybody():
            kept = session.outbox.kept_bytes
            if kept > MOST_UNREAD:
                self._note(f"keeps {kept} bytes for one client")

    def _time(self, runner: GameRunner, seconds: Seconds) -> None:
        state, now, clock = runner.game.state, self._agenda.now, runner.seconds
        alarm = state.clock.alarm
        if alarm is not None:
            left = alarm + A_MOMENT - clock
            self._right_till = min(self._right_till, now + left)
            if seconds > left:
                self._note(f"an alarm of {state.stage} was missed")
        away = {seat.power: seat.in_disorder for seat in state.seating}
        game = self._games.get(runner)
        if game is None:
            game = self._games[runner] = Watched(Disorder(away))
        elif game.disorder.now != away:
            game.disorder = game.disorder.after(away, now)
            if game.turn == state.position.turn:
                self._run.problems.extend(_left(state, game.disorder.changed))
        self._run.problems.extend(self._restarts.look(runner, clock))
        if state.turn.votes:
            self._run.problems.extend(_left_votes(state))
        if state.stage is Stage.PLAYING:
            self._playing(runner, game, seconds)
        elif game.stopped is None:
            game.stopped = now

    def _playing(self, runner: GameRunner, game: Watched, seconds: Seconds) -> None:
        state, now = runner.game.state, self._agenda.now
        turn = state.position.turn
        if game.turn != turn:
            if game.turn is not None and game.ends > now + A_MOMENT:
                self._run.problems.extend(self._ended_early(runner, name_of(game.turn)))
            limit = state.options.limits[turn.phase]
            assert limit is not None
            # Who takes up a game gives the players a little time more.
            game.most = limit + self._grace * self._run.takeovers + A_MOMENT
            game.turn, game.began = turn, now
        elif game.stopped is not None:
            game.began += now - game.stopped
        game.stopped = None
        game.ends = now + (state.clock.left(runner.seconds) or 0.0)
        played = now + seconds - game.began
        if now > ALL_BACK:
            # Who never heard its passcode cannot return.
            players = [each for each in self._run.players if not each.is_over]
            known = {(Power(each.power), each.passcode) for each in players}
            for seat in state.seating:
                if seat.client is None and (seat.power, seat.passcode) in known:
                    self._note(f"{seat.power} has not returned in {turn}")
        if seconds > QUIET:
            self._run.problems.extend(self._quiet(runner, game.disorder, played))
        self._right_till = min(self._right_till, game.began + game.most)
        if played > game.most:
            self._note(f"{turn} is played for {played} s, expected {game.most} s")

    def _ended_early(self, runner: GameRunner, turn: str) -> Iterator[str]:
        """Yield why a turn should not have ended before its deadline."""
        latest = next(reversed(runner.game.state.history.turns.values()))
        for unit in _unordered(latest):
            yield f"{turn} ended early: {unit.power} has not ordered {unit}"
        for player in self._players_of(runner).values():
            seat = runner.game.state.seating[Power(player.power)]
            if seat.client is not None and player.turn == turn:
                for reason in player.waits_for():
                    yield f"{turn} ended early: {player.name} {reason}"

    def _players_of(self, runner: GameRunner) -> dict[Power, Player]:
        """Return the players of a game who know that they are, by their powers."""
        codes = {seat.power: seat.passcode for seat in runner.game.state.seating}
        return {
            Power(player.power): player
            for player in self._run.players
            if player.passcode and codes.get(Power(player.power)) == player.passcode
        }

    def _quiet(
        self, runner: GameRunner, disorder: Disorder, played: Seconds
    ) -> Iterator[str]:
        """Yield what is wrong in a game while nothing happens for a while."""
        state = runner.game.state
        players = self._players_of(runner)
        survivors = [players.get(power) for power in state.turn.survivors]
        yield from _goes_on(name_of(state.position.turn), survivors)
        for seat in state.seating.seats(state.turn.survivors):
            if seat.client is None and not seat.in_disorder:
                yield f"{seat.power} has no client and is not in civil disorder"
        before = self._agenda.now - self._heard
        for player in (*players.values(), *self._observers):
            if player.hears_since(before) and self._stood_till < before:
                is_begun = played > self._heard
                yield from self._said(player, state, disorder, is_begun=is_begun)

    def _said(
        self, player: Player, state: GameState, disorder: Disorder, *, is_begun: bool
    ) -> Iterator[str]:
        """Yield what a player should have been told by now, and was not."""
        before, turn = self._agenda.now - self._heard, name_of(state.position.turn)
        if player.turn != turn and is_begun:
            yield f"{player.name} is in {player.turn}, and has not heard of {turn}"
        if player.talk.owed and player.talk.asked_at < before:
            yield f"{player.name} is owed {player.talk.owed} answers in {turn}"
        if disorder.since < before:
            was_here = player.hears_since(disorder.since - self._heard)
            for power in disorder.said_wrong(player, was_here=was_here):
                yield f"{player.name} is told the contrary: CCD ({power})"


def _left_votes(state: GameState) -> Iterator[str]:
    """Yield whose vote counts although it has left."""
    voters = {power for power, _ in state.turn.votes}
    for power in sorted(voters - state.seating.occupied):
        if state.stage in GOES_ON:
            yield f"{power} has left, and its vote counts"


def _unordered(played: TurnResolved) -> Set[Unit]:
    """Return the units that should have had orders, and had none."""
    position, phase = played.position, played.position.turn.phase
    if phase is Phase.ADJUSTMENTS:
        return set()
    units = position.dislodged if phase is Phase.RETREATS else position.units
    given = {each.unit for each in played.orders if not isinstance(each, Waive)}
    return set(units) - given


def _left(state: GameState, changed: Set[Power]) -> Iterator[str]:
    """Yield who left and should have stopped the clock (DSD), or had no units."""
    runs = state.options.deadline_stops and state.stage is Stage.PLAYING
    for power in sorted(changed):
        if not state.seating[power].in_disorder:
            continue
        if power not in state.turn.survivors:
            yield f"{power} is in civil disorder, and is eliminated"
        elif runs and not state.turn.is_complete(power):
            yield f"the clock runs, and {power} left without orders"


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
            yield from _secrets(news, view)
        shown = (news.shown.body + news.states.get("status", b"")).decode()
        for code in self._run.codes.intersection(NUMBER.findall(shown)):
            yield f"the page shows the passcode {code}"


def _secrets(news: GameNews, view: GameView) -> Iterator[str]:
    """Yield what the page shows of a running game and should not."""
    if view.turns[-1].orders:
        yield f"the page shows orders of the running turn: {view.turns[-1]}"
    for said in view.press:
        yield f"the page shows {said}"
    for played in news.record.turns:
        for tally in (played.tallies or {}).values():
            if tally.refused_orders or tally.last_syntax_error:
                yield f"the page shows what was refused: {tally}"


def _replay(path: Path) -> GameReplay:
    return GameReplay(path.stem, path, {}, PressPolicy(PressShown.AFTER))

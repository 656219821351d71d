"""The display of a run: a table that is redrawn, lines, or JSON Lines."""

import time
from collections import deque
from collections.abc import Sequence
from typing import Any, Final

import msgspec
from rich import progress
from rich.console import Group
from rich.live import Live

from daide_server.tournament.game_outcomes import GameOutcome, PlayedGame, VoidGame
from daide_server.tournament.run.scheduler import GameBegun, GameOver, RunEvent, RunNote
from daide_server.tournament.run.tournament_state import TournamentState
from daide_server.tournament.standings import BotStatus, standings

from .common.printing import print_line
from .common.styled_output import text
from .tournament_table import duration, standings_table

LAST_NEWS = 5
"""Lines of news that the live display shows."""
SPEED_SECONDS = 3600.0
"""Seconds of recent games from which the remaining time is estimated."""
TABLE_PAUSES = 50
"""A table is kept for this multiple of the time that making it took."""


def print_news(state: TournamentState, event: RunEvent) -> None:
    """Print a line for a game that is over, and for each notice."""
    if isinstance(event, GameOver):
        plan, played = state.plan, len(state.ledger.played)
        for line in news(event, state):
            print_line(f"[{played}/{plan.games}] {line}")
    elif isinstance(event, RunNote):
        print_line(event.text)


def print_json(state: TournamentState, event: RunEvent) -> None:
    """Print a line of JSON for an event."""
    print_line(msgspec.json.encode(_json(event, state)).decode())


class LiveDisplay:
    """Redraws progress, table, running games and the last news on its `screen`."""

    def __init__(self, state: TournamentState) -> None:
        self.state: Final = state
        self._running: Final[dict[int, float]] = {}
        self._news: Final[deque[str]] = deque(maxlen=LAST_NEWS)
        self._rows: Sequence[BotStatus] = ()
        self._table_due = float("-inf")
        self._progress: Final = progress.Progress(
            progress.BarColumn(40),
            progress.MofNCompleteColumn(),
            progress.TextColumn("games,"),
            progress.TimeElapsedColumn(),
            progress.TextColumn("so far,"),
            progress.TimeRemainingColumn(),
            progress.TextColumn("left"),
            speed_estimate_period=SPEED_SECONDS,
        )
        self._games: Final = self._progress.add_task("", completed=self._done)
        self.screen: Final = Live(auto_refresh=False, transient=True)
        """Draws while it is entered."""

    def show(self, event: RunEvent) -> None:
        """Keep the news for the next refresh."""
        if isinstance(event, GameBegun):
            self._running[event.attempt.game] = time.monotonic()
        elif isinstance(event, GameOver):
            self._running.pop(event.outcome.game, None)
            is_usual = isinstance(event.outcome, PlayedGame) and event.counts
            lines = news(event, self.state)
            self._news.extend(lines[1:] if is_usual else lines)
        else:
            self._news.append(event.text)

    def refresh(self) -> None:
        """Redraw."""
        if not self.screen.is_started:
            return
        plan, now = self.state.plan, time.monotonic()
        self._progress.update(self._games, completed=self._done, total=plan.games)
        games = [
            f"{game} ({duration(now - at)})"
            for game, at in sorted(self._running.items())
        ]
        shown = Group(
            text(plan.description.name, "bold"),
            self._progress,
            standings_table(self._table(), plan.description.design.kind),
            *([text(f"playing {', '.join(games)}")] if games else []),
            *(text(line, "dim") for line in self._news),
        )
        self.screen.update(shown, refresh=True)

    @property
    def _done(self) -> int:
        return len(self.state.ledger.played) + len(self.state.ledger.unplayed)

    def _table(self) -> Sequence[BotStatus]:
        """Return the table, kept for a while: with many games it is slow to make."""
        began = time.monotonic()
        if began >= self._table_due:
            self._rows = standings(self.state.ledger)
            now = time.monotonic()
            self._table_due = now + TABLE_PAUSES * (now - began)
        return self._rows


def news(event: GameOver, state: TournamentState) -> list[str]:
    """Return the text about a finished game: a line, and its forfeits."""
    outcome, names = event.outcome, _names(state)
    game = f"game {outcome.game}"
    if isinstance(outcome, VoidGame):
        left = "given up" if outcome.game in state.ledger.unplayed else "again later"
        return [f"{game}: void, {left}: {outcome.reason}"]
    if not isinstance(outcome, PlayedGame):
        return [f"{game}: unfinished"]
    if not event.counts:
        return [f"{game}: played a second time, ignored"]
    result = _result(outcome, names)
    forfeits = [
        f"{game}: {names[seat.bot]} ({seat.power}) {seat.forfeit.sentence}"
        for seat in outcome.seats
        if seat.forfeit
    ]
    return [f"{game}: {result}, {duration(event.seconds)}", *forfeits]


def _names(state: TournamentState) -> Sequence[str]:
    return [bot.name for bot in state.plan.description.bots]


def _result(outcome: PlayedGame, names: Sequence[str]) -> str:
    result = outcome.result
    seats = {seat.power: f"{names[seat.bot]} ({seat.power})" for seat in outcome.seats}
    if result.soloist is not None:
        return f"solo of {seats[result.soloist]}"
    leaders = sorted(result.centres.items(), key=lambda each: -each[1])
    return ", ".join(f"{seats[power]} {count}" for power, count in leaders[:3] if count)


def _json(event: RunEvent, state: TournamentState) -> dict[str, Any]:
    match event:
        case GameBegun(attempt=attempt, bots=bots):
            place = {"game": attempt.game, "attempt": attempt.number}
            return {"event": "begun", **place, "bots": bots}
        case RunNote(text=words):
            return {"event": "notice", "text": words}
        case GameOver(outcome=outcome):
            return {
                "event": type(outcome).__name__.removesuffix("Game").lower(),
                "game": outcome.game,
                "attempt": outcome.attempt,
                "seconds": round(event.seconds, 3),
                "counts": event.counts,
                **_details(outcome, _names(state)),
            }


def _details(outcome: GameOutcome, names: Sequence[str]) -> dict[str, Any]:
    if isinstance(outcome, PlayedGame):
        forfeits = [
            {
                "bot": names[seat.bot],
                "power": seat.power,
                "turn": seat.forfeit.turn,
                "reason": seat.forfeit.reason,
            }
            for seat in outcome.seats
            if seat.forfeit
        ]
        return {"centres": outcome.result.centres, "forfeits": forfeits}
    return {"reason": outcome.reason} if isinstance(outcome, VoidGame) else {}

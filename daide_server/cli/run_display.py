"""What a run shows: a live table, lines, JSON Lines, or nothing."""

import time
from collections import deque
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Final

import msgspec
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table

from daide_server.running.run_events import GameBegun, GameOver, Notice, RunEvent
from daide_server.running.tournament_state import TournamentState
from daide_server.tournament.game_outcomes import (
    Forfeit,
    PlayedGame,
    UnfinishedGame,
    VoidGame,
)

from .printing import print_line
from .styled_output import text
from .tournament_tables import standings_table

LAST_NEWS: Final = 5
"""Lines of news that the live display shows."""
BAR_WIDTH: Final = 40


class RunDisplay:
    """Shows nothing; the other displays override what they show."""

    def __init__(self, state: TournamentState) -> None:
        self.state: Final = state
        self.began: Final = time.monotonic()
        self.running: dict[int, tuple[GameBegun, float]] = {}
        self.over = 0

    def show(self, event: RunEvent) -> None:
        """Show what has happened."""
        if isinstance(event, GameBegun):
            self.running[event.attempt.game] = event, time.monotonic()
        elif isinstance(event, GameOver):
            self.running.pop(event.outcome.game, None)
            self.over += isinstance(event.outcome, PlayedGame)

    def live(self) -> AbstractContextManager[object]:
        """Show what changes, as long as the block runs."""
        return nullcontext()

    def refresh(self) -> None:
        """Show the time that has passed."""


class LineDisplay(RunDisplay):
    """Prints a line for each game that is over, and for each notice."""

    def show(self, event: RunEvent) -> None:
        """Print a line."""
        super().show(event)
        if isinstance(event, GameOver):
            plan, played = self.state.plan, len(self.state.ledger.played)
            for line in news(event, self.state):
                print_line(f"[{played}/{plan.games}] {line}")
        elif isinstance(event, Notice):
            print_line(event.text)


class JsonDisplay(RunDisplay):
    """Prints a JSON object for each event."""

    def show(self, event: RunEvent) -> None:
        """Print a line of JSON."""
        super().show(event)
        print_line(msgspec.json.encode(_json(event, self.state)).decode())


class LiveDisplay(RunDisplay):
    """Redraws progress, table, running games and the last news."""

    def __init__(self, state: TournamentState) -> None:
        super().__init__(state)
        self._news: Final[deque[str]] = deque(maxlen=LAST_NEWS)
        self._live: Live | None = None

    def show(self, event: RunEvent) -> None:
        """Keep the news for the next refresh."""
        super().show(event)
        if isinstance(event, GameOver):
            is_usual = isinstance(event.outcome, PlayedGame) and event.counts
            lines = news(event, self.state)
            self._news.extend(lines[1:] if is_usual else lines)
        elif isinstance(event, Notice):
            self._news.append(event.text)

    def live(self) -> AbstractContextManager[object]:
        """Redraw as long as the block runs."""
        self._live = Live(
            self._shown(), console=Console(), auto_refresh=False, transient=True
        )
        return self._live

    def refresh(self) -> None:
        """Redraw."""
        if self._live is not None:
            self._live.update(self._shown(), refresh=True)

    def _shown(self) -> RenderableType:
        described = self.state.plan.description
        return Group(
            text(described.name, "bold"),
            self._progress(),
            standings_table(self.state.table, described.design.kind),
            *self._games(),
            *(text(line, "dim") for line in self._news),
        )

    def _progress(self) -> Table:
        games, ledger = self.state.plan.games, self.state.ledger
        done = len(ledger.played) + len(ledger.unplayed)
        line = Table.grid(padding=(0, 1))
        line.add_row(
            ProgressBar(total=max(1, games), completed=done, width=BAR_WIDTH),
            text(f"{done} of {games} games, {self._left(games - done)}"),
        )
        return line

    def _left(self, games: int) -> str:
        elapsed = time.monotonic() - self.began
        if not self.over or not games:
            return f"{duration(elapsed)} so far"
        return f"{duration(elapsed * games / self.over)} left"

    def _games(self) -> list[RenderableType]:
        now = time.monotonic()
        names = [
            f"{game} ({duration(now - began)})"
            for game, (_, began) in sorted(self.running.items())
        ]
        return [text(f"playing {', '.join(names)}")] if names else []


def news(event: GameOver, state: TournamentState) -> list[str]:
    """Return what is to be said of a game that is over: a line, and its forfeits."""
    outcome = event.outcome
    game = f"game {outcome.game}"
    took = duration(event.seconds)
    if isinstance(outcome, VoidGame):
        left = "given up" if outcome.game in state.ledger.unplayed else "again later"
        return [f"{game}: void, {left}: {outcome.reason}"]
    if isinstance(outcome, UnfinishedGame):
        return [f"{game}: unfinished"]
    if not event.counts:
        return [f"{game}: played a second time, ignored"]
    forfeits = [
        f"{game}: {_name(seat.bot, state)} ({seat.power}) forfeited"
        f"{_when(seat.forfeit)}: {seat.forfeit.reason}"
        for seat in outcome.seats
        if seat.forfeit
    ]
    return [f"{game}: {_result(outcome, state)}, {took}", *forfeits]


def _when(forfeit: Forfeit) -> str:
    return f" in {forfeit.turn}" if forfeit.turn else ""


def _result(outcome: PlayedGame, state: TournamentState) -> str:
    result = outcome.result
    names = {seat.power: _name(seat.bot, state) for seat in outcome.seats}
    if result.soloist is not None:
        return f"solo of {names[result.soloist]} ({result.soloist})"
    leaders = sorted(result.centres.items(), key=lambda each: -each[1])
    shown = (
        f"{names[power]} ({power}) {count}" for power, count in leaders[:3] if count
    )
    return ", ".join(shown)


def _name(bot: int, state: TournamentState) -> str:
    return state.plan.description.bots[bot].name


def _json(event: RunEvent, state: TournamentState) -> dict[str, Any]:
    match event:
        case GameBegun(attempt=attempt, bots=bots):
            return {
                "event": "begun",
                "game": attempt.game,
                "attempt": attempt.number,
                "bots": bots,
            }
        case Notice(text=words):
            return {"event": "notice", "text": words}
        case GameOver(outcome=outcome, seconds=seconds):
            return {
                "event": type(outcome).__name__.removesuffix("Game").lower(),
                "game": outcome.game,
                "attempt": outcome.attempt,
                "seconds": round(seconds, 3),
                "counts": event.counts,
                **_details(outcome, state),
            }


def _details(
    outcome: PlayedGame | VoidGame | UnfinishedGame, state: TournamentState
) -> dict[str, Any]:
    if isinstance(outcome, VoidGame):
        return {"reason": outcome.reason}
    if isinstance(outcome, UnfinishedGame):
        return {}
    forfeits = [
        {
            "bot": _name(seat.bot, state),
            "power": seat.power,
            "turn": seat.forfeit.turn,
            "reason": seat.forfeit.reason,
        }
        for seat in outcome.seats
        if seat.forfeit
    ]
    return {"centres": outcome.result.centres, "forfeits": forfeits}


def duration(seconds: float) -> str:
    """Return *seconds* as people say it: 4.2 s, 3:05 min, 2:10 h."""
    if seconds < 60:  # noqa: PLR2004 - a minute
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes_left = divmod(minutes, 60)
    if not hours:
        return f"{minutes}:{rest:02} min"
    return f"{hours}:{minutes_left:02} h"

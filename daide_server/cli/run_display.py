"""What a run shows: a table, live, lines, JSON Lines, or nothing."""

import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Final

import msgspec
from attrs import astuple
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table

from daide_server.running.scheduler import GameBegun, GameOver, RunEvent, RunNote
from daide_server.running.tournament_state import TournamentState
from daide_server.tournament.designs import DesignKind
from daide_server.tournament.game_outcomes import (
    Forfeit,
    PlayedGame,
    UnfinishedGame,
    VoidGame,
)
from daide_server.tournament.ratings import points_text
from daide_server.tournament.standings import BotStatus, TournamentStatus, standings

from .common.printing import print_line
from .common.styled_output import add_row, print_styled, table, text

UNKNOWN: Final = "-"
"""Shown in place of a value that is not known yet."""

ENDING_COLUMNS: Final = ("win", "draw", "shared", "survived", "out", "centres")

TROUBLE_COLUMNS: Final[Mapping[str, Callable[[BotStatus], int]]] = {
    "forfeits": lambda row: row.forfeits,
    "voids": lambda row: row.voids,
    "refused": lambda row: row.refused,
    "late": lambda row: row.late,
    "never ordered": lambda row: row.never_ordered,
}


Columns = dict[str, Callable[[BotStatus], str]]
"""The text of a bot's cell, by the head of its column."""


def standings_table(rows: Sequence[BotStatus], kind: DesignKind = "line-ups") -> Table:
    """Return the table of bots: scores with intervals, endings, troubles.

    The interval for a fixed number of games, and each kind of trouble, have a column if
    any bot has one; `~` marks an interval that is rough. In a ladder ratings have
    intervals, and scores none. One against six, the share of won seats has one. What
    a game cost is there if a bot says it.
    """
    figures = _ladder_columns() if kind == "ladder" else _score_columns(rows)
    if kind == "one-against-six":
        figures["won seats 95 %"] = win_rate_text
    if any(row.usage for row in rows):
        figures["cost a game"] = cost_text
    troubles = [
        each for each in TROUBLE_COLUMNS if any(map(TROUBLE_COLUMNS[each], rows))
    ]
    columns = ("games", *figures, *ENDING_COLUMNS, *troubles)
    made = table("", "bot", *columns, numbers=("", *columns))
    for rank, row in enumerate(rows, start=1):
        title = " ".join((row.name, *row.versions))
        cells = (cell(row) for cell in figures.values())
        counts = (str(TROUBLE_COLUMNS[each](row)) for each in troubles)
        add_row(
            made,
            (str(rank), title, str(row.games), *cells, *_ends(row), *counts),
            style="bold" if rank == 1 and row.games else "",
        )
    return made


def _score_columns(rows: Sequence[BotStatus]) -> Columns:
    columns: dict[str, Callable[[BotStatus], str]] = {
        "score": lambda row: score_text(row.score),
        "any time 95 %": lambda row: interval_text(row.low, row.high),
    }
    if any(row.low_fixed is not None for row in rows):
        columns["fixed 95 %"] = fixed_text
    return columns


def _ladder_columns() -> Columns:
    return {
        "rating": lambda row: (
            UNKNOWN if row.rating is None else points_text(row.rating)
        ),
        "95 %": rating_ends,
        "score": lambda row: score_text(row.score),
    }


def score_text(score: float | None) -> str:
    """Return a score, or what stands for one that is not known."""
    return UNKNOWN if score is None else f"{score:.3f}"


def interval_text(low: float | None, high: float | None) -> str:
    """Return the ends of an interval, if there is one."""
    return UNKNOWN if low is None else f"{low:.3f}-{high:.3f}"


def fixed_text(row: BotStatus) -> str:
    """Return the interval for a fixed number of games; `~` marks a rough one."""
    rough = "~" if row.fixed_is_rough else ""
    return f"{rough}{interval_text(row.low_fixed, row.high_fixed)}"


def win_rate_text(row: BotStatus) -> str:
    """Return the share of seats that won alone, and its interval."""
    rate = row.win_rate
    if rate is None:
        return UNKNOWN
    ends = f"{100 * rate.interval.low:.1f}-{100 * rate.interval.high:.1f}"
    return f"{100 * rate.share:.1f}% ({ends})"


def cost_text(row: BotStatus) -> str:
    """Return what a game cost a bot, or what stands for a bot that does not say it."""
    cost = row.cost_per_game
    return UNKNOWN if cost is None else f"{cost:.4g}"


def rating_ends(row: BotStatus) -> str:
    """Return the ends of the interval of a rating; an anchor has none."""
    if row.anchor:
        return "anchor"
    if row.rating_low is None or row.rating_high is None:
        return UNKNOWN
    return f"{points_text(row.rating_low)} to {points_text(row.rating_high)}"


def _ends(row: BotStatus) -> tuple[str, ...]:
    if row.endings is None or row.centres is None:
        return (UNKNOWN,) * len(ENDING_COLUMNS)
    shares = (f"{share:.1%}" for share in astuple(row.endings))
    return (*shares, f"{row.centres:.1f}")


def print_table(status: TournamentStatus) -> None:
    """Print a table, and how far the tournament is."""
    print_styled(standings_table(status.bots, status.kind))
    of = "" if status.is_ladder else f" of {status.games}"
    parts = [f"{status.played}{of} games played"]
    parts += [f"{status.running} running"] if status.running else []
    parts += [f"{status.unplayed} not played"] if status.unplayed else []
    parts += [f"stopped: {status.stopped}"] if status.stopped else []
    print_line("; ".join(parts))


LAST_NEWS: Final = 5
"""Lines of news that the live display shows."""
BAR_WIDTH: Final = 40
TABLE_PAUSES: Final = 50
"""So many times as long as the table took, the display waits before the next one."""


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
        elif isinstance(event, RunNote):
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
        self._rows: Sequence[BotStatus] = ()
        self._table_due = float("-inf")

    def show(self, event: RunEvent) -> None:
        """Keep the news for the next refresh."""
        super().show(event)
        if isinstance(event, GameOver):
            is_usual = isinstance(event.outcome, PlayedGame) and event.counts
            lines = news(event, self.state)
            self._news.extend(lines[1:] if is_usual else lines)
        elif isinstance(event, RunNote):
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
            standings_table(self._table(), described.design.kind),
            *self._games(),
            *(text(line, "dim") for line in self._news),
        )

    def _table(self) -> Sequence[BotStatus]:
        """Return the table: with many games it takes long, and is made seldom."""
        began = time.monotonic()
        if began >= self._table_due:
            self._rows = standings(self.state.ledger)
            now = time.monotonic()
            self._table_due = now + TABLE_PAUSES * (now - began)
        return self._rows

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
        case RunNote(text=words):
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

"""The display of a running game, on a terminal or in a pipe, and its result."""

import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Self

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table

from daide_server.board.map import Position, Variant
from daide_server.board.names import Power
from daide_server.records.entries import Began, Ended, RecordEntry, Seated, TurnResolved
from daide_server.records.record import Ending
from daide_server.server import events

from .printing import print_content, print_line
from .styled_output import add_row, print_styled, table, table_text, text

BAR = "█"
SHOWN_COLUMNS = ("Power", "Player", "Centres", "Units", "")
NUMBER_COLUMNS = ("Centres", "Units")

Rows = Sequence[Sequence[str]]
"""A cell for each of `SHOWN_COLUMNS`, the powers with the most centres first."""


class Progress:
    """Shows a game while it runs, from the entries of its record, and its result.

    On a terminal, that of a *console* or of standard output, a table is redrawn; else
    there are lines: the seats, and one for each year.
    """

    def __init__(self, variant: Variant, console: Console | None = None) -> None:
        if console is None and sys.stdout.isatty():
            console = Console()
        self._live = (
            None
            if console is None
            else Live(console=console, refresh_per_second=8, transient=True)
        )
        self.ended: Ended | None = None
        self.record: Path | None = None
        self.turns = 0
        self._variant = variant
        self._position: Position = variant.start
        self._last = variant.start.turn
        self._players: dict[Power, str] = {}
        self._begun = time.monotonic()
        self._over: float | None = None

    def __enter__(self) -> Self:
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop showing the running game; further output follows below."""
        if self._live is not None:
            self._live.stop()

    def show(self, entry: RecordEntry) -> None:
        """Update the display by *entry*."""
        match entry:
            case Began(position=position):
                self._position = position
            case Seated(power=power, name=name):
                is_new = power not in self._players
                self._players[power] = name
                if is_new and len(self._players) == len(self._variant.map.powers):
                    self._print_seats()
            case TurnResolved(position=before, next=after):
                self.turns += 1
                self._position, self._last = after, before.turn
                if before.turn.year != after.turn.year:
                    self._print_year(before.turn.year)
            case Ended():
                self.ended = entry
                self._over = time.monotonic()
                self._position = entry.position
            case _:
                return
        self._redraw()

    def read(self, event: events.ServerEvent) -> None:
        """Update the display by an event of a server with one game."""
        match event:
            case events.EntryRecorded(entry=entry):
                self.show(entry)
            case events.RecordStored(path=path):
                self.record = path
            case _:
                pass

    def conclude(self) -> None:
        """Print the result of the game, and the path of its record."""
        ending = "broken off" if self.ended is None else self.ended.ending.value
        summary = f"{self.turns} turns in {self._elapsed():.1f} s"
        headline, rows = f"{ending} after {self._last}: {summary}", self._rows()
        if self._live is None:
            print_line(headline)
            print_content(table_text((SHOWN_COLUMNS, *rows), NUMBER_COLUMNS))
        else:
            print_styled(text(headline, style="bold"))
            print_styled(styled_rows(rows))
        if self.record is not None:
            print_line(f"record: {self.record}")

    def _print_seats(self) -> None:
        """Print the player of each power, when the first turn begins."""
        if self._live is None:
            powers = self._variant.map.powers
            seats = "  ".join(f"{power} {self._players[power]}" for power in powers)
            print_line(f"{self._position.turn.year}  {seats}")

    def _print_year(self, year: int) -> None:
        """Print the centres after *year*."""
        if self._live is None:
            centres = centres_line(self._position, self._variant.map.powers)
            print_line(f"{year}  {centres}  {self._elapsed():5.1f} s")

    def _redraw(self) -> None:
        if self._live is not None:
            head = text(f"{self._position.turn}", style="bold")
            head.append(f"   {self.turns} turns   {self._elapsed():.1f} s", style="dim")
            self._live.update(Group(head, styled_rows(self._rows())))

    def _elapsed(self) -> float:
        now = time.monotonic() if self._over is None else self._over
        return now - self._begun

    def _rows(self) -> Rows:
        titles, states = self._variant.titles, dict[Power, str]()
        if self.ended is not None:
            state = "solo" if self.ended.ending is Ending.SOLO else "draw"
            states = dict.fromkeys(self.ended.winners, state)
        names = {power: titles[power] for power in self._variant.map.powers}
        return power_rows(self._position, names, self._players, states)


def centres_line(position: Position, powers: Iterable[Power]) -> str:
    """Return the number of centres of each power, such as `AUS  3  ENG  4`."""
    return "  ".join(f"{power} {len(position.centres_of(power)):2}" for power in powers)


def power_rows(
    position: Position,
    names: Mapping[Power, str],
    players: Mapping[Power, str],
    states: Mapping[Power, str],
) -> Rows:
    """Return a row for each power in *names*; its state stands beside its centres."""
    rows: list[Sequence[str]] = []
    for power in sorted(names, key=lambda each: -len(position.centres_of(each))):
        centres, units = position.centres_of(power), position.units_of(power)
        bar = BAR * len(centres) + (f"  {states[power]}" if power in states else "")
        counts = str(len(centres)), str(len(units))
        rows.append((names[power], players.get(power, ""), *counts, bar))
    return rows


def styled_rows(rows: Rows) -> Table:
    """Return a table of *rows*, those without a centre dimmed."""
    shown = table(*SHOWN_COLUMNS, numbers=NUMBER_COLUMNS)
    for row in rows:
        is_out = row[SHOWN_COLUMNS.index("Centres")] == "0"
        add_row(shown, row, style="dim" if is_out else "")
    return shown

"""The display of a game that is being played, and its result.

On a terminal a table that is redrawn; elsewhere a line for each year.
"""

import time
from pathlib import Path
from typing import Self

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table

from daide_server.board.names import Power
from daide_server.board.position import Position
from daide_server.board.variant import Variant
from daide_server.records.entries import (
    Began,
    Ended,
    Ending,
    RecordEntry,
    Seated,
    TurnResolved,
)

from .printing import print_line
from .styled_output import add_row, print_styled, table, text

BAR = "█"


class Progress:
    """Shows a game from its entries."""

    def __init__(self, variant: Variant, console: Console) -> None:
        self.ended: Ended | None = None
        self.record: Path | None = None
        self.turns = 0
        self._variant = variant
        self._console = console
        self._position: Position = variant.start
        self._last = variant.start.turn
        self._players: dict[Power, str] = {}
        self._begun = time.monotonic()
        self._over: float | None = None
        self._live = Live(console=console, refresh_per_second=8, transient=True)

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the redrawing; what is printed now stays."""
        if self._console.is_terminal:
            self._live.stop()

    def show(self, entry: RecordEntry) -> None:
        """Show what *entry* changes."""
        match entry:
            case Began(position=position):
                self._position = position
            case Seated(power=power, name=name):
                self._players[power] = name
            case TurnResolved(position=before, next=after):
                self.turns += 1
                self._position, self._last = after, before.turn
                self._print_year(before, after)
            case Ended():
                self.ended = entry
                self._over = time.monotonic()
                self._position = entry.position
            case _:
                return
        if self._console.is_terminal:
            self._live.update(self._display())

    def conclude(self) -> None:
        """Print the result of the game, and the path of its record."""
        ending = "broken off" if self.ended is None else self.ended.ending.value
        summary = f"{self.turns} turns in {self._elapsed():.1f} s"
        print_styled(text(f"{ending} after {self._last}: {summary}", style="bold"))
        print_styled(self._table())
        if self.record is not None:
            print_line(f"record: {self.record}")

    def _elapsed(self) -> float:
        now = time.monotonic() if self._over is None else self._over
        return now - self._begun

    def _print_year(self, before: Position, after: Position) -> None:
        """Print the centres after a year, if this is no terminal."""
        if self._console.is_terminal or before.turn.year == after.turn.year:
            return
        centres = "  ".join(
            f"{power} {len(after.centres_of(power)):2}"
            for power in self._variant.map.powers
        )
        print_line(f"{before.turn.year}  {centres}  {self._elapsed():5.1f} s")

    def _display(self) -> Group:
        head = text(f"{self._position.turn}", style="bold")
        head.append(f"   {self.turns} turns   {self._elapsed():.1f} s", style="dim")
        return Group(head, self._table())

    def _table(self) -> Table:
        shown = table(
            *("Power", "Player", "Centres", "Units", ""), numbers=("Centres", "Units")
        )
        for power in self._ranked():
            centres = len(self._position.centres_of(power))
            cells = (
                self._variant.titles[power],
                self._players.get(power, ""),
                str(centres),
                str(len(self._position.units_of(power))),
                BAR * centres + self._result(power),
            )
            add_row(shown, cells, style="" if centres else "dim")
        return shown

    def _ranked(self) -> list[Power]:
        position = self._position
        powers = self._variant.map.powers
        return sorted(powers, key=lambda power: -len(position.centres_of(power)))

    def _result(self, power: Power) -> str:
        if self.ended is None or power not in self.ended.winners:
            return ""
        return "  solo" if self.ended.ending is Ending.SOLO else "  draw"

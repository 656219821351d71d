"""What `daide-server score` prints: tables, JSON or CSV, for each game or for all."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from itertools import groupby
from typing import Final, Protocol

import msgspec
from attrs import define, field, frozen

from daide_server.formats.phase_json.map_names import names_of
from daide_server.formats.tables import csv_line
from daide_server.records.record import GameRecord
from daide_server.reports.score_sums import Grouping, ScoreSum, ScoreSums, bot_name
from daide_server.scoring.game_result import Points

from .printing import print_line
from .styled_output import add_row, print_styled, table

FOUR_DECIMALS: Final = Decimal("0.0001")

PointsBySystem = Mapping[str, Points]


@frozen(kw_only=True)
class ScoreOptions:
    """What is scored, and how it is printed."""

    systems: Sequence[str] = ()
    share: bool = False
    grouping: Grouping | None = None
    as_json: bool = False
    as_csv: bool = False


class ScoreOutput(Protocol):
    """Prints the points of games, one after the other, or at the end."""

    def add(self, name: str, record: GameRecord, scored: PointsBySystem) -> None:
        """Take the points of the game *name*."""
        ...

    def end(self) -> None:
        """Print what is of all games together."""
        ...


def score_output(options: ScoreOptions) -> ScoreOutput:
    """Return what prints as *options* say."""
    if options.grouping is not None:
        return _Sums(options, ScoreSums(options.grouping))
    if options.as_json:
        return _JsonGames()
    return _CsvGames() if options.as_csv else _TableGames()


def decimal_text(value: Fraction) -> str:
    """Return *value* with four decimals at most, half rounded away from zero."""
    exact = Decimal(value.numerator) / value.denominator
    # Adding 0 makes -0 positive.
    rounded = exact.quantize(FOUR_DECIMALS, ROUND_HALF_UP) + 0
    return f"{rounded.normalize():f}"


class _TableGames:
    """A table for each game: bots, supply centres, and a row for each system."""

    def add(self, name: str, record: GameRecord, scored: PointsBySystem) -> None:
        powers = record.variant.map.powers
        centres = (str(len(record.last.centres_of(power))) for power in powers)
        rows = table("", *powers, numbers=powers)
        add_row(rows, ("bot", *(bot_name(record, power) for power in powers)))
        add_row(rows, ("centres", *centres))
        for system, given in scored.items():
            add_row(rows, (system, *(decimal_text(given[power]) for power in powers)))
        ending = record.ending.value if record.ending else "goes on"
        print_line(f"{name}: {ending} {' '.join(record.winners)}".rstrip())
        print_styled(rows)
        print_line()

    def end(self) -> None:
        """Nothing is of all games together."""


class _JsonGames:
    """An object for each game, its points as exact fractions."""

    def add(self, name: str, record: GameRecord, scored: PointsBySystem) -> None:
        names = names_of(record.variant.map).powers
        exact = {
            system: {names[power]: str(value) for power, value in given.items()}
            for system, given in scored.items()
        }
        bots = {text: bot_name(record, power) for power, text in names.items()}
        line = {"file": name, "game": record.id, "bots": bots, "points": exact}
        print_line(msgspec.json.encode(line).decode())

    def end(self) -> None:
        """Nothing is of all games together."""


@define
class _CsvGames:
    """A line for each power of each game and each system."""

    has_heading: bool = False

    def add(self, name: str, record: GameRecord, scored: PointsBySystem) -> None:
        if not self.has_heading:
            print_line("file,game,power,bot,system,points")
            self.has_heading = True
        for cells in _csv_cells(name, record, scored):
            print_line(csv_line(cells))

    def end(self) -> None:
        """Nothing is of all games together."""


def _csv_cells(
    name: str, record: GameRecord, scored: PointsBySystem
) -> Iterator[tuple[object, ...]]:
    for power, text in names_of(record.variant.map).powers.items():
        bot = bot_name(record, power)
        for system, given in scored.items():
            yield name, record.id, text, bot, system, float(given[power])


@define
class _Sums:
    """Sums and means of all games, for each bot or power."""

    options: ScoreOptions
    sums: ScoreSums
    games: int = field(default=0)

    def add(self, name: str, record: GameRecord, scored: PointsBySystem) -> None:
        del name
        self.games += 1
        self.sums.add(record, scored)

    def end(self) -> None:
        found = list(self.sums.sums())
        if self.options.as_json:
            for each in found:
                print_line(msgspec.json.encode(self._values(each)).decode())
        elif self.options.as_csv:
            _print_csv(map(self._values, found))
        else:
            for system, of in groupby(found, key=lambda each: each.system):
                self._print_table(system, of)

    def _values(self, each: ScoreSum) -> Mapping[str, object]:
        """Return what programs are given; the sum is a decimal number there."""
        interval = each.interval
        return {
            self.sums.grouping: each.name,
            "system": each.system,
            "games": each.games,
            "seats": each.seats,
            "sum": float(each.total),
            "mean": each.mean,
            "low": interval.low if interval else None,
            "high": interval.high if interval else None,
            "is_rough": interval.is_rough if interval else None,
        }

    def _print_table(self, system: str, of: Iterable[ScoreSum]) -> None:
        columns = ("games", "seats", "sum", "mean", "95 % interval")
        rows = table(self.sums.grouping, *columns, numbers=columns)
        for each in of:
            counts = (str(each.games), str(each.seats), decimal_text(each.total))
            add_row(rows, (each.name, *counts, f"{each.mean:.4f}", _between(each)))
        print_line(f"{system}, {self.games} games")
        print_styled(rows)
        print_line()


def _between(each: ScoreSum) -> str:
    interval = each.interval
    if interval is None:
        return "-"
    rough = "~" if interval.is_rough else ""
    return f"{rough}{interval.low:.4f} to {interval.high:.4f}"


def _print_csv(values: Iterable[Mapping[str, object]]) -> None:
    rows = list(values)
    if rows:
        print_line(csv_line(rows[0]))
    for row in rows:
        print_line(csv_line(row.values()))

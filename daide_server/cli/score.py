"""`daide-server score`: the points of each power, by every scoring system."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from functools import partial
from itertools import groupby
from typing import get_args

import click
import msgspec
from attrs import frozen
from rich.table import Table

from daide_server.library.game_files import Found, read_game
from daide_server.records.formats.phase_json.map_names import names_of
from daide_server.records.formats.tables import csv_line
from daide_server.records.record import GameRecord
from daide_server.records.standings import game_result
from daide_server.scoring import systems
from daide_server.scoring.game_result import GameResult, Points
from daide_server.tournament.report.curves import (
    Grouping,
    ScoreSum,
    ScoreSums,
    bot_name,
)

from .common.failures import CommandError
from .common.game_arguments import GameFiles
from .common.option_types import Boards, board_option, options_as
from .common.printing import print_content, print_line, printed
from .common.styled_output import add_row, print_styled, table, table_text

# Output: tables, JSON or CSV, for each game or for all

FOUR_DECIMALS = Decimal("0.0001")

PointsBySystem = Mapping[str, Points]


@frozen
class ScoreOptions:
    """The arguments and options of the command: files, systems, form of the output."""

    files: tuple[str, ...]
    boards: Boards
    systems: tuple[str, ...]
    share: bool
    grouping: Grouping | None
    as_json: bool
    as_csv: bool


def decimal_text(value: Fraction) -> str:
    """Return *value* with four decimals at most, half rounded away from zero."""
    exact = Decimal(value.numerator) / value.denominator
    # Adding 0 makes -0 positive.
    rounded = exact.quantize(FOUR_DECIMALS, ROUND_HALF_UP) + 0
    return f"{rounded.normalize():f}"


def _table(name: str, record: GameRecord, scored: PointsBySystem) -> str:
    """Return a table of bots, supply centres, and points by each system."""
    powers = record.variant.map.powers
    rows: list[tuple[str, ...]] = [
        ("", *powers),
        ("bot", *(bot_name(record, power) for power in powers)),
        ("centres", *(str(len(record.last.centres_of(power))) for power in powers)),
    ]
    for system, given in scored.items():
        rows.append((system, *(decimal_text(given[power]) for power in powers)))
    ending = record.ending.value if record.ending else "goes on"
    title = f"{name}: {ending} {' '.join(record.winners)}".rstrip()
    return f"{printed(title)}{table_text(rows, powers)}\n"


def _json(name: str, record: GameRecord, scored: PointsBySystem) -> str:
    """Return a JSON object, with points as exact fractions."""
    names = names_of(record.variant.map).powers
    exact = {
        system: {names[power]: str(value) for power, value in given.items()}
        for system, given in scored.items()
    }
    bots = {text: bot_name(record, power) for power, text in names.items()}
    line = {"file": name, "game": record.id, "bots": bots, "points": exact}
    return msgspec.json.encode(line).decode()


def _csv_cells(
    name: str, record: GameRecord, scored: PointsBySystem
) -> Iterator[tuple[object, ...]]:
    for power, text in names_of(record.variant.map).powers.items():
        bot = bot_name(record, power)
        for system, given in scored.items():
            yield name, record.id, text, bot, system, float(given[power])


def _values(grouping: Grouping, each: ScoreSum) -> Mapping[str, object]:
    """Return the values for JSON and CSV, the sum as a float."""
    interval = each.interval
    return {
        grouping: each.name,
        "system": each.system,
        "games": each.games,
        "seats": each.seats,
        "sum": float(each.total),
        "mean": each.mean,
        "low": interval.low if interval else None,
        "high": interval.high if interval else None,
        "is_rough": interval.is_rough if interval else None,
    }


def _sums_table(grouping: Grouping, of: Iterable[ScoreSum]) -> Table:
    columns = ("games", "seats", "sum", "mean", "95 % interval")
    rows = table(grouping, *columns, numbers=columns)
    for each in of:
        counts = (str(each.games), str(each.seats), decimal_text(each.total))
        add_row(rows, (each.name, *counts, f"{each.mean:.4f}", _between(each)))
    return rows


def _between(each: ScoreSum) -> str:
    interval = each.interval
    if interval is None:
        return "-"
    rough = "~" if interval.is_rough else ""
    return f"{rough}{interval.low:.4f} to {interval.high:.4f}"


def _print_csv(rows: Sequence[Mapping[str, object]]) -> None:
    if rows:
        print_line(csv_line(rows[0]))
    for row in rows:
        print_line(csv_line(row.values()))


@click.command("score", epilog=f"Systems: {', '.join(systems.SYSTEMS)}.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--system",
    "systems",
    multiple=True,
    metavar="NAME",
    help="A scoring system; may be repeated.  [default: all that fit the board]",
)
@click.option("--share", is_flag=True, help="Print shares of 1 instead of points.")
@click.option(
    "--by",
    "grouping",
    type=click.Choice(get_args(Grouping)),
    help="Print sums and means over all games for each bot or power instead.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV.")
@board_option()
@options_as(ScoreOptions)
def command(options: ScoreOptions) -> None:
    """Print the points of each power in games, by scoring systems.

    Systems with names in small letters are those of dipcc's document, the others
    those of DiploBN. A game that is not over is scored as a draw of its survivors.

    With --by, a bot with several seats in a game counts with its mean there. The
    interval is for the mean with 95 %, as if the number of games was fixed before and
    games are independent; it needs ten games, and ~ marks one that is rough.

    The exit code is 1 if a file cannot be read, or a system is unknown.
    """
    if options.as_json and options.as_csv:
        raise click.UsageError("--json and --csv exclude each other")
    games = GameFiles(options.files, options.boards)
    if options.grouping is None:
        _print_games(games, options)
    else:
        _print_sums(games, options, options.grouping)
    games.exit()


def _print_games(games: GameFiles, options: ScoreOptions) -> None:
    heading = "file,game,power,bot,system,points\n" if options.as_csv else ""
    for _, text in games.worked(partial(_text, options)):
        print_content(heading + text)
        heading = ""


def _text(options: ScoreOptions, found: Found, boards: Boards) -> Iterator[str]:
    """Yield the printable lines about the game in *found*."""
    name, (record, scored) = str(found), _read(options, found, boards)
    if options.as_json:
        yield printed(_json(name, record, scored))
    elif options.as_csv:
        cells = map(csv_line, _csv_cells(name, record, scored))
        yield "".join(map(printed, cells))
    else:
        yield _table(name, record, scored)


def _print_sums(games: GameFiles, options: ScoreOptions, grouping: Grouping) -> None:
    """Print the sums and means of all games, for each bot or power."""
    sums, count = ScoreSums(grouping), 0
    for _, of_game in games.worked(partial(_sums, options)):
        sums.update(of_game)
        count += 1
    found = list(sums.sums())
    rows = [_values(grouping, each) for each in found]
    if options.as_json:
        for row in rows:
            print_line(msgspec.json.encode(row).decode())
    elif options.as_csv:
        _print_csv(rows)
    else:
        for system, of in groupby(found, key=lambda each: each.system):
            print_line(f"{system}, {count} games")
            print_styled(_sums_table(grouping, of))
            print_line()


def _sums(options: ScoreOptions, found: Found, boards: Boards) -> Iterator[ScoreSums]:
    """Yield the sums of the game in *found* alone."""
    assert options.grouping is not None
    sums = ScoreSums(options.grouping)
    sums.add(*_read(options, found, boards))
    yield sums


def _read(
    options: ScoreOptions, found: Found, boards: Boards
) -> tuple[GameRecord, PointsBySystem]:
    record = read_game(found, boards.find)
    scored = _scored(str(found), game_result(record), options.systems)
    if options.share:
        scored = {system: systems.score(given) for system, given in scored.items()}
    return record, scored


def _scored(name: str, game: GameResult, chosen: Sequence[str]) -> PointsBySystem:
    """Return the points by *chosen* systems, or by all that fit the board."""
    if not chosen:
        made = systems.all_points(game)
        return {system: given for system, given in made.items() if given is not None}
    try:
        return {system: systems.points(system, game) for system in chosen}
    except systems.ScoringError as error:
        raise CommandError(f"{name}: {error}") from error

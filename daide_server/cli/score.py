"""`daide-server score`: what games are worth to each power, by every system."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

import click
import msgspec

from daide_server.board.names import Power
from daide_server.formats.phase_json.map_names import names_of
from daide_server.records.game_results import game_result
from daide_server.records.record import GameRecord
from daide_server.scoring.game_result import GameResult, Points
from daide_server.scoring.systems import SYSTEMS, ScoringError, points, score

from .game_arguments import Games
from .map_option import Boards, board_option

DECIMALS = 4
COLUMN_GAP = "  "


@click.command("score")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--system",
    "systems",
    multiple=True,
    metavar="NAME",
    help="A scoring system; may be repeated. All of them, if none is named.",
)
@click.option("--share", is_flag=True, help="Shares of 1 rather than points.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per game.")
@board_option()
def command(
    files: tuple[str, ...],
    systems: tuple[str, ...],
    boards: Boards,
    *,
    share: bool,
    as_json: bool,
) -> None:
    """Print the points of each power in games, by scoring systems.

    Systems in small letters are those of dipcc's document, the others those of
    DiploBN. A game that goes on is scored as if it were drawn now.

    The exit code is 1 if a file cannot be read, or a system is not known.
    """
    games = Games(files, boards)
    for name, record in games.records():
        try:
            table = _table(game_result(record), systems, share=share)
        except ScoringError as error:
            games.complain(name, str(error))
            break
        show = _json if as_json else _text
        click.echo(show(name, record, table))
    games.exit()


PointsTable = Mapping[str, Points]


def _table(game: GameResult, systems: Sequence[str], *, share: bool) -> PointsTable:
    """Return the points by system; those made for other boards only if asked for."""
    rows = [(name, points(name, game)) for name in systems] or _all(game)
    return {name: score(row) if share else row for name, row in rows}


def _all(game: GameResult) -> Iterator[tuple[str, Points]]:
    for name in SYSTEMS:
        try:
            yield name, points(name, game)
        except ScoringError:
            continue


def _json(name: str, record: GameRecord, table: PointsTable) -> str:
    names = names_of(record.variant.map).powers
    exact = {
        system: {names[power]: str(value) for power, value in row.items()}
        for system, row in table.items()
    }
    line = {"file": name, "game": record.id, "points": exact}
    return msgspec.json.encode(line).decode()


def _text(name: str, record: GameRecord, table: PointsTable) -> str:
    """Return a table with a line per system, and the centres on top."""
    powers = record.variant.map.powers
    counts = {power: len(record.last.centres_of(power)) for power in powers}
    lines = [["", *powers], ["centres", *(str(counts[power]) for power in powers)]]
    lines += [[system, *_cells(row, powers)] for system, row in table.items()]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    first, *others = widths
    shown = [
        COLUMN_GAP.join((head.ljust(first), *map(str.rjust, cells, others)))
        for head, *cells in lines
    ]
    ending = record.ending.value if record.ending else "goes on"
    winners = " ".join(record.winners)
    return "\n".join([f"{name}: {ending} {winners}".rstrip(), *shown, ""])


def _cells(row: Points, powers: Sequence[Power]) -> list[str]:
    return [decimal(row[power]) for power in powers]


def decimal(value: Fraction) -> str:
    """Return *value* with four decimals at most, rounded half up."""
    scaled = (abs(value) * 10**DECIMALS * 2 + 1) // 2
    whole, part = divmod(int(scaled), 10**DECIMALS)
    sign = "-" if value < 0 and scaled else ""
    return f"{sign}{whole}.{part:0{DECIMALS}}".rstrip("0").rstrip(".")

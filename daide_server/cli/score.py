"""`daide-server score`: the points of each power, by every scoring system."""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from functools import partial
from typing import Final

import click
import msgspec
from attrs import frozen

from daide_server.formats.phase_json.map_names import names_of
from daide_server.records.game_results import game_result
from daide_server.records.record import GameRecord
from daide_server.scoring.game_result import GameResult, Points
from daide_server.scoring.systems import SYSTEMS, ScoringError, points, score
from daide_server.storage.game_files import Found, read_outline

from .failures import CommandError
from .game_arguments import GameFiles
from .map_option import Boards, board_option
from .printing import printable, write
from .styled_output import add_row, rendered, table

FOUR_DECIMALS: Final = Decimal("0.0001")

PointsBySystem = Mapping[str, Points]


@frozen
class ScoreOptions:
    """What is printed of each game."""

    systems: tuple[str, ...]
    share: bool
    as_json: bool


@click.command("score")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--system",
    "systems",
    multiple=True,
    metavar="NAME",
    help="A scoring system; may be repeated.  [default: all that fit the board]",
)
@click.option("--share", is_flag=True, help="Print shares of 1 instead of points.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per game.")
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

    Systems with names in small letters are those of dipcc's document, the others
    those of DiploBN. A game that is not over is scored as a draw of its survivors.

    The exit code is 1 if a file cannot be read, or a system is unknown.
    """
    games = GameFiles(files, boards)
    work = partial(_text, ScoreOptions(systems, share, as_json))
    for _, printed in games.worked(work):
        write(printed, sys.stdout)
    games.exit()


def _text(options: ScoreOptions, found: Found, boards: Boards) -> Iterator[str]:
    """Yield what is printed of one game."""
    record, name = read_outline(found, boards.find), str(found)
    scored = _scored(name, game_result(record), options.systems)
    if options.share:
        scored = {system: score(given) for system, given in scored.items()}
    yield (_json if options.as_json else _table)(name, record, scored)


def _scored(name: str, game: GameResult, systems: Sequence[str]) -> PointsBySystem:
    """Return the points by *systems*; by all that fit the board, if none is named."""
    if not systems:
        return dict(_by_all_systems(game))
    try:
        return {system: points(system, game) for system in systems}
    except ScoringError as error:
        message = f"{name}: {error}"
        raise CommandError(message) from error


def _by_all_systems(game: GameResult) -> Iterator[tuple[str, Points]]:
    for system in SYSTEMS:
        try:
            yield system, points(system, game)
        except ScoringError:
            # It is for another number of powers or centres.
            continue


def _json(name: str, record: GameRecord, scored: PointsBySystem) -> str:
    names = names_of(record.variant.map).powers
    exact = {
        system: {names[power]: str(value) for power, value in given.items()}
        for system, given in scored.items()
    }
    line = {"file": name, "game": record.id, "points": exact}
    return f"{printable(msgspec.json.encode(line).decode())}\n"


def _table(name: str, record: GameRecord, scored: PointsBySystem) -> str:
    """Return a row for the supply centres, and one for each system."""
    powers = record.variant.map.powers
    centres = (str(len(record.last.centres_of(power))) for power in powers)
    rows = table("", *powers, numbers=powers)
    add_row(rows, ("centres", *centres))
    for system, given in scored.items():
        add_row(rows, (system, *_rounded(given[power] for power in powers)))
    ending = record.ending.value if record.ending else "goes on"
    title = f"{name}: {ending} {' '.join(record.winners)}".rstrip()
    return f"{printable(title)}\n{rendered(rows)}\n"


def _rounded(values: Iterable[Fraction]) -> Iterator[str]:
    return map(decimal_text, values)


def decimal_text(value: Fraction) -> str:
    """Return *value* with four decimals at most, half rounded away from zero."""
    exact = Decimal(value.numerator) / value.denominator
    # Adding 0 makes -0 positive.
    rounded = exact.quantize(FOUR_DECIMALS, ROUND_HALF_UP) + 0
    return f"{rounded.normalize():f}"

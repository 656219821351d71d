"""`daide-server score`: the points of each power, by every scoring system."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import get_args

import click

from daide_server.records.game_results import game_result
from daide_server.records.record import GameRecord
from daide_server.reports.score_sums import Grouping, ScoreSums
from daide_server.scoring.game_result import GameResult
from daide_server.scoring.systems import (
    SYSTEMS,
    ScoringError,
    all_points,
    points,
    score,
)
from daide_server.storage.game_files import Found, read_outline

from .failures import CommandError
from .game_arguments import GameFiles
from .map_option import Boards, board_option
from .printing import print_made
from .score_output import (
    PointsBySystem,
    ScoreOptions,
    game_text,
    games_heading,
    print_sums,
)


@click.command("score", epilog=f"Systems: {', '.join(SYSTEMS)}.")
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
@click.option("--json", "as_json", is_flag=True, help="Print JSON, an object a line.")
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV.")
@board_option()
def command(files: tuple[str, ...], boards: Boards, **options: object) -> None:
    """Print the points of each power in games, by scoring systems.

    Systems with names in small letters are those of dipcc's document, the others
    those of DiploBN. A game that is not over is scored as a draw of its survivors.

    With --by, a bot with several seats in a game counts with its mean there. The
    interval is for the mean with 95 %, as if the number of games was fixed before and
    games are independent; it needs ten games, and ~ marks one that is rough.

    The exit code is 1 if a file cannot be read, or a system is unknown.
    """
    chosen = ScoreOptions(**options)  # type: ignore[arg-type] # click's types are those
    if chosen.as_json and chosen.as_csv:
        message = "--json and --csv exclude each other"
        raise click.UsageError(message)
    games = GameFiles(files, boards)
    if chosen.grouping is None:
        _print_games(games, chosen)
    else:
        _print_sums(games, chosen, chosen.grouping)
    games.exit()


def _print_games(games: GameFiles, options: ScoreOptions) -> None:
    heading = games_heading(options)
    for _, text in games.worked(partial(_text, options)):
        print_made(heading + text)
        heading = ""


def _print_sums(games: GameFiles, options: ScoreOptions, grouping: Grouping) -> None:
    sums, count = ScoreSums(grouping), 0
    for _, of_game in games.worked(partial(_sums, options)):
        sums.update(of_game)
        count += 1
    print_sums(sums, count, options)


def _text(options: ScoreOptions, found: Found, boards: Boards) -> Iterator[str]:
    """Yield what is printed of the game in *found*."""
    record, scored = _read(options, found, boards)
    yield game_text(str(found), record, scored, options)


def _sums(options: ScoreOptions, found: Found, boards: Boards) -> Iterator[ScoreSums]:
    """Yield the sums of the game in *found* alone."""
    assert options.grouping is not None
    sums = ScoreSums(options.grouping)
    sums.add(*_read(options, found, boards))
    yield sums


def _read(
    options: ScoreOptions, found: Found, boards: Boards
) -> tuple[GameRecord, PointsBySystem]:
    record = read_outline(found, boards.find)
    scored = _scored(str(found), game_result(record), options.systems)
    if options.share:
        scored = {system: score(given) for system, given in scored.items()}
    return record, scored


def _scored(name: str, game: GameResult, systems: Sequence[str]) -> PointsBySystem:
    """Return the points by *systems*; by all that fit the board, if none is named."""
    if not systems:
        made = all_points(game)
        return {system: given for system, given in made.items() if given is not None}
    try:
        return {system: points(system, game) for system in systems}
    except ScoringError as error:
        message = f"{name}: {error}"
        raise CommandError(message) from error

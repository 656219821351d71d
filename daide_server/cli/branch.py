"""`daide-server branch`: play on from a phase, again and again."""

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from statistics import fmean, quantiles
from typing import Final

import click
import msgspec
from attrs import Factory, evolve, frozen

from daide_server.app.making import begun, resolve_start, run_name
from daide_server.app.settings import TABLE, ServerSettings
from daide_server.board.map import Variant
from daide_server.board.names import Power
from daide_server.records.record import Ending, GameRecord
from daide_server.records.turn_results import game_result
from daide_server.running.bot_settings import BotSettings
from daide_server.running.executors import LOCAL_EXECUTOR, cores, open_executor
from daide_server.running.game_table import YEARS, bounded
from daide_server.running.game_task import GameTask, dealt, is_slow_start
from daide_server.running.worker import WorkerError, play_task
from daide_server.scoring.systems import SYSTEMS, points, score
from daide_server.storage.archive import ready, replace
from daide_server.storage.game_files import Found, read_game
from daide_server.storage.variants import find_variant
from daide_server.tournament.game_outcomes import Attempt, PlayedGame

from .common.failures import FAILED, CommandError
from .common.game_arguments import with_progress
from .common.option_types import (
    Folder,
    WholeNumber,
    options_as,
    pass_option,
    sandbox_option,
)
from .common.options import gather, given_options, setting_options
from .common.printing import print_line
from .common.styled_output import add_row, print_styled, table
from .play import BotList, more_option
from .play_programs import programs_of

BRANCH_SETTINGS = TABLE.read({"game": {"post_game_seconds": 0.0}}, "branch")
"""Settings of the games that differ from those of `serve`."""
DEFAULT_GAMES = 20
MAX_GAMES = 1_000_000
NUMBERS = (
    *("Now", "Mean", "5 %", "Median", "95 %"),
    *("Score", "Solo", "Draw", "Shared", "Out"),
)


@frozen
class BranchOptions:
    """The options of the command."""

    start: str
    games: int
    bots: tuple[str, ...] | None
    more: tuple[str, ...]
    passed: tuple[str, ...]
    sandbox: str
    system: str
    keep: Path | None
    as_json: bool
    variant: object
    year_limit: object
    seed: object

    @property
    def settings(self) -> dict[str, object]:
        """Return those that are settings of the server."""
        return {
            "variant": self.variant,
            "year_limit": self.year_limit,
            "seed": self.seed,
        }


@click.command("branch")
@click.argument("start", metavar="RECORD:PHASE")
@click.option(
    "--games",
    type=WholeNumber(1, MAX_GAMES),
    default=DEFAULT_GAMES,
    show_default=True,
    help="How many games to play.",
)
@click.option(
    "--bots",
    type=BotList(),
    metavar="NAME,...",
    help="A bot for each power, in their order, in words as `play` takes them.  "
    "[all dumb]",
)
@more_option
@pass_option
@sandbox_option
@click.option(
    "--system",
    type=click.Choice(list(SYSTEMS)),
    metavar="NAME",
    default="sum_of_squares",
    show_default=True,
    help="The scoring system.",
)
@click.option(
    "--keep",
    type=Folder(),
    metavar="FOLDER",
    help="Keep the records of the games in a folder.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@setting_options(
    *("variant", "year_limit", "seed"),
    defaults=TABLE.compose(BRANCH_SETTINGS),
    year_limit=f"{YEARS} years after the start",
    seed="0",
)
@options_as(BranchOptions)
def command(options: BranchOptions) -> None:
    """Play games from one phase to their ends; print how they ended.

    The position is that of a record in any format, or of a file of positions; retreats
    and builds too. A number stands for all games: centres at the end as their mean,
    their median, and where one game of twenty is below or above; the mean score; in how
    many games a power won alone, drew by vote, shared the end at the year limit, or was
    out.

    The exit code is 1 if a bot has forfeited.

    \b
    Examples:
      daide-server branch records/game.json:F1905M
      daide-server branch game.json:S1910M --games 200 --year-limit 1920
      daide-server branch game.json:S1905M --bot "lines:./mybot" --bot "6 x dumb"
    """
    settings, variant = _prepared(options)
    powers = variant.map.powers
    words = (*(options.bots or ()), *options.more) or ("dumb",) * len(powers)
    programs = programs_of(words, len(powers), options.passed, options.sandbox)
    games = Continuations(options, settings, programs)
    if options.keep is not None:
        ready(options.keep)
    numbers = tuple(map(str, range(1, options.games + 1)))
    played = [
        game for _, game in zip(with_progress(numbers), games.played(), strict=True)
    ]
    forfeits = [line for game in played for line in game.forfeits]
    for line in forfeits:
        print_line(line, to_stderr=True)
    (_print_json if options.as_json else _print_table)(variant, played)
    if forfeits:
        sys.exit(FAILED)


def _prepared(options: BranchOptions) -> tuple[ServerSettings, Variant]:
    """Return the settings of each server, and the board with the start."""
    settings = gather(BRANCH_SETTINGS, given_options(options.settings))
    settings = evolve(settings, board=evolve(settings.board, start=options.start))
    variant = find_variant(settings.board.variant)
    settings = resolve_start(settings, variant)
    variant = begun(settings, variant)
    return bounded(settings, variant), variant


TWENTIETHS: Final = 20


@frozen
class Continuation:
    """How one game ended: the centres and the score, from 0 to 1, of each power.

    `forfeits` has a line for each bot that forfeited.
    """

    ending: Ending
    winners: tuple[Power, ...]
    centres: Mapping[Power, int]
    scores: Mapping[Power, float]
    forfeits: tuple[str, ...] = ()


@frozen
class Distribution:
    """A few numbers instead of many."""

    mean: float
    low: float
    """Of twenty games one is below."""
    median: float
    high: float
    """Of twenty games one is above."""


@frozen
class PowerSpread:
    """What became of one power; shares are of all games."""

    centres: Distribution
    scores: Distribution
    solos: float
    draws: float
    """Draws by vote in which it had a part."""
    shared: float
    """Games that it shared at the year limit, or by a stalemate."""
    eliminations: float


def distribution(values: Sequence[float]) -> Distribution:
    """Return the mean and the quantiles of *values*, of which there must be one.

    They are those of Hyndman and Fan's definition 7.
    """
    if len(values) == 1:
        (value,) = values
        return Distribution(value, value, value, value)
    cuts = quantiles(values, n=TWENTIETHS, method="inclusive")
    return Distribution(fmean(values), cuts[0], cuts[TWENTIETHS // 2 - 1], cuts[-1])


def spread_of(games: Sequence[Continuation], power: Power) -> PowerSpread:
    """Return what became of *power* in *games*, of which there must be one."""
    won = [each.ending for each in games if power in each.winners]
    solos, draws = won.count(Ending.SOLO), won.count(Ending.DRAW)
    centres = [each.centres.get(power, 0) for each in games]
    return PowerSpread(
        centres=distribution(centres),
        scores=distribution([each.scores.get(power, 0.0) for each in games]),
        solos=solos / len(games),
        draws=draws / len(games),
        shared=(len(won) - solos - draws) / len(games),
        eliminations=centres.count(0) / len(games),
    )


def endings_of(games: Sequence[Continuation]) -> Mapping[Ending, int]:
    """Return how many of *games* ended how, the most frequent ending first."""
    return dict(Counter(each.ending for each in games).most_common())


@frozen
class Continuations:
    """Games that are played from one position, with a bot for each power."""

    options: BranchOptions
    settings: ServerSettings
    programs: tuple[BotSettings, ...]
    run: str = Factory(run_name)
    """Begins the names of the records."""

    def played(self) -> Iterator[Continuation]:
        """Yield the games in their order, played on all processors."""
        numbers = range(1, self.options.games + 1)
        workers = min(cores(), len(numbers))
        with open_executor(LOCAL_EXECUTOR, workers, Path()) as opened:
            try:
                yield from opened.executor.map(self._play_on, numbers)
            finally:
                opened.executor.shutdown(wait=False, cancel_futures=True)

    def _play_on(self, number: int) -> Continuation:
        """Play game *number*. Raises `CommandError` if it did not end."""
        try:
            report = play_task(self._task(number))
            if is_slow_start(report.outcome):
                report = play_task(evolve(self._task(number), is_alone=True))
        except WorkerError as error:
            message = f"game {number}: {error}"
            raise CommandError(message) from error
        if report.record is None or not isinstance(report.outcome, PlayedGame):
            reason = getattr(report.outcome, "reason", "was broken off")
            message = f"game {number}: {reason}"
            raise CommandError(message)
        content, path = (
            report.record,
            Path(f"{self.run}-{number:06}.json"),
        )
        if self.options.keep is not None:
            path = self.options.keep / path
            _keep(path, content, number)
        found = Found(path, None, content)
        record = read_game(found, lambda _: find_variant(self.settings.board.variant))
        forfeits = (
            f"game {number}: {self.programs[seat.bot].name} ({seat.power}) "
            f"forfeited: {seat.forfeit.reason}"
            for seat in report.outcome.seats
            if seat.forfeit is not None
        )
        return _continuation(record, self.options.system, tuple(forfeits))

    def _task(self, number: int) -> GameTask:
        powers = find_variant(self.settings.board.variant).map.powers
        seed = self.settings.chance.seed or 0
        chance = Random(f"{seed} {number}")  # noqa: S311 - a game, not a secret
        seats = tuple(dealt(powers, self.programs, chance).values())
        saved = TABLE.saved(self.settings)
        return GameTask(self.run, Attempt(number, 1), seats, seed, saved)


def _keep(path: Path, content: bytes, number: int) -> None:
    try:
        replace(path, content)
    except OSError as error:
        reason = f"cannot write the record {path}: {error.strerror or error}"
        message = f"game {number}: {reason}"
        raise CommandError(message) from error


def _continuation(
    record: GameRecord, system: str, forfeits: tuple[str, ...]
) -> Continuation:
    """Return how the game of *record* ended."""
    assert record.ending is not None
    shares = score(points(system, game_result(record)))
    powers = record.variant.map.powers
    return Continuation(
        record.ending,
        record.winners,
        {power: len(record.last.centres_of(power)) for power in powers},
        {power: float(shares[power]) for power in powers},
        forfeits,
    )


def _print_json(variant: Variant, played: Sequence[Continuation]) -> None:
    shown = {
        "games": len(played),
        "endings": {each.value: count for each, count in endings_of(played).items()},
        "powers": {power: spread_of(played, power) for power in variant.map.powers},
    }
    print_line(msgspec.json.encode(shown).decode())


def _print_table(variant: Variant, played: Sequence[Continuation]) -> None:
    endings = ", ".join(
        f"{count} {ending.value}" for ending, count in endings_of(played).items()
    )
    print_line(f"{variant.start.turn}, {len(played)} games: {endings}")
    rows = table("Power", *NUMBERS, numbers=NUMBERS)
    for power in variant.map.powers:
        spread = spread_of(played, power)
        shares = (spread.solos, spread.draws, spread.shared, spread.eliminations)
        cells = (
            variant.titles[power],
            str(len(variant.start.centres_of(power))),
            *_cells(spread.centres),
            f"{spread.scores.mean:.3f}",
            *(f"{share:.0%}" for share in shares),
        )
        add_row(rows, cells)
    print_styled(rows)


def _cells(centres: Distribution) -> Iterator[str]:
    yield f"{centres.mean:.1f}"
    for value in (centres.low, centres.median, centres.high):
        yield f"{value:g}" if value == round(value) else f"{value:.1f}"

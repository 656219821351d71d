"""The games of `branch`, from one phase to their ends, and how they ended."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from statistics import fmean, quantiles

import msgspec
from attrs import evolve, frozen

from daide_server.board.map import Variant
from daide_server.board.names import Power
from daide_server.library.archive import ready
from daide_server.scoring.game_result import SeatEnd
from daide_server.scoring.systems import points, score
from daide_server.tournament.game_outcomes import PlayedGame
from daide_server.tournament.run.game_task import GameReport
from daide_server.tournament.run.tournament_settings import bounded

from .common import failures, game_arguments
from .common.options import BRANCH_SETTINGS, gather, given_options
from .common.printing import print_line
from .common.styled_output import add_row, print_styled, table
from .play_programs import GameSeries, at_start, programs_of, reports_of

TWENTIETHS = 20
NUMBERS = (
    *("Now", "Mean", "5 %", "Median", "95 %"),
    *("Score", "Solo", "Draw", "Shared", "Out"),
)


@frozen
class Distribution:
    """Mean, median, and the 5th and 95th percentile, `low` and `high`."""

    mean: float
    low: float
    median: float
    high: float


@frozen
class PowerSpread:
    """The results of one power; shares are of all games.

    `draws` are those by vote that include the power; `shared` are games that it shared
    at the year limit or in a stalemate.
    """

    centres: Distribution
    scores: Distribution
    solos: float
    draws: float
    shared: float
    eliminations: float


def branch(  # noqa: PLR0913 - each is an option
    *,
    start: str,
    games: int,
    bots: tuple[str, ...] | None,
    more: tuple[str, ...],
    passed: tuple[str, ...],
    sandbox: str,
    system: str,
    keep: Path | None,
    as_json: bool,
    **given: object,
) -> None:
    """Play the games, and print how they ended."""
    settings = gather(BRANCH_SETTINGS, given_options(given))
    board = evolve(settings.board, start=start)
    settings, variant = at_start(evolve(settings, board=board))
    powers = variant.map.powers
    words = (*(bots or ()), *more) or ("dumb",) * len(powers)
    programs = programs_of(words, len(powers), passed, sandbox)
    if keep is not None:
        ready(keep)
    seed = settings.chance.seed or 0
    series = GameSeries(bounded(settings, variant), variant, programs, seed)
    tasks = [
        series.task(number, powers, Random(f"{seed} {number}"))  # noqa: S311 - no secret
        for number in range(1, games + 1)
    ]
    results = zip(game_arguments.with_progress(tasks), reports_of(tasks), strict=True)
    played = [_played(series, report, keep) for _, report in results]
    played.sort(key=lambda game: game.game)
    forfeits = [line for game in played for line in _forfeits(series, game)]
    for line in forfeits:
        print_line(line, to_stderr=True)
    spreads = {power: spread_of(played, power, system) for power in powers}
    if as_json:
        shown = {"games": games, "endings": endings_of(played), "powers": spreads}
        print_line(msgspec.json.encode(shown).decode())
    else:
        _print_table(variant, played, spreads)
    if forfeits:
        raise SystemExit(failures.FAILED)


def _played(series: GameSeries, report: GameReport, keep: Path | None) -> PlayedGame:
    """Return how a game ended; raises `CommandError` if it did not."""
    outcome = report.outcome
    if report.record is None or not isinstance(outcome, PlayedGame):
        reason = getattr(outcome, "reason", "was broken off")
        raise failures.CommandError(f"game {outcome.game}: {reason}")
    if keep is not None:
        series.keep(report, keep)
    return outcome


def _forfeits(series: GameSeries, game: PlayedGame) -> Iterator[str]:
    for seat in game.seats:
        if seat.forfeit is not None:
            bot = f"{series.programs[seat.bot].name} ({seat.power})"
            yield f"game {game.game}: {bot} forfeited: {seat.forfeit.reason}"


def distribution(values: Sequence[float]) -> Distribution:
    """Return mean and quantiles of *values*, at least one: Hyndman and Fan's type 7."""
    if len(values) == 1:
        (value,) = values
        return Distribution(value, value, value, value)
    cuts = quantiles(values, n=TWENTIETHS, method="inclusive")
    return Distribution(fmean(values), cuts[0], cuts[TWENTIETHS // 2 - 1], cuts[-1])


def spread_of(games: Sequence[PlayedGame], power: Power, system: str) -> PowerSpread:
    """Return the results of *power* in *games*, of which there must be at least one."""
    results = [game.result for game in games]
    ends = [result.end_of(power) for result in results]
    centres = [result.centres[power] for result in results]
    scores = [float(score(points(system, result))[power]) for result in results]
    return PowerSpread(
        centres=distribution(centres),
        scores=distribution(scores),
        solos=ends.count(SeatEnd.WIN) / len(games),
        draws=ends.count(SeatEnd.DRAW) / len(games),
        shared=ends.count(SeatEnd.SHARED) / len(games),
        eliminations=centres.count(0) / len(games),
    )


def endings_of(games: Sequence[PlayedGame]) -> Mapping[str, int]:
    """Return the number of *games* for each ending, the most frequent first."""
    return dict(Counter(game.ending for game in games).most_common())


def _print_table(
    variant: Variant, games: Sequence[PlayedGame], spreads: Mapping[Power, PowerSpread]
) -> None:
    counts = endings_of(games).items()
    endings = ", ".join(f"{count} {ending}" for ending, count in counts)
    print_line(f"{variant.start.turn}, {len(games)} games: {endings}")
    rows = table("Power", *NUMBERS, numbers=NUMBERS)
    for power, spread in spreads.items():
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

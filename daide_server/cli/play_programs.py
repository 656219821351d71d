"""Games of bots that are named on a command line, as `play` and `branch` play them."""

import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import as_completed
from pathlib import Path
from random import Random

import click
import trio
from attrs import Factory, evolve, frozen

from daide_server.board.map import Variant
from daide_server.board.names import Power
from daide_server.library import archive, variants
from daide_server.records.record import Ending
from daide_server.server.making import begun, resolve_start, run_name
from daide_server.server.settings import TABLE, ServerSettings
from daide_server.tournament import game_outcomes
from daide_server.tournament.chance import SEED_BITS
from daide_server.tournament.run import bot_program, bot_settings, errors, play_game
from daide_server.tournament.run.executors import open_executor
from daide_server.tournament.run.game_task import (
    GameReport,
    GameTask,
    dealt,
    is_slow_start,
    write_logs,
)
from daide_server.tournament.run.prctl import processors
from daide_server.tournament.run.worker import WorkerError, play_task
from daide_server.usage import usage_text

from .common.failures import FAILED, CommandError, writing
from .common.printing import print_line
from .common.progress import Progress


def at_start(settings: ServerSettings) -> tuple[ServerSettings, Variant]:
    """Return *settings* with the position of their start, and the board that has it."""
    variant = variants.find_variant(settings.board.variant)
    settings = resolve_start(settings, variant)
    return settings, begun(settings, variant)


def programs_of(
    words: Sequence[str], seats: int, passed: tuple[str, ...], sandbox: str
) -> tuple[bot_settings.BotSettings, ...]:
    """Return the bots, with environment variables *passed* (or all) and *sandbox*.

    Raises `click.UsageError` if there is no such bot, or not one for each of *seats*;
    `RunningError` if a program does not exist, or the sandbox is not available.
    """
    try:
        programs = bot_settings.read_bots(words)
    except errors.BotWordsError as error:
        raise click.UsageError(f"bot: {error}") from error
    if len(programs) != seats:
        raise click.UsageError(f"--bots: found {len(programs)} bots, expected {seats}")
    names = passed or (bot_program.EVERYTHING,)
    programs = tuple(
        evolve(program, pass_variables=names, sandbox=sandbox) for program in programs
    )
    for program in programs:
        bot_settings.expect_there(program)
        bot_program.sandbox_of(program)
    return programs


@frozen
class GameSeries:
    """Games of the same bots; `run` begins the names of their records."""

    settings: ServerSettings
    variant: Variant
    programs: Sequence[bot_settings.BotSettings]
    seed: int
    logs: str = "none"
    run: str = Factory(run_name)

    def task(self, number: int, powers: Iterable[Power], chance: Random) -> GameTask:
        """Return the task of game *number*, in which the bots get *powers* in turn."""
        seats = dealt(powers, self.programs, chance)
        return GameTask(
            self.run,
            game_outcomes.Attempt(number, 1),
            tuple(seats[power] for power in self.variant.map.powers),
            self.seed,
            TABLE.saved(self.settings),
            logs=self.logs,
        )

    def keep(self, report: GameReport, folder: Path) -> Path | None:
        """Write the record of a game into *folder*; `None` if it has none."""
        if report.record is None:
            return None
        path = folder / f"{self.run}-{report.outcome.game:06}.json"
        with writing(path):
            archive.replace(path, report.record)
        return path


def reports_of(tasks: Sequence[GameTask]) -> Iterator[GameReport]:
    """Yield the reports of *tasks* as they end, played on all processors."""
    workers = min(processors(), len(tasks))
    with open_executor(bot_settings.LOCAL_EXECUTOR, workers, Path()) as opened:
        submit = opened.executor.submit
        try:
            # Nothing else holds the reports, which may be large.
            for done in as_completed(submit(_report_of, task) for task in tasks):
                yield done.result()
        finally:
            opened.executor.shutdown(wait=False, cancel_futures=True)


def _report_of(task: GameTask) -> GameReport:
    try:
        report = play_task(task)
        return play_task(_alone(task)) if is_slow_start(report.outcome) else report
    except WorkerError as error:
        raise CommandError(f"game {task.attempt.game}: {error}") from error


def _alone(task: GameTask) -> GameTask:
    return evolve(task, is_alone=True)


def play_programs(
    settings: ServerSettings,
    variant: Variant,
    programs: Sequence[bot_settings.BotSettings],
    games: int,
    logs: Path | None = None,
) -> int:
    """Play *games*, and print their results; return the exit code.

    Their logs are kept in the folder *logs*, if given. The exit code is 1 if a game was
    void, or a bot did not take its seat.

    Raises `ArchiveError` if records cannot be written.
    """
    records = Path(settings.service.records)
    archive.ready(records)
    if logs is not None:
        archive.ready(logs, "logs")
    seed = settings.chance.seed
    seed = secrets.randbelow(1 << SEED_BITS) if seed is None else seed
    kept = "none" if logs is None else "all"
    series = GameSeries(settings, variant, programs, seed, kept)
    tasks = [_drawn_task(series, number) for number in range(1, games + 1)]
    progress = Progress(variant) if games == 1 else None
    reports = reports_of(tasks) if progress is None else _shown(tasks[0], progress)
    fine = [_conclude(series, report, logs, progress) for report in reports]
    if progress is None:
        print_line(f"records: {records}")
    if logs is not None:
        print_line(f"logs: {logs}")
    return 0 if all(fine) else FAILED


def _drawn_task(series: GameSeries, number: int) -> GameTask:
    chance = Random(f"{series.seed}-{number}")  # noqa: S311 - no secret
    powers = list(series.variant.map.powers)
    if series.settings.policy.seats == "random":
        chance.shuffle(powers)
    return series.task(number, powers, chance)


def _shown(task: GameTask, progress: Progress) -> Iterator[GameReport]:
    """Yield the report of *task*, which is shown while it runs."""
    with progress:
        report = trio.run(play_game.play, task, progress.read)
        if is_slow_start(report.outcome):
            report = trio.run(play_game.play, _alone(task), progress.read)
    yield report


def _conclude(
    series: GameSeries, report: GameReport, logs: Path | None, progress: Progress | None
) -> bool:
    """Store and print the result of a game; return whether all bots have played."""
    outcome, number = report.outcome, report.outcome.game
    if logs is not None:
        folder = logs / f"{series.run}-{number:06}"
        with writing(folder):
            write_logs(report, folder)
    path = series.keep(report, Path(series.settings.service.records))
    if not isinstance(outcome, game_outcomes.PlayedGame):
        if isinstance(outcome, game_outcomes.VoidGame):
            print_line(f"game {number} is void: {outcome.reason}", to_stderr=True)
        return False
    names = {at: program.name for at, program in enumerate(series.programs)}
    if progress is None:
        print_line(f"game {number}: {_result_text(outcome, names)}")
    else:
        progress.record = path
        progress.conclude()
    for seat in outcome.seats:
        _print_trouble(f"game {number}: {names[seat.bot]} ({seat.power})", seat)
    # A bot that crashes later has played; one without a turn never did.
    return all(seat.forfeit is None or seat.forfeit.turn for seat in outcome.seats)


def _print_trouble(bot: str, seat: game_outcomes.SeatOutcome) -> None:
    """Print whether *bot* forfeited or never ordered, and the usage it reported."""
    if seat.forfeit is not None:
        print_line(f"{bot} {seat.forfeit.sentence}", to_stderr=True)
        for line in seat.forfeit.output.splitlines()[-3:]:
            print_line(f"  {line}", to_stderr=True)
    if seat.never_ordered:
        print_line(f"{bot} never ordered", to_stderr=True)
    if seat.usage is not None:
        print_line(f"{bot} used {usage_text(seat.usage)}")


ENDINGS: Mapping[str, str] = {
    Ending.DRAW.value: "draw by vote",
    Ending.YEAR_LIMIT.value: "shared at the year limit",
    Ending.STALEMATE.value: "shared by stalemate",
}


def _result_text(played: game_outcomes.PlayedGame, names: Mapping[int, str]) -> str:
    """Return how a game ended, and the centres of each bot."""
    result = played.result
    ending = ENDINGS.get(played.ending, f"solo of {result.soloist}")
    centres = ", ".join(
        f"{seat.power} {names[seat.bot]} {result.centres[seat.power]}"
        for seat in played.seats
    )
    return f"{ending} in {result.last_year}: {centres}"

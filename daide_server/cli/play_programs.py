"""`daide-server play` with bots that are programs, or with several games."""

import os
import random
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import click
import trio
from attrs import evolve

from daide_server.app.making import run_name
from daide_server.app.settings import TABLE, ServerSettings
from daide_server.board.map import Variant
from daide_server.records.record import Ending
from daide_server.running.bot_program import EVERYTHING, box_of
from daide_server.running.bot_settings import BotSettings, expect_there, read_bots
from daide_server.running.errors import BotWordsError
from daide_server.running.game_task import (
    GameReport,
    GameTask,
    dealt,
    is_slow_start,
    write_logs,
)
from daide_server.running.play_game import play
from daide_server.storage.archive import ready, replace
from daide_server.tournament.chance import SEED_BITS
from daide_server.tournament.game_outcomes import (
    Attempt,
    PlayedGame,
    SeatOutcome,
    VoidGame,
)
from daide_server.usage import usage_text

from .common.failures import FAILED, writing
from .common.printing import print_line
from .common.progress import Progress, progress_of, shown_by


def programs_of(
    words: Sequence[str], seats: int, passed: tuple[str, ...], sandbox: str
) -> tuple[BotSettings, ...]:
    """Return the bots, which get the variables *passed*, or else all, and a box.

    Ends the command with usage error 2 if there is no such bot, or not one for each
    of *seats*. Raises `RunningError` if a program is not there, or a box cannot be had.
    """
    try:
        programs = read_bots(words)
    except BotWordsError as error:
        message = f"bot: {error}"
        raise click.UsageError(message) from error
    if len(programs) != seats:
        message = f"--bots: found {len(programs)} bots, expected {seats}"
        raise click.UsageError(message)
    names = passed or (EVERYTHING,)
    programs = tuple(
        evolve(program, pass_variables=names, sandbox=sandbox) for program in programs
    )
    for program in programs:
        expect_there(program)
        box_of(program)
    return programs


def play_programs(
    settings: ServerSettings,
    variant: Variant,
    programs: Sequence[BotSettings],
    games: int,
    logs: Path | None = None,
) -> int:
    """Play *games*, and print what became of them; return the exit code.

    Their logs are kept in the folder *logs*, if given. The exit code is 1 if a game was
    void, or a bot did not take its seat.

    Raises `ArchiveError` if records cannot be written where they should be.
    """
    records = Path(settings.service.records)
    ready(records)
    if logs is not None:
        ready(logs, "logs")
    session = _Session(settings, variant, programs, records, logs)
    if games == 1:
        return trio.run(session.play_one)
    return trio.run(session.play_many, games)


class _Session:
    """Games of the same bots, with other seats in each."""

    def __init__(
        self,
        settings: ServerSettings,
        variant: Variant,
        programs: Sequence[BotSettings],
        records: Path,
        logs: Path | None,
    ) -> None:
        self._settings: Final = settings
        self._variant: Final = variant
        self._programs: Final = programs
        self._records: Final = records
        self._logs: Final = logs
        self._run: Final = run_name()
        given = settings.chance.seed
        self._seed: Final = (
            secrets.randbelow(1 << SEED_BITS) if given is None else given
        )
        self._is_as_wished = True

    async def play_one(self) -> int:
        """Play one game, and show it."""
        progress = progress_of(self._variant)
        with progress:
            report = await self._play(1, progress)
        self._keep(report, progress)
        if isinstance(report.outcome, PlayedGame):
            progress.conclude()
        self._print_trouble(report)
        self._print_logs()
        return self._exit_code

    async def play_many(self, games: int) -> int:
        """Play *games*, as many at the same time as there are processors."""
        limiter = trio.CapacityLimiter(os.cpu_count() or 1)
        async with trio.open_nursery() as nursery:
            for number in range(1, games + 1):
                nursery.start_soon(self._play_listed, number, limiter)
        print_line(f"records: {self._records}")
        self._print_logs()
        return self._exit_code

    async def _play_listed(self, number: int, limiter: trio.CapacityLimiter) -> None:
        async with limiter:
            report = await self._play(number)
        self._keep(report)
        if isinstance(report.outcome, PlayedGame):
            print_line(f"game {number}: {_result_text(report.outcome, self._names)}")
        self._print_trouble(report)

    @property
    def _exit_code(self) -> int:
        return 0 if self._is_as_wished else FAILED

    @property
    def _names(self) -> Mapping[int, str]:
        return {number: each.name for number, each in enumerate(self._programs)}

    async def _play(self, number: int, progress: Progress | None = None) -> GameReport:
        watching = None if progress is None else shown_by(progress)
        task = self._task(number)
        report = await play(task, watching)
        if is_slow_start(report.outcome):
            report = await play(evolve(task, is_alone=True), watching)
        return report

    def _task(self, number: int) -> GameTask:
        chance = random.Random(f"{self._seed}-{number}")  # noqa: S311 - no secret
        powers = list(self._variant.map.powers)
        if self._settings.policy.seats == "random":
            chance.shuffle(powers)
        seats = dealt(powers, self._programs, chance)
        return GameTask(
            self._run,
            Attempt(number, 1),
            tuple(seats[power] for power in self._variant.map.powers),
            self._seed,
            TABLE.saved(self._settings),
            logs="none" if self._logs is None else "all",
        )

    def _keep(self, report: GameReport, progress: Progress | None = None) -> None:
        """Write the logs of a game, and its record if it was played."""
        if self._logs is not None:
            folder = self._logs / f"{self._run}-{report.outcome.game:06}"
            with writing(folder):
                write_logs(report, folder)
        if report.record is None:
            return
        path = self._records / f"{self._run}-{report.outcome.game:06}.json"
        with writing(path):
            replace(path, report.record)
        if progress is not None:
            progress.record = path

    def _print_logs(self) -> None:
        if self._logs is not None:
            print_line(f"logs: {self._logs}")

    def _print_trouble(self, report: GameReport) -> None:
        match report.outcome:
            case PlayedGame(game=game, seats=seats):
                for seat in seats:
                    self._print_forfeit(game, seat)
                    self._print_notes(game, seat)
            case VoidGame(game=game, reason=reason):
                self._is_as_wished = False
                print_line(f"game {game} is void: {reason}", to_stderr=True)
            case _:
                self._is_as_wished = False

    def _print_notes(self, game: int, seat: SeatOutcome) -> None:
        """Print that a bot never ordered, and what it said that it used."""
        bot = f"game {game}: {self._names[seat.bot]} ({seat.power})"
        if seat.never_ordered:
            print_line(f"{bot} never ordered", to_stderr=True)
        if seat.usage is not None:
            print_line(f"{bot} used {usage_text(seat.usage)}")

    def _print_forfeit(self, game: int, seat: SeatOutcome) -> None:
        if seat.forfeit is None:
            return
        # A bot that crashes later has played; one without a turn never did.
        self._is_as_wished &= bool(seat.forfeit.turn)
        when = f" in {seat.forfeit.turn}" if seat.forfeit.turn else ""
        bot = f"{self._names[seat.bot]} ({seat.power})"
        reason = seat.forfeit.reason
        print_line(f"game {game}: {bot} forfeited{when}: {reason}", to_stderr=True)
        for line in seat.forfeit.output.splitlines()[-3:]:
            print_line(f"  {line}", to_stderr=True)


ENDINGS: Final[Mapping[str, str]] = {
    Ending.DRAW.value: "draw by vote",
    Ending.YEAR_LIMIT.value: "shared at the year limit",
    Ending.STALEMATE.value: "shared by stalemate",
}


def _result_text(played: PlayedGame, names: Mapping[int, str]) -> str:
    """Return how a game ended, and the centres of each bot."""
    result = played.result
    ending = ENDINGS.get(played.ending, f"solo of {result.soloist}")
    centres = ", ".join(
        f"{seat.power} {names[seat.bot]} {result.centres[seat.power]}"
        for seat in played.seats
    )
    return f"{ending} in {result.last_year}: {centres}"

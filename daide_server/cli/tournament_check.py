"""`daide-server tournament check` and `again`: games that do not count."""

from collections.abc import Sequence
from pathlib import Path

import click
import trio

from daide_server.tournament.game_outcomes import PlayedGame
from daide_server.tournament.run import scheduler, tournament_state, worker
from daide_server.tournament.run.bot_check import BotCheck, check_bot
from daide_server.tournament.run.errors import RunningError
from daide_server.tournament.run.tournament_file import TournamentFile

from .common.failures import CommandError
from .common.option_types import WholeNumber, folder_argument
from .common.printing import print_line
from .tournament_table import duration


@click.command("check")
@folder_argument
@click.option(
    "--bot", "names", multiple=True, help="Check only this bot; may be repeated."
)
def command(folder: Path, names: tuple[str, ...]) -> None:
    """Start each bot once, in a short game with bots that hold.

    The exit code is 1 if a bot cannot play; warnings do not count.
    """
    state = tournament_state.look_at(folder)
    state.close()
    tournament_state.check_limits(state.file, state.plan)
    known = [bot.name for bot in state.file.bots]
    unknown = [name for name in names if name not in known]
    if unknown:
        message = f"--bot: found {unknown[0]!r}, expected one of {', '.join(known)}"
        raise click.UsageError(message)
    checks = trio.run(_check_all, state.file, names or known)
    raise SystemExit(0 if all(check.can_play for check in checks) else 1)


async def _check_all(file: TournamentFile, names: Sequence[str]) -> list[BotCheck]:
    checks = []
    for program in file.programs():
        if program.name in names:
            check = await check_bot(program, file.game_settings())
            _print(check)
            checks.append(check)
    return checks


def _print(check: BotCheck) -> None:
    times = check.longest_seconds
    longest = f", longest turn {duration(times)}" if times is not None else ""
    version = f" {check.version}" if check.version else ""
    verdict = "can play" if check.can_play else "cannot play"
    sandbox = f", sandbox {check.sandbox}" if check.sandbox else ""
    print_line(f"{check.name}{version}: {verdict}{longest}{sandbox}")
    for finding in check.findings:
        kind = "warning: " if finding.is_warning else ""
        first, *more = finding.text.split("\n")
        print_line(f"  {kind}{first}")
        for line in more:
            print_line(f"    {line}")


@click.command("again")
@folder_argument
@click.argument("game", type=WholeNumber(1))
def again(folder: Path, game: int) -> None:
    """Play GAME once more with the same bots, seats and seeds, and compare.

    Nothing is stored. Bots that measure time or draw without their seed play another
    game; the exit code is 1 then.
    """
    state = tournament_state.look_at(folder)
    state.refuse_changes()
    before = state.ledger.played.get(game)
    if before is None:
        raise RunningError(f"{folder}: found no result of game {game}, expected one")
    after = worker.play_once(scheduler.task_again(state, before)).outcome
    state.close()
    if not isinstance(after, PlayedGame):
        raise CommandError(f"game {game}: {getattr(after, 'reason', 'was broken off')}")
    for seat in before.seats:
        power = seat.power
        name = state.plan.description.bots[seat.bot].name
        centres = before.result.centres[power], after.result.centres[power]
        print_line(f"{power} {name}: {centres[0]} centres, again {centres[1]}")
    is_same = before.result == after.result
    print_line("the same result" if is_same else "another result")
    raise SystemExit(0 if is_same else 1)

"""`daide-server tournament again`: play one game once more, and compare."""

from pathlib import Path

import click

from daide_server.running.errors import TournamentFolderError
from daide_server.running.game_tasks import play_once, task_again
from daide_server.running.tournament_state import look_at
from daide_server.tournament.game_outcomes import PlayedGame

from .failures import CommandError
from .option_types import WholeNumber
from .printing import print_line
from .tournament_options import folder_argument


@click.command("again")
@folder_argument
@click.argument("game", type=WholeNumber(1))
def command(folder: Path, game: int) -> None:
    """Play GAME once more with the same bots, seats and seeds, and compare.

    Nothing is stored. Bots that measure time or draw without their seed play another
    game; the exit code is 1 then.
    """
    state = look_at(folder)
    state.refuse_changes()
    before = state.ledger.played.get(game)
    if before is None:
        message = f"{folder}: found no result of game {game}, expected one"
        raise TournamentFolderError(message)
    after = play_once(task_again(state, before)).outcome
    state.close()
    if not isinstance(after, PlayedGame):
        message = f"game {game}: {getattr(after, 'reason', 'was broken off')}"
        raise CommandError(message)
    for seat in before.seats:
        power = seat.power
        name = state.plan.description.bots[seat.bot].name
        centres = before.result.centres[power], after.result.centres[power]
        print_line(f"{power} {name}: {centres[0]} centres, again {centres[1]}")
    is_same = before.result == after.result
    print_line("the same result" if is_same else "another result")
    raise SystemExit(0 if is_same else 1)

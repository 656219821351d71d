"""What can be said of a plan before it is played: what would never fit."""

from collections import Counter

from daide_server.tournament.description import DescriptionError
from daide_server.tournament.plan import Plan

from .executors import LOCAL_EXECUTOR
from .tournament_file import TournamentFile


def check_limits(file: TournamentFile, plan: Plan, executor: str = "") -> None:
    """Raise `DescriptionError` if *plan* cannot be played as *file* says.

    *executor* is the one that was asked for; else that of the file.
    """
    _check_at_once(file, plan)
    if (executor or file.settings.run.executor) == LOCAL_EXECUTOR:
        return
    for bot in file.bots:
        if bot.environment:
            message = (
                f"bot {bot.name}: environment: values do not leave this machine; set "
                f"them where the workers run, and name them in pass"
            )
            raise DescriptionError(message)


def _check_at_once(file: TournamentFile, plan: Plan) -> None:
    """Refuse a bot of which a game needs more copies than there may be."""
    limited = {at: bot for at, bot in enumerate(file.bots) if bot.at_once}
    for game in plan.all_games() if limited else ():
        for at, copies in Counter(game.bots).items():
            if at in limited and copies > limited[at].at_once:
                found = limited[at].at_once
                message = (
                    f"bot {limited[at].name}: at_once: found {found}, expected {copies}"
                    f" or more, because game {game.number} has {copies} copies of it"
                )
                raise DescriptionError(message)

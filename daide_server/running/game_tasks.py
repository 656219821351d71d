"""What a worker is given for an attempt at a game."""

from daide_server.tournament.game_outcomes import Attempt

from .game_task import GameTask, SeatTask
from .tournament_state import TournamentState


def task_for(
    state: TournamentState, attempt: Attempt, *, is_alone: bool = False
) -> GameTask:
    """Return the task of *attempt*: everything but the attempt follows from the plan.

    Bots that are benched by now are replaced by ones that hold.
    """
    plan, file = state.plan, state.file
    planned, programs = plan.game(attempt.game), file.programs()
    benched, powers = state.ledger.benched, plan.description.powers
    seats = tuple(
        SeatTask(power, bot, programs[bot], seed, stand_in=bot in benched)
        for power, bot, seed in zip(
            powers, planned.bots, planned.bot_seeds, strict=True
        )
    )
    return GameTask(
        tournament=plan.description.name,
        attempt=attempt,
        seats=seats,
        seed=planned.seed,
        game=file.game_settings(),
        is_alone=is_alone,
        limits=file.settings.limits,
        logs=file.settings.logs.keep,
    )

"""What a worker is given for an attempt, and one game that does not count."""

import time
from collections.abc import Mapping

from daide_server.tournament.game_outcomes import Attempt, PlayedGame

from .errors import RunningError
from .game_task import AT_FAULT, BENCHED, GameReport, GameTask, SeatTask
from .tournament_state import TournamentState
from .worker import Worker, WorkerError


def task_for(
    state: TournamentState, attempt: Attempt, *, is_alone: bool = False
) -> GameTask:
    """Return the task of *attempt*: everything but the attempt follows from the plan.

    Bots that are benched by now are replaced by ones that hold.
    """
    ledger = state.ledger
    benched = dict.fromkeys(sorted(ledger.benched), BENCHED)
    benched |= dict.fromkeys(ledger.deaths.at_fault, AT_FAULT)
    return _task(state, attempt, benched, is_alone=is_alone)


def trial_of(state: TournamentState, bot: int) -> GameTask:
    """Return the task of starting *bot* once, in the first seat of a game."""
    seat = SeatTask(
        state.plan.description.powers[0], bot, state.file.programs()[bot], 0
    )
    file = state.file
    return GameTask(
        tournament=state.plan.description.name,
        attempt=Attempt(0, 1),
        seats=(seat,),
        seed=0,
        game=file.game_settings(),
        is_trial=True,
        limits=file.settings.limits,
        logs="none",
    )


def untried_bots(state: TournamentState) -> set[int]:
    """Return the bots that are commands and have not played yet, but may."""
    ledger = state.ledger
    played = {seat.bot for game in ledger.played.values() for seat in game.seats}
    commands = {at for at, bot in enumerate(state.file.bots) if bot.command}
    return commands - played - ledger.benched - set(state.file.retired)


def task_again(state: TournamentState, played: PlayedGame) -> GameTask:
    """Return the task of a game that was *played*, with the bots that it had.

    Those that were benched then are replaced, and no others.
    """
    forfeits = {seat.bot: seat.forfeit for seat in played.seats if seat.forfeit}
    reasons = {bot: forfeit.reason for bot, forfeit in forfeits.items()}
    benched = {bot: why for bot, why in reasons.items() if why in {BENCHED, AT_FAULT}}
    return _task(state, Attempt(played.game, played.attempt), benched)


def _task(
    state: TournamentState,
    attempt: Attempt,
    benched: Mapping[int, str],
    *,
    is_alone: bool = False,
) -> GameTask:
    plan, file = state.plan, state.file
    planned, programs = plan.game(attempt.game), file.programs()
    seats = tuple(
        SeatTask(power, bot, programs[bot], seed, benched.get(bot, ""))
        for power, bot, seed in zip(
            plan.description.powers, planned.bots, planned.bot_seeds, strict=True
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


def play_once(task: GameTask) -> GameReport:
    """Return the report of *task*, played here and not stored.

    Raises `RunningError` if it cannot be played.
    """
    worker = Worker()
    try:
        return worker.play(task)
    except WorkerError as error:
        message = f"game {task.attempt.game}: {error}"
        raise RunningError(message) from error
    finally:
        worker.stop()


def timed_game(state: TournamentState) -> float:
    """Return how many seconds the first game takes."""
    began = time.monotonic()
    play_once(task_for(state, Attempt(1, 1)))
    return time.monotonic() - began

"""`daide-server tournament plan`: what will be played."""

import time
from math import ceil, sqrt
from pathlib import Path
from statistics import fmean

import click
from rich.table import Table

from daide_server.tournament import designs, game_outcomes, intervals, standings
from daide_server.tournament.pairs import difference_deviation
from daide_server.tournament.plan import Plan
from daide_server.tournament.run import prctl, scheduler, worker
from daide_server.tournament.run.tournament_state import (
    TournamentState,
    check_limits,
    look_at,
)

from .common.option_types import detect_option, folder_argument, power_option
from .common.printing import print_line
from .common.styled_output import add_row, print_styled, table
from .tournament_table import duration


@click.command("plan")
@folder_argument
@click.option(
    "--time", "is_timed", is_flag=True, help="Play the first game to time it."
)
@detect_option
@power_option
def command(
    folder: Path, *, is_timed: bool, detect: float | None, power: float
) -> None:
    """Show the games that will be played: balance, time, and intervals to expect.

    Times and widths are those of the games that were played; before there are any,
    widths are those of a usual field, and --time plays a game that does not count.
    """
    state = look_at(folder)
    state.refuse_changes()
    check_limits(state.file, state.plan)
    if state.plan.description.is_ladder:
        decided = state.plan.games
        print_line(f"a ladder: {decided} games decided so far, and no end")
    else:
        _print_plan(state.plan)
        _print_widths(state)
        _print_time(state, is_timed=is_timed)
        if detect is not None:
            print_detection(state, detect, power, is_timed=is_timed)
    state.close()


def print_detection(
    state: TournamentState, detect: float, power: float, *, is_timed: bool
) -> None:
    """Print how many games find a difference of *detect*, and how long they take."""
    seen = difference_deviation(state.ledger)
    deviation = sqrt(2) * intervals.TYPICAL_DEVIATION if seen is None else seen
    shared = intervals.games_to_detect(detect, power, deviation)
    games = ceil(shared / state.plan.design.pair_share)
    block = state.plan.design.cycle_games // len(state.plan.design.blocks)
    games = block * ceil(games / block)
    source = "a usual field" if seen is None else "the games so far"
    seconds = _seconds(state, is_timed=is_timed)
    takes = "" if seconds is None else f", {duration(seconds * games / _slots(state))}"
    print_line(
        f"a difference of {detect:g} is found with a chance of {power:g} by {games} "
        f"games{takes}: {shared} that compare two bots, whose differences vary by "
        f"{deviation:.3f} in {source}"
    )


def _print_plan(plan: Plan) -> None:
    counts, described = plan.balance(), plan.description
    names = [bot.name for bot in described.bots]
    asked = described.design.games
    rounded = f", rounded up from {asked}" if plan.games != asked else ""
    print_line(f"{plan.games} games in {plan.blocks} blocks{rounded}")
    print_line()
    print_styled(_powers_table(plan, counts, names))
    print_line()
    if len(names) > 1:
        print_styled(_meetings_table(counts, names))
        print_line()
    if described.design.kind == "one-against-six":
        print_line("who stands alone has every power equally often: yes")
    else:
        print_line(f"largest imbalance: {counts.largest_imbalance} games")
        _print_balance(plan, counts)


def _print_balance(plan: Plan, counts: designs.Balance) -> None:
    pairs, everything = designs.games_to_balance(plan.design)
    for words, games, is_so in (
        ("every pair of bots meets equally often", pairs, counts.is_pair_balanced),
        (
            "every two bots have every two powers equally often",
            everything,
            counts.is_fully_balanced,
        ),
    ):
        reached = "never" if games is None else f"after {games} games"
        print_line(f"{words}: {'yes' if is_so else 'no'} ({reached})")


def _powers_table(plan: Plan, counts: designs.Balance, names: list[str]) -> Table:
    powers = plan.description.powers
    made = table("bot", "games", *powers, numbers={"games", *powers})
    for bot, name in enumerate(names):
        held = (str(counts.held[bot, seat]) for seat in range(len(powers)))
        add_row(made, (name, str(counts.per_bot[bot]), *held))
    return made


def _meetings_table(counts: designs.Balance, names: list[str]) -> Table:
    made = table("meets", *names, numbers=names)
    for bot, name in enumerate(names):
        met = (
            "" if bot == other else str(counts.met[min(bot, other), max(bot, other)])
            for other in range(len(names))
        )
        add_row(made, (name, *met))
    return made


def _print_widths(state: TournamentState) -> None:
    print_line()
    seen = standings.score_deviation(standings.tally_blocks(state.ledger))
    deviation = intervals.TYPICAL_DEVIATION if seen is None else seen
    source = "a usual field" if seen is None else "the games so far"
    for games in sorted({42, 420, 4200, state.plan.games}):
        width = intervals.expected_half_width(games, deviation)
        print_line(f"expected 95 % interval after {games} games: +- {width:.3f}")
    print_line(f"  of a bot whose scores vary by {deviation:.3f}, as in {source}")


def _print_time(state: TournamentState, *, is_timed: bool) -> None:
    seconds = _seconds(state, is_timed=is_timed)
    if seconds is None:
        return
    left, slots = sum(1 for _ in state.ledger.to_play()), _slots(state)
    rest = f"{duration(seconds * left / slots)} for {left} games"
    rest = rest if left else "nothing left to play"
    print_line(f"time: {duration(seconds)} a game, {slots} at the same time, {rest}")


def _slots(state: TournamentState) -> int:
    """Return how many games are played at the same time on this machine."""
    return state.file.settings.design.at_once or prctl.processors()


def _seconds(state: TournamentState, *, is_timed: bool) -> float | None:
    """Return the seconds of a game; `None` if no game was played to measure it."""
    attempts = state.store.attempts() if state.store else ()
    played = [
        each.seconds
        for each in attempts
        if each.kind == "played" and each.seconds is not None
    ]
    if played:
        return fmean(played)
    if not is_timed:
        return None
    began = time.monotonic()
    worker.play_once(scheduler.task_for(state, game_outcomes.Attempt(1, 1)))
    return time.monotonic() - began

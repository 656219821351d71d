"""`daide-server tournament plan`: what will be played."""

from pathlib import Path
from statistics import median

import click
from rich.table import Table

from daide_server.running.plan_limits import check_limits
from daide_server.running.timed_game import timed_game
from daide_server.running.tournament_state import TournamentState, look_at
from daide_server.tournament.balance import Balance
from daide_server.tournament.designs import games_to_balance
from daide_server.tournament.intervals import expected_half_width
from daide_server.tournament.plan import Plan

from .printing import print_line
from .run_display import duration
from .styled_output import add_row, print_styled, table
from .tournament_options import folder_argument


@click.command("plan")
@folder_argument
@click.option(
    "--time", "is_timed", is_flag=True, help="Play the first game to time it."
)
def command(folder: Path, *, is_timed: bool) -> None:
    """Show the games that will be played: balance, time, and intervals to expect.

    The time is that of the games that were played; before there are any, --time plays
    one, which does not count.
    """
    state = look_at(folder)
    state.refuse_changes()
    check_limits(state.file, state.plan)
    if state.plan.description.is_ladder:
        decided = state.plan.games
        print_line(f"a ladder: {decided} games decided so far, and no end")
    else:
        _print_plan(state.plan)
        _print_widths(state.plan)
        _print_time(state, is_timed=is_timed)
    state.close()


def _print_plan(plan: Plan) -> None:
    counts, described = plan.balance(), plan.description
    names = [bot.name for bot in described.bots]
    asked = described.design.games
    rounded = f", rounded up from {asked}" if plan.was_rounded else ""
    print_line(f"{plan.games} games in {plan.blocks} blocks{rounded}")
    print_line()
    print_styled(_powers_table(plan, counts, names))
    print_line()
    if len(names) > 1:
        print_styled(_meetings_table(counts, names))
        print_line()
    print_line(f"largest imbalance: {counts.largest_imbalance} games")
    _print_balance(plan, counts)


def _print_balance(plan: Plan, counts: Balance) -> None:
    when = games_to_balance(plan.design)
    for words, games, is_so in (
        ("every pair of bots meets equally often", when.pairs, counts.is_pair_balanced),
        (
            "every two bots have every two powers equally often",
            when.everything,
            counts.is_fully_balanced,
        ),
    ):
        reached = "never" if games is None else f"after {games} games"
        print_line(f"{words}: {'yes' if is_so else 'no'} ({reached})")


def _powers_table(plan: Plan, counts: Balance, names: list[str]) -> Table:
    powers = plan.description.powers
    made = table("bot", "games", *powers, numbers={"games", *powers})
    for bot, name in enumerate(names):
        held = map(str, counts.held[bot])
        add_row(made, (name, str(counts.per_bot[bot]), *held))
    return made


def _meetings_table(counts: Balance, names: list[str]) -> Table:
    made = table("meets", *names, numbers=names)
    for bot, name in enumerate(names):
        met = (
            ""
            if bot == other
            else str(counts.meetings[min(bot, other), max(bot, other)])
            for other in range(len(names))
        )
        add_row(made, (name, *met))
    return made


def _print_widths(plan: Plan) -> None:
    print_line()
    for games in sorted({42, 420, 4200, plan.games}):
        width = expected_half_width(games)
        print_line(f"expected 95 % interval after {games} games: +- {width:.3f}")


def _print_time(state: TournamentState, *, is_timed: bool) -> None:
    played = [
        each.seconds
        for each in (state.store.attempts() if state.store else ())
        if each.kind == "played" and each.seconds is not None
    ]
    seconds = median(played) if played else None
    if seconds is None and is_timed:
        seconds = timed_game(state)
    if seconds is None:
        return
    left = sum(1 for _ in state.ledger.to_play())
    slots = state.slots
    print_line(
        f"time: {duration(seconds)} a game, {slots} at once, "
        f"{duration(seconds * left / slots)} for {left} games"
    )

"""`daide-server tournament compare`: what two tournaments say of the same bots."""

from pathlib import Path

import click

from daide_server.running.errors import TournamentFolderError
from daide_server.running.tournament_state import TournamentState, look_at
from daide_server.tournament.description import changes
from daide_server.tournament.figures import Tally, tally_blocks
from daide_server.tournament.intervals import difference_interval

from .option_types import Folder
from .printing import print_line
from .styled_output import add_row, print_styled, table

COLUMNS = ("games", "score", "games", "score", "difference", "95 %")
NO_MATTER = ("name", "seed", "design.games", "stop.")
"""Keys that make no other field, and no other games."""


@click.command("compare")
@click.argument("one", type=Folder(), metavar="A")
@click.argument("other", type=Folder(), metavar="B")
def command(one: Path, other: Path) -> None:
    """Print how the bots that play in both A and B did in B, less in A.

    The interval is Welch's over the blocks of games, for one look; there is none with
    fewer than ten blocks. Scores compare only if both have the same field and rules, so
    the settings that differ are listed.
    """
    before, after = look_at(one), look_at(other)
    for state in (before, after):
        if state.plan.description.is_ladder:
            message = (
                f"{state.folder.path}: found a ladder, expected a tournament whose "
                "scores compare; ladders compare by anchors"
            )
            raise TournamentFolderError(message)
    found = changes(before.plan.description, after.plan.description)
    for change in found:
        if not change.key.startswith(NO_MATTER):
            print_line(f"differs: {change}")
    tallies, others = _by_name(before), _by_name(after)
    made = table("bot", *COLUMNS, numbers=set(COLUMNS))
    for name in tallies:
        if name in others:
            add_row(made, (name, *_cells(tallies[name], others[name])))
    print_styled(made)
    before.close()
    after.close()


def _by_name(state: TournamentState) -> dict[str, Tally]:
    """Return the sums of each bot that has a game in a finished block."""
    tallies = tally_blocks(state.ledger, state.figures_of)
    bots = zip(state.plan.description.bots, tallies, strict=True)
    return {bot.name: tally for bot, tally in bots if tally.games}


def _cells(before: Tally, after: Tally) -> tuple[str, ...]:
    first, then = before.score, after.score
    found = difference_interval(after.block_means, before.block_means)
    ends = f"{found.low:+.3f} to {found.high:+.3f}" if found else "-"
    rough = "~" if found is not None and found.is_rough else ""
    counts = (f"{before.games}", f"{first:.3f}", f"{after.games}", f"{then:.3f}")
    return (*counts, f"{then - first:+.3f}", f"{rough}{ends}")

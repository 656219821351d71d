"""`daide-server tournament report`, `publish`, `status` and `compare`: the results."""

import gc
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from daide_server.tournament import description, intervals, standings
from daide_server.tournament.run.errors import RunningError
from daide_server.tournament.run.tournament_state import TournamentState, look_at

from .common.failures import writing
from .common.option_types import Folder, folder_argument
from .common.printing import print_content, print_line
from .common.styled_output import add_row, print_styled, table
from .tournament_table import print_table

if TYPE_CHECKING:
    from daide_server.tournament.report.report_page import ReportFacts


@contextmanager
def lasting_objects() -> Iterator[None]:
    """Exempt the objects that are made in the block from garbage collection, for good.

    Modules, and the results of ten thousand games, are hundreds of thousands of objects
    that are all needed: collecting takes longer than making them. Not for work that is
    repeated in a process: its garbage would stay, too.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


@click.command("report")
@folder_argument
@click.option(
    "--output",
    type=Folder(),
    metavar="PATH",
    help="The folder to write.  [default: report in FOLDER]",
)
def command(folder: Path, output: Path | None) -> None:
    """Write index.html, standings.csv, games.csv, results.json and standings.md.

    Also while a run plays. The page is one file that needs no network.
    """
    # The template of its page is slow to import, and not for the table.
    from daide_server.tournament.report.report_tables import write_report  # noqa: PLC0415

    target = output or folder / "report"
    with lasting_objects(), closing(look_at(folder)) as state, writing(target):
        print_line(write_report(report_facts(state), target))


def report_facts(state: TournamentState) -> "ReportFacts":
    """Return the data of a report of *state*; raises `ScoringError`."""
    from daide_server.tournament.report.report_page import facts  # noqa: PLC0415

    return facts(
        state.ledger,
        state.store.outcomes(details=True) if state.store else None,
        state.folder,
        running=state.running,
        stopped=state.stopped,
    )


@click.command("publish")
@folder_argument
@click.argument("site", type=Folder(), metavar="SITE")
def publish_site(folder: Path, site: Path) -> None:
    """Write a static site into SITE: report, tables, and a replay of every game.

    It works from a folder and from any web server, and no link leads out of it. Press
    of the games is in it, logs are not.
    """
    # Its boards and templates are for this command alone.
    from daide_server.web.published import publish  # noqa: PLC0415

    with lasting_objects(), closing(look_at(folder)) as state, writing(site):
        games = publish(report_facts(state), state.file.variant, site)
    print_line(f"{site / 'index.html'}: written, with {games} games")


@click.command("status")
@folder_argument
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def status(folder: Path, *, as_json: bool) -> None:
    """Print the table of the stored games; also during a run."""
    with lasting_objects(), closing(look_at(folder)) as state:
        found = state.status()
    if as_json:
        print_content(standings.status_json(found) + b"\n")
    else:
        print_table(found)


COLUMNS = ("games", "score", "games", "score", "difference", "95 %")
IGNORED_KEYS = ("name", "seed", "design.games", "stop.")
"""Keys that change neither the field nor the games."""


@click.command("compare")
@click.argument("one", type=Folder(), metavar="A")
@click.argument("other", type=Folder(), metavar="B")
def compare(one: Path, other: Path) -> None:
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
            raise RunningError(message)
    found = description.changes(before.plan.description, after.plan.description)
    for key, change in found.items():
        if not key.startswith(IGNORED_KEYS):
            print_line(f"differs: {change}")
    tallies, others = _by_name(before), _by_name(after)
    made = table("bot", *COLUMNS, numbers=set(COLUMNS))
    for name in tallies:
        if name in others:
            add_row(made, (name, *_cells(tallies[name], others[name])))
    print_styled(made)
    before.close()
    after.close()


def _by_name(state: TournamentState) -> dict[str, standings.Tally]:
    """Return the tally of each bot that has a game in a finished block."""
    tallies = standings.tally_blocks(state.ledger)
    bots = zip(state.plan.description.bots, tallies, strict=True)
    return {bot.name: tally for bot, tally in bots if tally.games}


def _cells(before: standings.Tally, after: standings.Tally) -> tuple[str, ...]:
    first, then = before.score, after.score
    found = intervals.difference_interval(after.block_means, before.block_means)
    ends = f"{found.low:+.3f} to {found.high:+.3f}" if found else "-"
    rough = "~" if found is not None and found.is_rough else ""
    counts = (f"{before.games}", f"{first:.3f}", f"{after.games}", f"{then:.3f}")
    return (*counts, f"{then - first:+.3f}", f"{rough}{ends}")

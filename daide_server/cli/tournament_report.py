"""`daide-server tournament report`: the report for people and programs."""

from functools import partial
from pathlib import Path

import click

from daide_server.running.reporting.report_facts import ReportSource
from daide_server.running.reporting.report_files import write_report
from daide_server.running.tournament_state import TournamentState, look_at

from .failures import writing
from .lasting_objects import lasting_objects
from .option_types import Folder
from .printing import print_line
from .tournament_options import folder_argument


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
    with lasting_objects():
        state = look_at(folder)
        target = output or state.folder.report
        with writing(target):
            print_line(write_report(report_source(state), target))
        state.close()


def report_source(state: TournamentState) -> ReportSource:
    """Return the results of *state*, to be reported."""
    store = state.store
    return ReportSource(
        ledger=state.ledger,
        planned=state.planned,
        figures_of=state.figures_of,
        detailed=partial(store.outcomes, details=True) if store else None,
        home=state.folder,
        running=state.running,
        stopped=state.stopped,
    )

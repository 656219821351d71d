"""`daide-server tournament status`: the table, at any time."""

from pathlib import Path

import click

from daide_server.running.tournament_state import glance
from daide_server.tournament.standings import status_json

from .lasting_objects import lasting_objects
from .printing import print_bytes
from .run_display import print_table
from .tournament_options import folder_argument


@click.command("status")
@folder_argument
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(folder: Path, *, as_json: bool) -> None:
    """Print the table from what is stored, also while a run plays."""
    with lasting_objects():
        found = glance(folder)
    if as_json:
        print_bytes(status_json(found.status) + b"\n")
    else:
        print_table(found)

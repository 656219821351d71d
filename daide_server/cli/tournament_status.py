"""`daide-server tournament status`: the table, at any time."""

from pathlib import Path

import click

from daide_server.running.tournament_state import look_at
from daide_server.tournament.status_object import status_json

from .database_failures import database_failures
from .printing import print_bytes
from .tournament_options import folder_argument, store_option
from .tournament_play import print_state


@click.command("status")
@folder_argument
@store_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(folder: Path, store: str, *, as_json: bool) -> None:
    """Print the table from what is stored, also while a run plays."""
    with database_failures():
        state = look_at(folder, store)
        if as_json:
            print_bytes(status_json(state.status()) + b"\n")
        else:
            print_state(state)
        state.close()

"""`daide-server tournament publish`: a static site."""

from pathlib import Path

import click

from daide_server.running.tournament_state import look_at
from daide_server.web.published import publish

from .failures import writing
from .lasting_objects import lasting_objects
from .option_types import Folder
from .printing import print_line
from .tournament_options import folder_argument
from .tournament_report import report_source


@click.command("publish")
@folder_argument
@click.argument("site", type=Folder(), metavar="SITE")
def command(folder: Path, site: Path) -> None:
    """Write a static site into SITE: report, tables, and a replay of every game.

    It works from a folder and from any web server, and no link leads out of it. Press
    of the games is in it, logs are not.
    """
    with lasting_objects():
        state = look_at(folder)
        with writing(site):
            games = publish(report_source(state), state.file.variant, site)
        state.close()
    print_line(f"{site / 'index.html'}: written, with {games} games")

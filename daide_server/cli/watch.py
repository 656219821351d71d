"""`daide-server watch`: folders of records and tournaments as a web page."""

import traceback
from pathlib import Path

import click
import trio

from daide_server.app.settings import TABLE, read_file
from daide_server.settings.table import SettingsError

from .options import gather, given_options, setting_options
from .printing import print_line, print_warning

WATCH_SETTINGS = TABLE.read({"web": {"address": "127.0.0.1:8080"}}, "watch")
"""The page is always served."""
UNSEEN = "Running games can be followed at the page of `tournament run --web`."


@click.command()
@click.argument(
    "folders",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="FOLDER...",
    nargs=-1,
    required=True,
)
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Settings of [web] as TOML; other sections do not matter.",
)
@setting_options("web", defaults=TABLE.compose(WATCH_SETTINGS))
def command(folders: tuple[Path, ...], config: Path | None, **given: object) -> None:
    """Serve a web page of the games and tournaments in folders, without a server.

    Records of any format that `show` reads are found, also those that are added while
    it runs. A folder with a tournament.toml, or a folder of such folders, is shown with
    its table, also while it is played. An index is built in the background, in the
    folder or, if that cannot be written, in the user's cache folder; the page can be
    used meanwhile.

    \b
    Examples:
      daide-server watch records
      daide-server watch records cup --web 127.0.0.1:0
    """
    try:
        from_file = {} if config is None else read_file(config, print_warning)
    except SettingsError as error:
        raise click.UsageError(str(error)) from error
    settings = gather(WATCH_SETTINGS, from_file, given_options(given))
    # Imported here, because the help must not wait for the web server.
    from daide_server.app.watching import Watched, watch  # noqa: PLC0415
    from daide_server.running.shown_tournaments import (  # noqa: PLC0415
        ShownTournaments,
        tournament_folders,
    )

    cups = tournament_folders(folders)
    watched = Watched(
        tuple(dict.fromkeys((*folders, *cups))), ShownTournaments(cups, note=UNSEEN)
    )
    trio.run(watch, settings, watched, print_line, _report)


def _report(error: Exception) -> None:
    """Print an error of ours, which costs one answer, with where it was raised."""
    for line in traceback.format_exception(error):
        for part in line.splitlines():
            print_line(part, to_stderr=True)

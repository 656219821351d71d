"""`daide-server watch`: folders of records and tournaments as a web page."""

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

import click

from daide_server.library.journal_folder import is_journal
from daide_server.server.page import Page, PageTask
from daide_server.server.settings import TABLE

from .common.options import gather, given_options, read_config, setting_options
from .common.printing import print_line, print_warning

WATCH_SETTINGS = TABLE.read({"web": {"address": "127.0.0.1:8080"}}, "watch")
"""`watch` always serves the page."""


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
    help="Settings of [web] as TOML; other sections are ignored.",
)
@setting_options("web", defaults=TABLE.compose(WATCH_SETTINGS))
def command(folders: tuple[Path, ...], config: Path | None, **given: object) -> None:
    """Serve a web page of the games and tournaments in folders, without a server.

    A folder of journals, such as journal/127.0.0.1_16713, shows the running games of
    its server, even of one that was started without --web.

    Records of any format that `show` reads are found, including those that are added
    while it runs. A folder with a tournament.toml, or a folder of such folders, is
    shown with its table, even during a run. An index is built in the background, in the
    folder or, if that is not writable, in the user's cache folder; the page can be used
    meanwhile.

    \b
    Examples:
      daide-server watch records
      daide-server watch records cup --web 127.0.0.1:0
    """
    settings = gather(WATCH_SETTINGS, read_config(config), given_options(given))
    page = Page(settings, print_warning)
    # Imported here, because the help must not wait for the web server.
    from daide_server.web.process import serve_page  # noqa: PLC0415
    from daide_server.web.tournaments import tournament_folders  # noqa: PLC0415

    journals = [each for each in _with_inner(folders) if is_journal(each)]
    others = [each for each in folders if each not in journals]
    shown = PageTask(
        folders=tuple(map(str, others)),
        running=tuple(map(str, journals)),
        tournaments=tuple(map(str, tournament_folders(others))),
        note="Games on other machines appear when they are finished.",
    )
    serve_page(page.task(shown), partial(print_line, page.line))


def _with_inner(folders: Iterable[Path]) -> Iterator[Path]:
    for folder in folders:
        yield folder
        yield from sorted(each for each in folder.iterdir() if each.is_dir())

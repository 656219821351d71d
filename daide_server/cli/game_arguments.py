"""Games on a command line: read one by one; what cannot be read is told."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from daide_server.formats.errors import FormatError
from daide_server.records.record import GameRecord, RecordError
from daide_server.storage.game_files import Found, games_in, read_game

from .map_option import Boards


class Games:
    """The games in the files of a command; `clean` until one cannot be read."""

    def __init__(self, files: Iterable[str], boards: Boards) -> None:
        self.files = tuple(files)
        self.boards = boards
        self.clean = True

    def found(self) -> Iterator[Found]:
        """Yield the games that are there, unread."""
        for name in self.files:
            try:
                yield from games_in(Path(name))
            except OSError as error:
                self.complain(name, error.strerror or str(error))
            except FormatError as error:
                self.complain(name, str(error))

    def records(self) -> Iterator[tuple[str, GameRecord]]:
        """Yield the games that can be read, each with the name of its file."""
        for found in self.found():
            try:
                record = read_game(found, self.boards.find)
            except (FormatError, RecordError) as error:
                self.complain(str(found), str(error))
            else:
                yield click.format_filename(str(found)), record

    def complain(self, place: str, problem: str) -> None:
        """Tell what is wrong at *place*."""
        self.clean = False
        click.echo(f"{click.format_filename(place)}: {problem}", err=True)

    def exit(self) -> None:
        """End the command: with 1, if anything could not be read."""
        click.get_current_context().exit(0 if self.clean else 1)

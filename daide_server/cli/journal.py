"""`daide-server journal`: the running games in the journal of a server."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from daide_server.app.journal_games import JournalGame, games_of, record_of
from daide_server.game.journal_lines import encode
from daide_server.game.position_digest import PositionDigest
from daide_server.language.vocabulary import Vocabulary
from daide_server.records.entries import TurnTallied
from daide_server.storage.archive import replace, write_record
from daide_server.storage.journal_entries import decode_items
from daide_server.storage.journal_file import JournalFile, read_journal
from daide_server.storage.journal_frames import EntryKind, JournalEntry
from daide_server.storage.journal_lock import JournalLock

from .failures import FAILED, CommandError
from .option_types import WholeNumber
from .printing import print_line

FILE = click.Path(path_type=Path, dir_okay=False)
file_argument = click.argument("file", type=FILE)
games_argument = click.argument(
    "games", nargs=-1, type=WholeNumber(1), metavar="[GAME]..."
)
records_option = click.option(
    "--records",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("records"),
    show_default=True,
    help="Folder for the records.",
)


@click.group("journal")
def command() -> None:
    """Show, record and copy the running games of a server's journal.

    A journal is a file such as journal/127.0.0.1_16713.journal. All commands but `end`
    leave it as it is; the server may be running. The exit code is 1 if a game cannot be
    read.
    """


@command.command("list")
@file_argument
def list_games(file: Path) -> None:
    """List the games: number, record, turn, powers with a client."""
    problems = []
    for game in games_of(file):
        if game.found is None:
            problems.append(game)
            print_line(f"{game.number}: cannot be read: {game.problem}")
            continue
        state = game.found.game.state
        occupied = " ".join(sorted(state.seating.occupied))
        turn, stage = state.position.turn, state.stage.name.lower()
        record = game.found.identity.record
        print_line(f"{game.number}: {record}, {turn}, {stage}, clients: {occupied}")
    if problems:
        sys.exit(FAILED)


@command.command("show")
@file_argument
@games_argument
def show_events(file: Path, games: tuple[int, ...]) -> None:
    """Print what happened in games: seconds, client, and message as JSON."""
    with _chosen(file, games) as chosen:
        for game in chosen:
            print_line(f"== game {game.number}")
            assert game.variant is not None
            vocabulary = Vocabulary.of(game.variant.map)
            for item in decode_items(game.entries):
                if not isinstance(item, PositionDigest | TurnTallied):
                    print_line(json.dumps(encode(item, vocabulary)))


@command.command("record")
@file_argument
@games_argument
@records_option
def record_games(file: Path, games: tuple[int, ...], records: Path) -> None:
    """Write records of games as if they were broken off now."""
    with _chosen(file, games) as chosen:
        for game in chosen:
            print_line(write_record(record_of(game), records))


@command.command("end")
@file_argument
@games_argument
@records_option
def end_games(file: Path, games: tuple[int, ...], records: Path) -> None:
    """Record games as broken off, and drop them from the journal.

    The server must not be running.
    """
    with _chosen(file, games) as chosen:
        lock = JournalLock(file.with_name(file.name + ".lock"))
        try:
            with JournalFile(file) as journal:
                for game in chosen:
                    print_line(write_record(record_of(game), records))
                    number, count = game.number, len(game.entries)
                    over = JournalEntry(number, count, EntryKind.FORGOTTEN, b"")
                    journal.append([over])
                journal.sync()
        finally:
            lock.release()


@command.command("backup")
@file_argument
@click.argument("copy", type=FILE)
def back_up(file: Path, copy: Path) -> None:
    """Copy all that is committed; the server may be running."""
    _, content = read_journal(file)
    if copy.exists() and (copy.samefile(file) or not copy.is_file()):
        message = f"{copy}: expected a file other than the journal"
        raise CommandError(message)
    try:
        replace(copy, content, mode=0o600)
    except OSError as error:
        message = f"cannot write {copy}: {error.strerror}"
        raise CommandError(message) from None


@contextmanager
def _chosen(file: Path, numbers: tuple[int, ...]) -> Iterator[list[JournalGame]]:
    """Give the games of those numbers, or all that can be read.

    Raises `CommandError` if one of *numbers* is missing or cannot be read; without
    numbers, other games come first, and the exit code says so.
    """
    games = {int(game.number): game for game in games_of(file)}
    for number in numbers:
        if number not in games:
            known = ", ".join(map(str, games)) or "none"
            message = f"{file}: found no game {number}, expected one of: {known}"
            raise CommandError(message)
        if games[number].found is None:
            raise _unreadable(file, games[number])
    chosen = [games[number] for number in numbers or games]
    yield [game for game in chosen if game.found is not None]
    problems = [str(_unreadable(file, game)) for game in chosen if game.found is None]
    if problems:
        message = "\n".join(problems)
        raise CommandError(message)


def _unreadable(file: Path, game: JournalGame) -> CommandError:
    return CommandError(f"{file}: game {game.number}: cannot be read: {game.problem}")

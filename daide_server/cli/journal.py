"""`daide-server journal`: the running games in the journals of a server."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from attrs import frozen

from daide_server.game.journal import TurnDigest
from daide_server.library import archive, journal_file, journal_folder
from daide_server.library.journal_file import GameContent, JournalError
from daide_server.server.making import reason_of, record_of, replay_alone

from .common.failures import FAILED, CommandError
from .common.option_types import WholeNumber
from .common.printing import print_line

path_argument = click.argument(
    "path", type=click.Path(path_type=Path, exists=True, readable=False)
)
games_argument = click.argument(
    "games", nargs=-1, type=WholeNumber(1), metavar="[GAME]..."
)
records_option = click.option(
    "--records",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("records"),
    help="Folder for the records.",
)
variant_option = click.option(
    "--variant",
    metavar="BOARD",
    help="The board of the games, if it is not included in the program.",
)


@frozen
class FoundGame:
    """A journal of a game, or the reason why it cannot be read."""

    path: Path
    content: GameContent | None = None
    problem: str = ""

    @property
    def number(self) -> int:
        """Return the number of the game, 0 if it cannot be read."""
        return 0 if self.content is None else self.content.header.number

    @property
    def label(self) -> str:
        """Return the number of the game, or else the name of the file."""
        return self.path.name if self.content is None else str(self.number)


@click.group("journal")
def command() -> None:
    """Show, record and copy the running games of a server.

    PATH is the journal of a game, or a folder of journals such as
    journal/127.0.0.1_16713. All commands but `end` leave it as it is; the server may be
    running. The exit code is 1 if a game cannot be read.
    """


@command.command("list")
@path_argument
def list_games(path: Path) -> None:
    """List the games: number, record, turn, centres of the powers."""
    games = _games_of(path)
    for game in games:
        parts = [f"cannot be read: {game.problem}"] if game.problem else []
        if game.content is not None:
            parts = [game.content.header.record, _state_of(game.content), *parts]
        print_line(f"{game.label}: {', '.join(filter(None, parts))}")
    if any(game.problem for game in games):
        raise SystemExit(FAILED)


def _state_of(content: GameContent) -> str:
    """Return the state of a game, from its last digest."""
    entries = (line.entry for line in reversed(content.lines))
    digest = next((each for each in entries if isinstance(each, TurnDigest)), None)
    if digest is None:
        return "forming"
    centres = " ".join(
        f"{power} {count}" for power, count in sorted(digest.centres.items())
    )
    ending = f" {digest.ending}," if digest.ending else ""
    return f"{digest.turn},{ending} centres: {centres}"


@command.command("show")
@path_argument
@games_argument
def show_events(path: Path, games: tuple[int, ...]) -> None:
    """Print what happened in games, as it stands in their journals."""
    for game, content in _chosen(path, games):
        print_line(f"== game {game.label}")
        for line in content.raw:
            print_line(line.decode("utf-8", "replace").rstrip("\n"))


@command.command("record")
@path_argument
@games_argument
@records_option
@variant_option
def record_games(
    path: Path, games: tuple[int, ...], records: Path, variant: str | None
) -> None:
    """Write records of games as if they were broken off now.

    Those of damaged journals go up to the damage.
    """
    for game, content in _chosen(path, games, damaged=True):
        _record(game, content, records, variant)


@command.command("end")
@path_argument
@games_argument
@records_option
@variant_option
def end_games(
    path: Path, games: tuple[int, ...], records: Path, variant: str | None
) -> None:
    """Record games as broken off, and remove their journals.

    The server must not be running.
    """
    folder = journal_folder.JournalFolder(path if path.is_dir() else path.parent)
    try:
        for game, content in _chosen(path, games):
            if _state_of(content) != "forming":
                _record(game, content, records, variant)
            header = content.header
            folder.finish(header.record, header.number, counts=False)
    finally:
        folder.close()


def _record(
    game: FoundGame, content: GameContent, records: Path, variant: str | None
) -> None:
    try:
        found, board = replay_alone(content, variant)
        record = record_of(found, board)
    except Exception as error:
        raise _unreadable(game.path, reason_of(error)) from error
    print_line(archive.write_record(record, records))


@command.command("backup")
@path_argument
@click.argument("copy", type=click.Path(path_type=Path))
def back_up(path: Path, copy: Path) -> None:
    """Copy all that is committed: a file, or a folder; the server may be running."""
    if not path.is_dir():
        _copy(path, copy)
        return
    if copy.exists() and (not copy.is_dir() or copy.samefile(path)):
        raise CommandError(f"{copy}: expected a folder other than the journals")
    with _copying_to(copy):
        copy.mkdir(mode=0o700, exist_ok=True)
    for each in _files_of(path):
        _copy(each, copy / each.name)


def _copy(path: Path, copy: Path) -> None:
    """Copy a journal up to the last complete line; a damaged one unchanged."""
    if copy.exists() and (not copy.is_file() or copy.samefile(path)):
        raise CommandError(f"{copy}: expected a file other than the journal")
    content = journal_file.read_game(path)
    if content is None:
        return
    whole = journal_file.encode_header(content.header) + b"".join(content.raw)
    with _copying_to(copy):
        if content.damage:
            whole = path.read_bytes()
        archive.replace(copy, whole, mode=0o600)


@contextmanager
def _copying_to(copy: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise CommandError(f"cannot write {copy}: {error.strerror}") from None


def _files_of(path: Path) -> list[Path]:
    """Return the journals at *path*, damaged ones too."""
    if not path.is_dir():
        return [path]
    usual = f"*{journal_file.SUFFIX}"
    damaged = f"{usual}{journal_folder.DAMAGED_SUFFIX}*"
    return sorted([*path.glob(usual), *path.glob(damaged)])


def _games_of(path: Path) -> list[FoundGame]:
    """Return the games at *path*, by their numbers."""
    found = list(filter(None, map(_found, _files_of(path))))
    if not found and not path.is_dir():
        raise CommandError(f"{path}: found no journal of a game")
    return sorted(found, key=lambda game: game.number)


def _found(path: Path) -> FoundGame | None:
    """Return the game of one journal; `None` if it had not been created."""
    try:
        content = journal_file.read_game(path)
    except JournalError as error:
        return FoundGame(path, problem=str(error))
    return None if content is None else FoundGame(path, content, content.damage)


def _chosen(
    path: Path, numbers: tuple[int, ...], *, damaged: bool = False
) -> Iterator[tuple[FoundGame, GameContent]]:
    """Yield the games of those numbers, or all; *damaged* ones if that is allowed.

    Raises `CommandError` if one of *numbers* is missing or cannot be read; without
    numbers, other games come first, and the exit code says so.
    """
    games = _games_of(path)
    for number in numbers:
        if number not in {each.number for each in games}:
            known = ", ".join(each.label for each in games) or "none"
            message = f"{path}: found no game {number}, expected one of: {known}"
            raise CommandError(message)
    chosen = [each for each in games if not numbers or each.number in numbers]
    problems = [
        str(_unreadable(each.path, each.problem))
        for each in chosen
        if each.problem and (each.content is None or not damaged)
    ]
    if numbers and problems:
        raise CommandError("\n".join(problems))
    for each in chosen:
        if each.content is not None and (damaged or not each.problem):
            yield each, each.content
    if problems:
        raise CommandError("\n".join(problems))


def _unreadable(path: Path, problem: str) -> CommandError:
    return CommandError(f"{path}: cannot be read: {problem.removeprefix(f'{path}: ')}")

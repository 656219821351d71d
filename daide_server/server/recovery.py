"""The start of a server: opens the journal folder, and resumes its games."""

from collections.abc import Iterable
from pathlib import Path

from attrs import define, field
from msgspec.structs import replace

from daide_server.game import events as game_events
from daide_server.game.directory import GameId
from daide_server.game.events import ClientId, GameRecovered
from daide_server.game.journal import last_client
from daide_server.library.journal_file import (
    GameContent,
    JournalError,
    JournalFile,
    UnknownFormatError,
    read_game,
)
from daide_server.library.journal_folder import (
    JournalFolder,
    address_folder,
    journals_in,
)

from .events import Events, Failed, Noted
from .game_runner import GameSoFar
from .game_server import GameServer
from .journal import GameJournal
from .making import OtherServerError, reason_of
from .settings import JournalSettings, ServiceSettings
from .written_games import SAVE_NAME

OLD_JOURNAL_HEAD = 16
"""The first bytes of a journal of version 0.2.0 without games."""
LOADED_BYTES = 256 << 20
"""Maximum bytes of a game to load. The limits of a record allow some 50 MB."""
LOADED_LINES = 2_000_000


# The folder


def open_folder(
    settings: JournalSettings, service: ServiceSettings, run: str
) -> JournalFolder | None:
    """Return the journal folder of a server, locked; `None` if it keeps no journals.

    Raises `JournalError`, whose message says what to do.
    """
    path = address_folder(Path(settings.folder), service.host, service.port or run)
    if settings.recover is not None:
        path = Path(settings.recover)
        _refuse_old(path)
        _expect_journals(path, settings)
    elif settings.is_kept:
        _refuse_old(path.with_name(f"{path.name}.journal"))
    else:
        return None
    is_per_run = settings.recover is not None or not service.port
    keeps = settings.keep_journals
    try:
        return JournalFolder(path, is_per_run=is_per_run, keeps_journals=keeps)
    except OSError as error:
        reason = error.strerror or error
        message = (
            f"cannot use the journal {error.filename or path}: {reason}; "
            "with --durability none there is none"
        )
        raise JournalError(message) from error


def _expect_journals(path: Path, settings: JournalSettings) -> None:
    """Raise `JournalError` if *path* is not a journal folder."""
    if not path.is_dir():
        message = f"{path}: there is no such folder of journals to recover"
    elif not settings.is_kept:
        message = "--recover needs --durability process or disk"
    elif not journals_in(path):
        message = f"{path}: there is no game in it to recover"
    else:
        return
    raise JournalError(message)


def _refuse_old(path: Path) -> None:
    """Raise `JournalError` if *path* is a journal of version 0.2.0 with games."""
    if path.is_file() and path.stat().st_size > OLD_JOURNAL_HEAD:
        message = (
            f"{path}: has games of daide-server 0.2.0: finish them with that version "
            "(serve --drain), or remove the file"
        )
        raise JournalError(message)


# Games to load


def read_saves(folder: Path, events: Events) -> list[GameContent]:
    """Return the saved games in *folder*, by number.

    Unreadable games are reported. Raises `JournalError` if no game is readable, or if
    one is of version 0.2.0.
    """
    for old in folder.glob("*.save"):
        message = (
            f"{old}: was saved by daide-server 0.2.0: load it with that version, and "
            "finish it there (serve --drain)"
        )
        raise JournalError(message)
    found: list[GameContent] = []
    problems: list[str] = []
    for path in journals_in(folder):
        try:
            found.append(_read_save(path))
        except JournalError as error:
            problems.append(str(error))
        except OSError as error:
            problems.append(f"{path}: cannot be read: {error.strerror or error}")
    if not found:
        message = problems[0] if problems else f"{folder}: found no saved game to load"
        raise JournalError(message)
    for problem in problems:
        events(Failed("load.failed", {"reason": problem}))
    return sorted(found, key=lambda content: content.header.number)


def _read_save(path: Path) -> GameContent:
    """Return a saved game, which must be complete."""
    content = read_game(path, LOADED_BYTES)
    if content is None:
        message = f"{path}: is no saved game"
    elif content.damage or content.is_cut:
        message = f"{path}: {content.damage or 'its end is damaged'}"
    elif len(content.lines) > LOADED_LINES:
        message = f"{path}: found more than {LOADED_LINES} lines, expected less"
    else:
        return content
    raise JournalError(message)


# Games that continue


@define
class Recovery:
    """Resumes games from journals and saves; a failure affects only its game."""

    server: GameServer
    left_alone: int = field(default=0, init=False)
    """Journals that are left unchanged, for another server."""
    _numbers: set[int] = field(factory=set, init=False)
    """The numbers of all games in the journal folder."""
    _continued: dict[str, GameId] = field(factory=dict, init=False)
    """The games that continue, by record."""

    # From journals

    def recover(self, folder: JournalFolder) -> None:
        """Resume the games in *folder*; must be called in a pass."""
        settings, games = self.server.settings.journal, self.server.games
        replayed = (self._replayed(folder, path) for path in folder.journals())
        found = sorted(filter(None, replayed), key=lambda each: each[0].header.number)
        highest = max([folder.state.highest, *self._numbers])
        event: game_events.GameEvent = game_events.GameBrokenOff()
        counted = continued = 0
        if not settings.fresh:
            event = GameRecovered(settings.recovery_wait, settings.recovery_grace)
            counted, continued = folder.state.counted, len(found)
        folder.remember(highest, counted)
        games.resume_count(highest, highest - counted - continued)
        self.server.events(Noted("journal.recovered", {"games": len(found)}))
        for game, journal in found:
            number, record = GameId(game.header.number), game.header.record
            turn = game.game.state.position.turn
            fields = {"game": number, "turn": turn, "record": record}
            self.server.events(Noted("game.recovered", fields))
            self._continued[record] = number
            games.resume_game(game, journal, event)

    def _replayed(
        self, folder: JournalFolder, path: Path
    ) -> tuple[GameSoFar, GameJournal] | None:
        """Return the game of the journal *path*; report why if it cannot continue."""
        try:
            content = self._read(folder, path)
            if content is None:
                return None
            game = self.server.maker.replay(content)
            if self.server.settings.journal.fresh and not game.game.state.has_started:
                path.unlink()
                return None
            journal = self._journal_of(game)
            journal.resume(JournalFile(path, content.size), len(content.lines))
        except (OtherServerError, UnknownFormatError, OSError) as error:
            self._leave_alone(path, str(error))
        except Exception as error:  # noqa: BLE001 (it costs this game only)
            self._set_aside(folder, path, reason_of(error))
        else:
            self._number_clients(content)
            return game, journal
        return None

    def _journal_of(self, game: GameSoFar) -> GameJournal:
        return self.server.journal.game(game.header, game.game.state.vocabulary)

    def _number_clients(self, content: GameContent) -> None:
        """Make the numbers of new clients higher than those in a resumed game."""
        after = ClientId(last_client(content.lines) + 1)
        self.server.next_client = max(self.server.next_client, after)

    def _read(self, folder: JournalFolder, path: Path) -> GameContent | None:
        """Return the content of *path*; `None` if the game had not been created.

        Raises `JournalError` if it is damaged, `OSError` if it cannot be read.
        """
        content = read_game(path)
        if content is None:
            path.unlink()
            return None
        self._numbers.add(content.header.number)
        if content.damage:
            raise JournalError(content.damage)
        if path != folder.path_of(content.header.record):
            raise JournalError(f"is the journal of {content.header.record}")
        return content

    def _set_aside(self, folder: JournalFolder, path: Path, reason: str) -> None:
        """Rename a journal that cannot be resumed, and report it."""
        try:
            fields = {"path": folder.set_aside(path), "reason": reason}
            self.server.events(Failed("journal.damaged", fields))
        except OSError as error:
            problem = f"{reason}; cannot be renamed: {error.strerror or error}"
            self._leave_alone(path, problem)

    def _leave_alone(self, path: Path, reason: str) -> None:
        self.left_alone += 1
        fields = {"path": path, "reason": f"left as it is: {reason}"}
        self.server.events(Failed("game.set_aside", fields))

    # From saves

    def load(self, saves: Iterable[GameContent]) -> None:
        """Resume saved games; report those that cannot be resumed."""
        for content in saves:
            try:
                self._load(content)
            except Exception as error:  # noqa: BLE001 (it costs this game only)
                reason = f"{content.header.record}: {reason_of(error)}"
                self.server.events(Failed("load.failed", {"reason": reason}))

    def _load(self, content: GameContent) -> None:
        content = self._as_ours(content)
        game = self.server.maker.replay(content)
        number = GameId(game.header.number)
        name = game.name or f"g{number:x}"
        if not SAVE_NAME.fullmatch(name):
            message = f"found name {name!r:.100}, expected letters, digits, or _"
            raise JournalError(message)
        if not game.game.state.is_running:
            raise JournalError("is not running")
        journal = self._journal_of(game)
        journal.copy(content.raw)
        self._number_clients(content)
        self._continued[game.header.record] = number
        self.server.games.resume_game(game, journal, game_events.GameLoaded(name))
        fields = {"game": number, "name": name, "version": game.header.version}
        self.server.events(Noted("game.loaded", fields))

    def _as_ours(self, content: GameContent) -> GameContent:
        """Return a saved game with a new number of this server."""
        header, folder = content.header, self.server.folder
        is_kept = folder is not None and folder.path_of(header.record).exists()
        if is_kept or header.record in self._continued:
            raise JournalError("continues from its journal")
        if header.number in self._continued.values():
            header = replace(header, number=max(self._continued.values()) + 1)
        return replace(content, header=header)

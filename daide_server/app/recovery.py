"""The start of a server: its folder of journals, and the games that it continues."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from daide_server.game import events as game_events
from daide_server.game.directory import GameId
from daide_server.game.events import ClientId
from daide_server.game.journal import last_client
from daide_server.game.stages import Stage
from daide_server.server.events import Events, Failed, Noted
from daide_server.server.game_runner import GameSoFar
from daide_server.server.journal import GameJournal
from daide_server.storage.journal_file import (
    GameContent,
    JournalError,
    JournalFile,
    UnknownFormatError,
    read_game,
)
from daide_server.storage.journal_folder import (
    JournalFolder,
    address_folder,
    journals_in,
)

from .game_server import GameServer
from .making import OtherServerError, reason_of
from .service_settings import JournalSettings, ServiceSettings
from .written_games import SAVE_NAME

OLD_JOURNAL: Final = ".journal"
OLD_JOURNAL_HEAD: Final = 16
"""Bytes of a journal of version 0.2.0 that has no games."""
OLD_SAVES: Final = "*.save"
LOADED_BYTES: Final = 256 << 20
"""Bytes of the largest game that is loaded. Limits of the record allow some 50 MB."""
LOADED_LINES: Final = 2_000_000


# The folder


def open_folder(
    settings: JournalSettings, service: ServiceSettings, run: str
) -> JournalFolder | None:
    """Return the folder of the journals of a server, locked; `None` without one.

    Raises `JournalError`, whose message says what to do.
    """
    if settings.recover is not None:
        path, is_per_run = Path(settings.recover), True
        _expect_journals(path, settings)
    elif settings.is_kept:
        folder, is_per_run = Path(settings.folder), not service.port
        path = address_folder(folder, service.host, service.port or run)
        _refuse_old(path.with_name(path.name + OLD_JOURNAL))
    else:
        return None
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
    """Raise `JournalError` if *path* is no folder that can be recovered."""
    _refuse_old(path)
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
    """Raise `JournalError` if *path* is a journal of 0.2.0 that has games."""
    if path.is_file() and path.stat().st_size > OLD_JOURNAL_HEAD:
        message = (
            f"{path}: has games of daide-server 0.2.0: finish them with that version "
            "(serve --drain), or remove the file"
        )
        raise JournalError(message)


# Games to load


def read_saves(folder: Path, events: Events) -> list[GameContent]:
    """Return the saved games in *folder*, by their numbers.

    One that cannot be read is reported. Raises `JournalError` if there is none that
    can, or one of version 0.2.0.
    """
    for old in folder.glob(OLD_SAVES):
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
    """Return a saved game, which must be whole."""
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


class Recovery:
    """Takes up the games of journals and saves; each that cannot be costs itself."""

    def __init__(self, server: GameServer) -> None:
        self._settings: Final = server.settings.journal
        self._maker: Final = server.maker
        self._games: Final = server.games
        self._journal: Final = server.journal
        self._emit: Final = server.events
        self._going_on: Final[dict[str, GameId]] = {}
        """Games that continue, by their records."""
        self._highest = 0
        self.left_alone = 0
        """Journals that stay as they are, for another server."""
        self.last_client = ClientId(0)
        """The highest number of a client of those games."""

    # From journals

    def recover(self, folder: JournalFolder) -> None:
        """Continue with the games in *folder*; to be called in a pass."""
        found = [
            each
            for path in folder.journals()
            if (each := self._replayed(folder, path)) is not None
        ]
        highest = max(self._highest, folder.state.highest)
        counted = 0 if self._settings.fresh else folder.state.counted
        going_on = 0 if self._settings.fresh else len(found)
        folder.remember(highest, counted)
        self._games.resume_count(highest, highest - counted - going_on)
        self._emit(Noted("journal.recovered", {"games": len(found)}))
        settings = self._settings
        event: game_events.GameEvent = (
            game_events.GameBrokenOff()
            if settings.fresh
            else game_events.GameRecovered(
                settings.recovery_wait, settings.recovery_grace
            )
        )
        for game, journal in sorted(found, key=lambda each: each[0].header.number):
            number, record = GameId(game.header.number), game.header.record
            turn = game.game.state.position.turn
            fields = {"game": number, "turn": turn, "record": record}
            self._emit(Noted("game.recovered", fields))
            self._going_on[record] = number
            self._games.resume_game(game, journal, event)

    def _replayed(
        self, folder: JournalFolder, path: Path
    ) -> tuple[GameSoFar, GameJournal] | None:
        """Return the game of the journal *path*, or report why it does not continue."""
        try:
            content = self._read(folder, path)
            if content is None:
                return None
            game = self._maker.replay(content)
            if self._settings.fresh and game.game.stage is Stage.FORMING:
                path.unlink()
                return None
            journal = self._journal_of(game)
            journal.resume(JournalFile(path, content.size), len(content.lines))
        except (OtherServerError, UnknownFormatError, OSError) as error:
            self._leave_alone(path, str(error))
        except Exception as error:  # noqa: BLE001 (it costs this game only)
            self._set_aside(folder, path, reason_of(error))
        else:
            self.last_client = max(self.last_client, last_client(content.lines))
            return game, journal
        return None

    def _journal_of(self, game: GameSoFar) -> GameJournal:
        return self._journal.game(game.header, game.game.state.vocabulary)

    def _read(self, folder: JournalFolder, path: Path) -> GameContent | None:
        """Return what *path* says; nothing of one that was not even begun.

        Raises `JournalError` if it is damaged, `OSError` if it cannot be read.
        """
        content = read_game(path)
        if content is None:
            path.unlink()
            return None
        self._highest = max(self._highest, content.header.number)
        if content.damage:
            raise JournalError(content.damage)
        if path != folder.path_of(content.header.record):
            message = f"is the journal of {content.header.record}"
            raise JournalError(message)
        return content

    def _set_aside(self, folder: JournalFolder, path: Path, reason: str) -> None:
        """Rename a journal that cannot be continued, and say so."""
        try:
            fields = {"path": folder.set_aside(path), "reason": reason}
            self._emit(Failed("journal.damaged", fields))
        except OSError as error:
            problem = f"{reason}; cannot be renamed: {error.strerror or error}"
            self._leave_alone(path, problem)

    def _leave_alone(self, path: Path, reason: str) -> None:
        self.left_alone += 1
        fields = {"path": path, "reason": f"left as it is: {reason}"}
        self._emit(Failed("game.set_aside", fields))

    # From saves

    def load(self, saves: Iterable[GameContent]) -> None:
        """Continue with games that were saved; one that cannot be is reported."""
        for content in saves:
            try:
                self._load(content)
            except Exception as error:  # noqa: BLE001 (it costs this game only)
                record = content.header.record
                reason = f"{record}: {reason_of(error)}"
                self._emit(Failed("load.failed", {"reason": reason}))

    def _load(self, content: GameContent) -> None:
        version = content.header.version
        content = self._as_ours(content)
        game = self._maker.replay(content)
        number = GameId(content.header.number)
        name = game.name or f"g{number:x}"
        if not SAVE_NAME.fullmatch(name):
            message = f"found name {name!r:.100}, expected letters, digits, or _"
            raise JournalError(message)
        if not game.game.state.is_running:
            message = "is not running"
            raise JournalError(message)
        journal = self._journal_of(game)
        journal.copy(content.raw)
        self._going_on[content.header.record] = number
        self.last_client = max(self.last_client, last_client(content.lines))
        self._games.resume_game(game, journal, game_events.GameLoaded(name))
        fields = {"game": number, "name": name, "version": version}
        self._emit(Noted("game.loaded", fields))

    def _as_ours(self, content: GameContent) -> GameContent:
        """Return a saved game with a number of its own."""
        header = content.header
        folder = self._journal.folder
        is_kept = folder is not None and folder.path_of(header.record).exists()
        if is_kept or header.record in self._going_on:
            message = "continues from its journal"
            raise JournalError(message)
        if header.number in self._going_on.values():
            header = replace(header, number=max(self._going_on.values()) + 1)
        return replace(content, header=header)

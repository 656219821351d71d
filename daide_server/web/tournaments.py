"""The tournaments of the page: found, read and cached.

A view of ten thousand games takes seconds, so it is made in a thread, cached, and made
again when something new is stored.
"""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from itertools import chain, count
from pathlib import Path

import trio
from attrs import define, field, frozen

from daide_server.board.map import VariantError
from daide_server.settings.table import SettingsError
from daide_server.tournament.description import DescriptionError
from daide_server.tournament.report.tournament_views import (
    TournamentView,
    tournament_view,
)
from daide_server.tournament.run.bot_program import TOURNAMENT_FILE
from daide_server.tournament.run.errors import RunningError
from daide_server.tournament.run.store import RESULTS_FILE
from daide_server.tournament.run.tournament_state import TournamentFolder, look_at

PAUSES = 20
"""A view is cached for this multiple of the time that making it took."""
MAX_LOG_BYTES = 1 << 20
"""Bytes of a log that are shown, at the end."""
FAULTS = (OSError, RunningError, SettingsError, DescriptionError, VariantError)
"""Exceptions caused by a tournament's files, not by bugs."""

FileStamps = tuple[tuple[int, int], ...]


def tournament_folders(folders: Iterable[Path]) -> list[Path]:
    """Return those of *folders*, and their subfolders, that are tournaments."""
    found: dict[Path, None] = {}
    for folder in folders:
        inside = sorted(each.parent for each in folder.glob(f"*/{TOURNAMENT_FILE}"))
        own = [folder] if (folder / TOURNAMENT_FILE).is_file() else []
        found.update(dict.fromkeys((*own, *inside)))
    return list(found)


@frozen
class TournamentCard:
    """A tournament in a list."""

    number: str
    """The last part of its address."""
    name: str
    games: int
    """The number of planned games."""
    played: int
    leader: str
    """The name of the first bot, or empty."""


@define(eq=False)
class ShownTournament:
    """One tournament, and its cached view."""

    number: str
    folder: TournamentFolder
    note: str
    _view: TournamentView | None = None
    _stamp: FileStamps | None = None
    _due: float = float("-inf")
    _making: trio.Lock = field(factory=trio.Lock)

    async def view(self) -> TournamentView | None:
        """Return its view; `None` if it cannot be read.

        It is made again if something was stored since, unless it is recent; meanwhile
        others get the cached one.
        """
        if self._view is None or not self._making.locked():
            async with self._making:
                await self._refresh()
        return self._view

    async def _refresh(self) -> None:
        stamp, began = self._stamped(), time.monotonic()
        if began < self._due or stamp == self._stamp:
            return
        with suppress(*FAULTS):
            self._view = await trio.to_thread.run_sync(self._look)
        now = time.monotonic()
        self._stamp, self._due = stamp, now + PAUSES * (now - began)

    def _stamped(self) -> FileStamps:
        """Return a value that changes when something is stored."""
        home = self.folder.path
        names = (TOURNAMENT_FILE, RESULTS_FILE, f"{RESULTS_FILE}-wal")
        return tuple(map(_stamp_of, (home / name for name in names)))

    def _look(self) -> TournamentView:
        with closing(look_at(self.folder.path)) as state:
            return tournament_view(state, self.number, self.note)

    async def log(self, name: str) -> bytes | None:
        """Return the end of the log *name* of a game; `None` if it does not exist."""
        logs = self.folder.path / "logs"
        return await trio.to_thread.run_sync(_read_log, logs, name)


ShownTournaments = Mapping[str, ShownTournament]
"""Tournaments by the ends of their addresses."""


def shown_tournaments(folders: Iterable[Path], note: str = "") -> ShownTournaments:
    """Return those in *folders*; *note* is for games that the page cannot show."""
    return {
        number: ShownTournament(number, TournamentFolder(folder), note)
        for number, folder in numbered(folders)
    }


async def tournament_cards(shown: ShownTournaments) -> Sequence[TournamentCard]:
    """Return all readable tournaments of those *shown*."""
    views = [await each.view() for each in shown.values()]
    return [_card(each) for each in views if each is not None]


def numbered(folders: Iterable[Path]) -> Iterator[tuple[str, Path]]:
    """Yield *folders* with the last parts of their addresses: unique names."""
    taken: set[str] = set()
    for folder in folders:
        name = folder.resolve().name
        numbers = chain([name], (f"{name}-{at}" for at in count(2)))
        number = next(each for each in numbers if each not in taken)
        taken.add(number)
        yield number, folder


def _card(view: TournamentView) -> TournamentCard:
    status = view.status
    leader = status.bots[0].name if status.bots and status.played else ""
    return TournamentCard(view.number, status.name, status.games, status.played, leader)


def _stamp_of(path: Path) -> tuple[int, int]:
    try:
        status = path.stat()
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_size


def _read_log(logs: Path, name: str) -> bytes | None:
    """Return the end of a log; *name* is untrusted, so it must be a listed one."""
    folder, _, file = name.partition("/")
    if not _has(logs, folder) or not _has(logs / folder, file):
        return None
    try:
        with (logs / folder / file).open("rb") as opened:
            size = opened.seek(0, 2)
            opened.seek(max(0, size - MAX_LOG_BYTES))
            return opened.read()
    except OSError:
        return None


def _has(folder: Path, name: str) -> bool:
    try:
        return any(each.name == name for each in folder.iterdir())
    except OSError:
        return False

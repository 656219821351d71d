"""The tournaments in folders, as the page asks for them.

A view of ten thousand games takes seconds, so it is made in a thread, kept, and made
again when something was stored since: at once if that is quick, else in the background
while the last one is shown.
"""

import time
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import trio
from attrs import field

from daide_server.board.variant import VariantError
from daide_server.classes import define
from daide_server.settings.table import SettingsError
from daide_server.tournament.description import DescriptionError

from .errors import RunningError
from .store import RESULTS_FILE
from .tournament_file import TOURNAMENT_FILE
from .tournament_folder import TournamentFolder
from .tournament_state import look_at
from .tournament_views import (
    TournamentCard,
    TournamentPage,
    TournamentView,
    tournament_view,
)

QUICK_SECONDS: Final = 0.2
"""A view that takes no longer is made while its visitor waits."""
PAUSES: Final = 20
"""So many times as long as a view took, it is not made again."""
MAX_LOG_BYTES: Final = 1 << 20
"""The end of a log that is shown."""
FAULTS: Final = (OSError, RunningError, SettingsError, DescriptionError, VariantError)
"""What the files of a tournament may cause that is no fault of ours."""

FileStamps = tuple[tuple[int, int], ...]


def tournament_folders(folders: Iterable[Path]) -> list[Path]:
    """Return those of *folders*, and of the folders in them, that are tournaments."""
    found: dict[Path, None] = {}
    for folder in folders:
        inside = sorted(each.parent for each in folder.glob(f"*/{TOURNAMENT_FILE}"))
        own = [folder] if (folder / TOURNAMENT_FILE).is_file() else []
        found.update(dict.fromkeys((*own, *inside)))
    return list(found)


@define(eq=False)
class ShownTournament:
    """One tournament, and its view as it was last made."""

    number: str
    folder: TournamentFolder
    note: str
    view: TournamentView | None = None
    fault: str = ""
    """Why there is no view."""
    _stamp: FileStamps | None = None
    _cost: float = 0.0
    _made: float = float("-inf")
    _turn: trio.Lock = field(factory=trio.Lock)

    def is_due(self) -> bool:
        """Tell whether something was stored since the view was made, not just now."""
        if time.monotonic() < self._made + PAUSES * self._cost:
            return False
        return self._stamp is None or self._stamp != self.stamp()

    @property
    def is_quick(self) -> bool:
        """Whether a visitor waits for the view: it is the first, or takes no time."""
        return self._stamp is None or self._cost <= QUICK_SECONDS

    def stamp(self) -> FileStamps:
        """Return what changes when something is stored."""
        home = self.folder.path
        names = (TOURNAMENT_FILE, RESULTS_FILE, f"{RESULTS_FILE}-wal")
        return tuple(map(_stamp_of, (home / name for name in names)))

    async def refresh(self) -> None:
        """Make the view again if that is due; what it cannot read is its fault."""
        async with self._turn:
            if not self.is_due():
                return
            stamp, began = self.stamp(), time.monotonic()
            try:
                self.view = await trio.to_thread.run_sync(self._look)
                self.fault = ""
            except FAULTS as error:
                self.fault = str(error)
            self._made = time.monotonic()
            self._cost = self._made - began
            self._stamp = stamp

    def _look(self) -> TournamentView:
        state = look_at(self.folder.path)
        try:
            return tournament_view(state, self.number, self.note)
        finally:
            state.close()


class ShownTournaments:
    """All tournaments of some folders."""

    def __init__(self, folders: Sequence[Path], note: str = "") -> None:
        """Show *folders*.

        The page says *note* while games are played that it cannot show.
        """
        self._shown: Final = {
            number: ShownTournament(number, TournamentFolder(folder), note)
            for number, folder in numbered(folders)
        }
        self._wanted: Final[dict[ShownTournament, None]] = {}
        self._work = trio.Event()

    async def run(self) -> None:
        """Make views in the background until cancelled."""
        while True:
            await self._work.wait()
            self._work = trio.Event()
            while self._wanted:
                shown = next(iter(self._wanted))
                del self._wanted[shown]
                await shown.refresh()

    async def cards(self) -> Sequence[TournamentCard]:
        """Return all that can be read."""
        views = [await self._view(each) for each in self._shown.values()]
        return [_card(each) for each in views if each is not None]

    async def page(self, number: str) -> TournamentPage | None:
        """Return one; `None` if there is none, or it cannot be read."""
        shown = self._shown.get(number)
        view = None if shown is None else await self._view(shown)
        if shown is None or view is None:
            return None
        return TournamentPage(view, shown.folder.record(1).parent)

    async def log(self, number: str, name: str) -> bytes | None:
        """Return the end of the log *name* of a game; `None` if there is none."""
        shown = self._shown.get(number)
        if shown is None:
            return None
        logs = shown.folder.path / "logs"
        return await trio.to_thread.run_sync(partial(_read_log, logs, name))

    async def _view(self, shown: ShownTournament) -> TournamentView | None:
        if shown.is_due():
            if shown.is_quick:
                await shown.refresh()
            else:
                self._wanted[shown] = None
                self._work.set()
        return shown.view


def numbered(folders: Iterable[Path]) -> Iterator[tuple[str, Path]]:
    """Yield *folders* with what their addresses end with: their names, once each."""
    taken: set[str] = set()
    for folder in folders:
        name = number = folder.resolve().name
        count = 1
        while number in taken:
            count += 1
            number = f"{name}-{count}"
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
    """Return the end of a log; *name* is from a stranger, so it must be listed."""
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

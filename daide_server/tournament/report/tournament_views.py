"""Tournaments for the page, from what is stored.

The same data as in the report (`report_page`), except what only a report has. A view of
ten thousand games takes seconds, so it is made in a thread, cached, and made again when
something new is stored. All values are the JSON of `/api/tournaments`.
"""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from itertools import chain, count
from pathlib import Path
from statistics import fmean

import trio
from attrs import define, field, frozen

from daide_server.board.map import VariantError
from daide_server.settings.table import SettingsError
from daide_server.tournament.description import DescriptionError
from daide_server.tournament.game_outcomes import Incident, incidents
from daide_server.tournament.pairs import Comparison, both_ways, cross_table
from daide_server.tournament.run.bot_program import TOURNAMENT_FILE
from daide_server.tournament.run.errors import RunningError
from daide_server.tournament.run.game_task import SERVER_LOG
from daide_server.tournament.run.store import RESULTS_FILE
from daide_server.tournament.run.tournament_state import (
    TournamentFolder,
    TournamentState,
    look_at,
)
from daide_server.tournament.standings import PowerScore, TournamentStatus

from .curves import thinned
from .report_page import course_of

TROUBLES_SHOWN = 200
LATEST_ATTEMPTS = 200
"""The number of latest attempts from which the duration of a game is estimated."""


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


@frozen
class Trouble:
    """A forfeit, a void game, or a seat that a stand-in played."""

    game: str
    """The id of its record; for a void game, the id that it would have."""
    kind: str
    bot: str
    power: str
    what: str
    logs: tuple[str, ...] = ()
    """The last parts of the addresses of its logs."""


@frozen
class TournamentView:
    """A tournament; rows and columns of bots are in the order of `status.bots`."""

    number: str
    status: TournamentStatus
    even: float
    """The score of each bot if all were equal."""
    seconds_left: float | None
    """Estimated seconds until the run ends; `None` if none is running, or unknown."""
    cross: tuple[tuple[Comparison | None, ...], ...]
    """A row for each bot."""
    powers: Mapping[str, tuple[PowerScore | None, ...]]
    """The bots' scores with each power."""
    course: tuple[tuple[tuple[float, float], ...], ...]
    """For each bot, its mean score after the last game of each finished block."""
    troubles: tuple[Trouble, ...]
    """The latest failures."""
    troubles_left_out: int
    said_names: tuple[tuple[str, ...], ...] = ()
    """The names of each bot in NME, which are those in records."""
    note: str = ""
    """A note of the page about games that it cannot show."""


def tournament_view(
    state: TournamentState, number: str, note: str = ""
) -> TournamentView:
    """Return *state* as shown on the page; *number* is the last part of its address."""
    ledger, status = state.ledger, state.status()
    rows, cells = status.bots, both_ways(cross_table(ledger))
    found = list(incidents(ledger))
    shown = found[-TROUBLES_SHOWN:]
    course = course_of(ledger)
    return TournamentView(
        number=number,
        status=status,
        even=1 / len(state.plan.description.powers),
        seconds_left=_seconds_left(state, status),
        cross=tuple(
            tuple(cells.get((row.bot, other.bot)) for other in rows) for row in rows
        ),
        powers={
            power: tuple(row.by_power.get(power) for row in rows)
            for power in state.plan.description.powers
        },
        course=tuple(tuple(thinned(course.get(row.bot, ()))) for row in rows),
        troubles=tuple(_trouble(state, number, each) for each in reversed(shown)),
        troubles_left_out=len(found) - len(shown),
        said_names=tuple(row.said_names for row in rows),
        note=note if status.running else "",
    )


def _seconds_left(state: TournamentState, status: TournamentStatus) -> float | None:
    """Return an estimate of the time that the current run still takes."""
    if state.store is None or not status.running or status.stopped or status.is_ladder:
        return None
    latest = state.store.attempts()[-LATEST_ATTEMPTS:]
    seconds = [each.seconds for each in latest if each.seconds is not None]
    if not seconds:
        return None
    # A game that is being played is half over, on average.
    games = status.remaining + status.running / 2
    return fmean(seconds) * games / status.running


def _trouble(state: TournamentState, number: str, incident: Incident) -> Trouble:
    turn = f"{incident.turn}: " if incident.turn else ""
    after = f"; {incident.afterwards}" if incident.afterwards else ""
    return Trouble(
        game=f"{number}-{incident.attempt.game:06}",
        kind=incident.kind,
        bot=incident.bot or "",
        power=incident.power or "",
        what=f"{turn}{incident.reason}{after}",
        logs=_logs(state, incident),
    )


def _logs(state: TournamentState, incident: Incident) -> tuple[str, ...]:
    """Return the logs of an incident: that of the server, and the bot's own."""
    folder = state.folder.logs(incident.attempt)
    try:
        names = sorted(each.name for each in folder.iterdir())
    except OSError:
        return ()
    power = incident.power
    return tuple(
        f"{folder.name}/{name}"
        for name in names
        if power is None or name == SERVER_LOG or name.startswith(f"{power}.")
    )


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
    """Return those in *folders*, with *note* while there are games not to be shown."""
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

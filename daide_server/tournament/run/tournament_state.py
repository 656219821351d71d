"""A tournament from its folder: file, records, logs, plan, ledger and store.

Opened by a run, which writes, and by readers. The right to run is a lock on a file,
which ends with its process. Workers never inherit it, so after a run is killed another
can start immediately. All functions block.
"""

import fcntl
import os
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from attrs import define, field, frozen

from daide_server.tournament.description import (
    DescriptionError,
    TournamentDescription,
    refusal,
)
from daide_server.tournament.game_outcomes import Attempt, Ledger, mismatch
from daide_server.tournament.pairs import StopWatch
from daide_server.tournament.plan import Plan, plan_of
from daide_server.tournament.standings import TournamentStatus, standings, status_object

from .bot_program import TOURNAMENT_FILE, sandbox_of
from .bot_settings import LOCAL_EXECUTOR, expect_there
from .errors import RunningError
from .game_task import GameReport, write_logs
from .store import RESULTS_FILE, Store, find_store, open_store
from .tournament_file import TournamentFile, described_in, read_tournament

WANTED = "wanted"
"""A file that a page touches while somebody watches running games."""
WANTED_SECONDS = 30.0


@frozen
class TournamentFolder:
    """The paths of a tournament."""

    path: Path

    @property
    def file(self) -> Path:
        """The file of the description."""
        return self.path / TOURNAMENT_FILE

    @property
    def games(self) -> Path:
        """The folder of the records."""
        return self.path / "games"

    def record(self, game: int) -> Path:
        """Return the path of the record of *game*, which may not exist."""
        return self.games / f"{game:06}.json"

    def logs(self, attempt: Attempt) -> Path:
        """Return the folder for the logs of *attempt*; later ones have a suffix."""
        later = f"-{attempt.number}" if attempt.number > 1 else ""
        return self.path / "logs" / f"{attempt.game:06}{later}"

    @property
    def running(self) -> Path:
        """The folder for the records so far of running games."""
        return self.path / "running"

    def show_interest(self) -> None:
        """Request that running games are written there from now; raises `OSError`."""
        self.running.mkdir(mode=0o700, exist_ok=True)
        (self.running / WANTED).touch()

    def has_interest(self) -> bool:
        """Return whether somebody watches the running games."""
        try:
            seen = (self.running / WANTED).stat().st_mtime
        except OSError:
            return False
        return time.time() < seen + WANTED_SECONDS

    def write(self, report: GameReport) -> None:
        """Write record and logs, each file atomically; raises `OSError`."""
        from daide_server.library.archive import replace  # noqa: PLC0415 - slow: formats

        outcome = report.outcome
        if report.record is not None:
            path = self.record(outcome.game)
            path.parent.mkdir(parents=True, exist_ok=True)
            replace(path, report.record)
        write_logs(report, self.logs(Attempt(outcome.game, outcome.attempt)))


LOCK_FILE = "run.lock"
TRIES = 10
"""The number of tries, because readers hold the lock for a moment to test it."""
PAUSE_SECONDS = 0.02


@contextmanager
def holding(folder: Path) -> Iterator[None]:
    """Hold the right to run the tournament in *folder*; raises `RunningError`."""
    file = os.open(folder / LOCK_FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        if not any(
            _take_lock(file, pause) for pause in (*[PAUSE_SECONDS] * TRIES, 0.0)
        ):
            owner = os.read(file, 20).decode(errors="replace") or "unknown"
            message = f"{folder}: found a run in process {owner}, expected none"
            raise RunningError(message)
        os.ftruncate(file, 0)
        os.write(file, str(os.getpid()).encode())
        yield
    finally:
        os.close(file)


def is_running(folder: Path) -> bool:
    """Return whether a run of the tournament in *folder* is in progress."""
    try:
        file = os.open(folder / LOCK_FILE, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        return not _take_lock(file, shared=True)
    finally:
        os.close(file)


def _take_lock(file: int, pause: float = 0.0, *, shared: bool = False) -> bool:
    """Take the lock and return whether that worked; if not, wait *pause* seconds."""
    try:
        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except OSError:
        time.sleep(pause)
        return False
    return True


def check_limits(file: TournamentFile, plan: Plan, executor: str = "") -> None:
    """Raise `DescriptionError` if *plan* cannot be run as *file* says.

    *executor* is the requested one; by default that of the file. Raises `RunningError`
    if this machine lacks the sandbox of a bot.
    """
    _check_at_once(file, plan)
    if (executor or file.settings.run.executor) == LOCAL_EXECUTOR:
        for program in file.programs():
            sandbox_of(program)
        return
    for bot in file.bots:
        if bot.environment:
            message = (
                f"bot {bot.name}: environment: values do not leave this machine; set "
                f"them where the workers run, and name them in pass"
            )
            raise DescriptionError(message)


def check_programs(file: TournamentFile, executor: str) -> None:
    """Raise `RunningError` if the program of a bot is missing on this machine."""
    if executor == LOCAL_EXECUTOR:
        for number, program in enumerate(file.programs()):
            if number not in file.retired:
                expect_there(program)


def _check_at_once(file: TournamentFile, plan: Plan) -> None:
    """Raise if a game needs more copies of a bot than are allowed."""
    limited = {at: bot for at, bot in enumerate(file.bots) if bot.at_once}
    for game in plan.all_games() if limited else ():
        for at, copies in Counter(game.bots).items():
            if at in limited and copies > limited[at].at_once:
                found = limited[at].at_once
                message = (
                    f"bot {limited[at].name}: at_once: found {found}, expected {copies}"
                    f" or more, because game {game.number} has {copies} copies of it"
                )
                raise DescriptionError(message)


@define
class TournamentState:
    """A tournament's file, plan and ledger, and its store (`None`: never run)."""

    folder: TournamentFolder
    file: TournamentFile
    ledger: Ledger
    store: Store | None
    watch: StopWatch = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.watch = StopWatch(self.plan)
        self.follow()

    @property
    def plan(self) -> Plan:
        """All games, as planned now."""
        return self.ledger.plan

    @property
    def results(self) -> Store:
        """The store, which must exist."""
        assert self.store is not None
        return self.store

    @property
    def stopped(self) -> str | None:
        """Why the tournament ends before all games are played, if it does."""
        return self.watch.verdict.reason if self.watch.verdict else None

    @property
    def running(self) -> int:
        """The number of games in progress, according to the store."""
        if self.store is None or not is_running(self.folder.path):
            return 0
        return len(self.store.running())

    def refuse_changes(self) -> None:
        """Raise `RunningError` if the file does not match the played games."""
        refuse(self.folder.file, self.plan.description, self.file.description())

    def follow(self) -> None:
        """Apply the stop rule to newly finished blocks."""
        self.watch.follow(self.ledger)

    def status(self) -> TournamentStatus:
        """Return the progress of the tournament, and its table."""
        rows, running = standings(self.ledger), self.running
        return status_object(self.ledger, rows, running=running, stopped=self.stopped)

    def close(self) -> None:
        """Close the store."""
        if self.store is not None:
            self.store.close()


def look_at(path: Path) -> TournamentState:
    """Return the tournament in the folder *path*, for reading.

    If its file was changed so that it does not match the games, the file of the last
    run counts. Raises `SettingsError`, `DescriptionError` and `RunningError`.
    """
    folder, file, described = _read(path)
    store = _find_store(folder)
    if store is not None and refusal(store.description(), described) is not None:
        if store.has_played():
            described = store.description()
        else:
            store.close()
            store = None
    if store is None:
        with described_in(folder.file):
            made = plan_of(described, ())
        return TournamentState(folder, file, Ledger(made), None)
    return _state(folder, file, described, store)


@contextmanager
def playing(path: Path) -> Iterator[tuple[TournamentState, tuple[str, ...]]]:
    """Open the tournament in the folder *path* for a run; creates the store.

    Yields the tournament, and the names of the bots whose programs have changed since
    the last run.

    Raises like `look_at`, and `RunningError` if games were played with another
    description, or another run is in progress.
    """
    folder, file, described = _read(path)
    with described_in(folder.file):
        check_limits(file, plan_of(described, ()))
    store = _find_store(folder) or open_store(path, described)
    try:
        with holding(path):
            if store.has_played():
                refuse(folder.file, store.description(), described)
            elif refusal(store.description(), described) is not None:
                store.begin_anew()
            state = _state(folder, file, described, store)
            yield state, _accept(state, store)
    finally:
        store.close()


def _read(path: Path) -> tuple[TournamentFolder, TournamentFile, TournamentDescription]:
    folder = TournamentFolder(path)
    file = read_tournament(folder.file)
    with described_in(folder.file):
        return folder, file, file.description()


def _find_store(folder: TournamentFolder) -> Store | None:
    """Return the store as `find_store`; raises `RunningError` if it was lost."""
    store = find_store(folder.path)
    records = () if store is not None else tuple(folder.games.glob("*.json"))
    if records:
        message = (
            f"{folder.path}: found records of {len(records)} games, and no results of "
            f"them, expected both: put {RESULTS_FILE} back, or move {folder.games} away"
        )
        raise RunningError(message)
    return store


def refuse(
    file: Path, before: TournamentDescription, after: TournamentDescription
) -> None:
    """Raise `RunningError` if a tournament of *before* cannot continue with *after*.

    *after* is what *file* says now.
    """
    reason = refusal(before, after)
    if reason is not None:
        raise RunningError(f"{file}: {reason}")


def _accept(state: TournamentState, store: Store) -> tuple[str, ...]:
    """Store the description and programs of *state*; return changed programs."""
    plan_now = state.plan
    last = max((each.game for each in store.attempts()), default=0)
    begun = plan_now.game(min(last, plan_now.games)).block if last else 0
    store.change(plan_now, begun)
    state.ledger.planned = store.planned()
    before, digests = store.executables() if last else {}, state.file.executables()
    store.begin_run(digests)
    return tuple(
        bot for bot in digests if before.get(bot, digests[bot]) != digests[bot]
    )


def _state(
    folder: TournamentFolder,
    file: TournamentFile,
    described: TournamentDescription,
    store: Store,
) -> TournamentState:
    """Return the tournament *described* with its stored outcomes."""
    made = plan_of(described, store.decisions())
    ledger = Ledger(made, store.planned() or ((1, made.games),))
    for outcome in store.outcomes():
        # Fewer games may be planned now than were played.
        if outcome.game <= made.games:
            reason = mismatch(outcome, described)
            if reason is not None:
                what = f"the outcome of game {outcome.game}"
                raise store.damaged(what, reason)
            ledger.add(outcome)
    ledger.retire(file.retired)
    return TournamentState(folder, file, ledger, store)

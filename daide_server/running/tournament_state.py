"""A tournament as its folder has it: the plan, the outcomes, and what follows.

Opened by a run, which may write, and by those who only look.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from attrs import define, field

from daide_server.tournament.description import (
    DescriptionError,
    TournamentDescription,
    refusal,
)
from daide_server.tournament.game_outcomes import Ledger, misfit
from daide_server.tournament.pairs import StopWatch
from daide_server.tournament.plan import Plan, plan_of
from daide_server.tournament.standings import (
    TournamentStatus,
    standings,
    status_object,
)

from .bot_program import box_of
from .bot_words import expect_there
from .errors import RefusedChangeError, StoreError
from .executors import LOCAL_EXECUTOR, cores
from .store import RESULTS_FILE, Store, find_store, open_store
from .tournament_file import TournamentFile, described_in, read_tournament
from .tournament_folder import TournamentFolder, holding, is_played


def check_limits(file: TournamentFile, plan: Plan, executor: str = "") -> None:
    """Raise `DescriptionError` if *plan* cannot be played as *file* says.

    *executor* is the one that was asked for; else that of the file. Raises
    `SandboxError` if this machine does not have the box of a bot.
    """
    _check_at_once(file, plan)
    if (executor or file.settings.run.executor) == LOCAL_EXECUTOR:
        for program in file.programs():
            box_of(program)
        return
    for bot in file.bots:
        if bot.environment:
            message = (
                f"bot {bot.name}: environment: values do not leave this machine; set "
                f"them where the workers run, and name them in pass"
            )
            raise DescriptionError(message)


def check_programs(file: TournamentFile, executor: str) -> None:
    """Raise `RunningError` if a bot that plays here has no program.

    Of what is on other machines nothing is known here.
    """
    if executor == LOCAL_EXECUTOR:
        for number, program in enumerate(file.programs()):
            if number not in file.retired:
                expect_there(program)


def _check_at_once(file: TournamentFile, plan: Plan) -> None:
    """Refuse a bot of which a game needs more copies than there may be."""
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
    """The file, the plan and the ledger of a tournament, and its store.

    `store` is `None` before the first run.
    """

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
        """All games, as they are planned now."""
        return self.ledger.plan

    @property
    def results(self) -> Store:
        """The store; there must be one."""
        assert self.store is not None
        return self.store

    @property
    def slots(self) -> int:
        """How many games are played at the same time on this machine."""
        return self.file.settings.design.at_once or cores()

    @property
    def stopped(self) -> str | None:
        """Why the tournament is over before all games are played, if it is."""
        return self.watch.verdict.reason if self.watch.verdict else None

    @property
    def running(self) -> int:
        """How many games a run plays now, as the store says."""
        if self.store is None or not is_played(self.folder.path):
            return 0
        return len(self.store.running())

    def refuse_changes(self) -> None:
        """Raise `RefusedChangeError` if the file is not that of the games played."""
        _refuse(self.folder, refusal(self.plan.description, self.file.description()))

    def follow(self) -> None:
        """Apply the stop rule to the blocks that were finished since."""
        self.watch.follow(self.ledger)

    def status(self) -> TournamentStatus:
        """Return how far the tournament is, and its table."""
        rows, running = standings(self.ledger), self.running
        return status_object(self.ledger, rows, running=running, stopped=self.stopped)

    def close(self) -> None:
        """Close the store."""
        if self.store is not None:
            self.store.close()


def look_at(path: Path) -> TournamentState:
    """Return the tournament in the folder *path*, to be looked at.

    If its file was changed so that the games do not belong to it, the file of the last
    run counts. Raises `SettingsError`, `DescriptionError` and `StoreError`.
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
    """Hold the tournament in the folder *path* to play it; makes the store.

    Gives the tournament, and the names of the bots whose programs have changed since
    the last run.

    Raises as `look_at`, `RefusedChangeError` if games were played by another
    description, and `RunLockedError` if another run plays.
    """
    folder, file, described = _read(path)
    with described_in(folder.file):
        check_limits(file, plan_of(described, ()))
    store = _find_store(folder) or open_store(path, described)
    try:
        with holding(path):
            reason = refusal(store.description(), described)
            if reason is not None:
                if store.has_played():
                    _refuse(folder, reason)
                store.begin_anew()
            state = _state(folder, file, described, store)
            yield state, _accept(state, store)
    finally:
        store.close()


def _read(
    path: Path,
) -> tuple[TournamentFolder, TournamentFile, TournamentDescription]:
    folder = TournamentFolder(path)
    file = read_tournament(folder.file)
    with described_in(folder.file):
        return folder, file, file.description()


def _find_store(folder: TournamentFolder) -> Store | None:
    """Return the store as `find_store`; raises `StoreError` if it has been lost."""
    store = find_store(folder.path)
    records = 0 if store is not None else folder.records()
    if records:
        message = (
            f"{folder.path}: found records of {records} games, and no results of them, "
            f"expected both: put {RESULTS_FILE} back, or move "
            f"{folder.record(1).parent} away"
        )
        raise StoreError(message)
    return store


def _refuse(folder: TournamentFolder, reason: str | None) -> None:
    if reason is not None:
        message = f"{folder.file}: {reason}"
        raise RefusedChangeError(message)


def _accept(state: TournamentState, store: Store) -> tuple[str, ...]:
    """Store the description and the programs of *state*; return what has changed."""
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
    made = plan_of(described, store.decisions())
    ledger = _ledger(made, store)
    ledger.retire(file.retired)
    return TournamentState(folder, file, ledger, store)


def _ledger(made: Plan, store: Store) -> Ledger:
    """Return the outcomes that are stored of the games of a plan."""
    ledger = Ledger(made, store.planned() or ((1, made.games),))
    for outcome in store.outcomes():
        # Fewer games may be planned now than were played.
        if outcome.game <= made.games:
            reason = misfit(outcome, made.description)
            if reason is not None:
                what = f"the outcome of game {outcome.game}"
                raise store.damaged(what, reason)
            ledger.add(outcome)
    return ledger

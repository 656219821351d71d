"""A run: plays the remaining games of a tournament, several at the same time.

Each running game has one trio task. The ledger and the store change only in `_settle`,
which does not wait, so that tasks see consistent data. Everything that happens becomes
a `RunEvent`, for displays and for `--json`.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager, suppress
from itertools import islice

import trio
from attrs import define, field, frozen

from daide_server.tournament import game_outcomes
from daide_server.tournament.game_outcomes import Attempt, GameOutcome, PlayedGame

from . import game_task
from .bot_program import sandbox_of
from .executors import OpenExecutor
from .game_task import AT_FAULT, BENCHED, GameReport, GameTask, SeatTask
from .ladder_choice import LadderChoice
from .tournament_state import TournamentFolder, TournamentState
from .worker import WorkerDeathError, play_task


@frozen
class GameBegun:
    """An attempt was given to the executor; `bots` are the names in its seats."""

    attempt: Attempt
    bots: tuple[str, ...]


@frozen
class GameOver:
    """An outcome was received; `counts`: it was stored, not ignored as a duplicate."""

    outcome: GameOutcome
    seconds: float
    counts: bool


@frozen
class RunNote:
    """Information for the user, in a sentence."""

    text: str


RunEvent = GameBegun | GameOver | RunNote


LOOK_AHEAD = 2000
"""The number of next games that are considered; bounds the work of one choice."""


def task_for(
    state: TournamentState,
    attempt: Attempt,
    benched: Mapping[int, str] | None = None,
    *,
    is_alone: bool = False,
) -> GameTask:
    """Return the task of *attempt*; everything else follows from the plan.

    *benched* bots, with the reasons (`None`: those benched now), are replaced by
    holding bots.
    """
    if benched is None:
        benched = dict.fromkeys(sorted(state.ledger.benched), BENCHED)
        benched |= dict.fromkeys(state.ledger.deaths.at_fault, AT_FAULT)
    planned, programs = state.plan.game(attempt.game), state.file.programs()
    seats = tuple(
        SeatTask(power, bot, programs[bot], seed, benched.get(bot, ""))
        for power, bot, seed in zip(
            state.plan.description.powers, planned.bots, planned.bot_seeds, strict=True
        )
    )
    return GameTask(
        state.plan.description.name,
        attempt,
        seats,
        planned.seed,
        state.file.game_settings(),
        is_alone=is_alone,
        limits=state.file.settings.limits,
        logs=state.file.settings.logs.keep,
    )


def trial_of(state: TournamentState, bot: int) -> GameTask:
    """Return the task of starting *bot* once, in the first seat of a game."""
    described = state.plan.description
    return GameTask(
        described.name,
        Attempt(0, 1),
        (SeatTask(described.powers[0], bot, state.file.programs()[bot], 0),),
        0,
        state.file.game_settings(),
        is_trial=True,
        limits=state.file.settings.limits,
        logs="none",
    )


def untried_bots(state: TournamentState) -> set[int]:
    """Return the bots that are commands, may play, and have not played yet."""
    ledger = state.ledger
    played = {seat.bot for game in ledger.played.values() for seat in game.seats}
    commands = {at for at, bot in enumerate(state.file.bots) if bot.command}
    return commands - played - ledger.benched - set(state.file.retired)


def task_again(state: TournamentState, played: PlayedGame) -> GameTask:
    """Return the task of a *played* game, with the bots that it had then."""
    benched = {
        seat.bot: seat.forfeit.reason
        for seat in played.seats
        if seat.forfeit and seat.forfeit.reason in {BENCHED, AT_FAULT}
    }
    return task_for(state, Attempt(played.game, played.attempt), benched)


VOIDS_IN_A_ROW = 10
"""A run ends after this number of void games in a row, or after twice the number of
parallel games if that is more."""
DEATHS_IN_A_ROW = 30
"""The same if workers were killed: by then it may be clear which bot does it."""
ABORT_SECONDS = 20.0
"""Grace period for running games after an abort, in seconds."""

PlayTask = Callable[[GameTask], GameReport]
ReportEvent = Callable[[RunEvent], None]


@define(eq=False)
class Scheduler:
    """Plays a tournament with an executor; *report* is called with events.

    `running` are the attempts in progress. `failure` is why the run gave up, if it did.
    """

    state: TournamentState
    executor: OpenExecutor
    report: ReportEvent
    play: PlayTask = play_task
    running: dict[int, Attempt] = field(factory=dict, init=False)
    failure: str | None = field(default=None, init=False)
    is_draining: bool = field(default=False, init=False)
    _is_aborted: bool = field(default=False, init=False)
    _changed: trio.Event = field(factory=trio.Event, init=False)
    _scopes: set[trio.CancelScope] = field(factory=set, init=False)
    _voids: int = field(default=0, init=False)
    _slow: set[int] = field(factory=set, init=False)
    """The bots that were not ready in time, until they are."""
    _untried: set[int] = field(factory=set, init=False)
    """The bots that are being started for the first time."""
    _ladder: LadderChoice | None = field(default=None, init=False)

    def __attrs_post_init__(self) -> None:
        if self.state.plan.description.is_ladder:
            self._ladder = LadderChoice(
                self.state, lambda text: self.report(RunNote(text))
            )

    async def run(self) -> None:
        """Play until no game is left, the stop rule is met, or `drain` is called."""
        self._untried = untried_bots(self.state)
        async with trio.open_nursery() as trials, trio.open_nursery() as nursery:
            for bot in sorted(self._untried):
                trials.start_soon(self._try_start, bot)
            while True:
                self._changed = trio.Event()
                while self._begin_next(nursery):
                    pass
                if not self.running and (self.is_over or not self._untried):
                    break
                await self._changed.wait()
            trials.cancel_scope.cancel()

    async def _try_start(self, bot: int) -> None:
        """Start *bot* before it has a seat; mark it as slow if it is not ready."""
        task = trial_of(self.state, bot)
        (seat,) = task.seats
        report = await self._report_of(task.attempt, task)
        reason = getattr(report.outcome, "reason", "was broken off")
        if game_task.is_slow_start(report.outcome):
            self._slow.add(bot)
        how = f", sandbox {sandbox_of(seat.program)}" if self.executor.is_local else ""
        found = f"starts{how}" if report.has_started else f"does not start: {reason}"
        self.report(RunNote(f"bot {seat.program.name} {found}"))
        self._untried.discard(bot)
        self._changed.set()

    def drain(self) -> None:
        """Begin no more games; `run` returns when the games in progress have ended."""
        self.is_draining = True
        self._changed.set()

    def abort(self) -> None:
        """Abort the games in progress, which are then unfinished."""
        self.drain()
        self._is_aborted = True
        self.executor.interrupt()
        seconds = ABORT_SECONDS if self.executor.is_local else 0.0
        for scope in self._scopes:
            scope.deadline = trio.current_time() + seconds

    @property
    def is_over(self) -> bool:
        """Whether no more games begin."""
        return self.is_draining or self.state.stopped is not None

    def _begin_next(self, nursery: trio.Nursery) -> bool:
        """Begin a game if one fits; return whether one did."""
        attempt = self._next_attempt()
        if attempt is None:
            return False
        self.running[attempt.game] = attempt
        self.state.results.begin_attempt(attempt)
        voids = self.state.ledger.voids.get(attempt.game, ())
        is_slow = not self._slow.isdisjoint(self.state.plan.bots(attempt.game))
        is_alone = is_slow or any(map(game_task.is_slow_start, voids))
        task = task_for(self.state, attempt, is_alone=is_alone)
        bots = tuple(seat.program.name for seat in task.seats)
        self.report(GameBegun(attempt, bots))
        nursery.start_soon(self._play, attempt, task)
        return True

    def _next_attempt(self) -> Attempt | None:
        """Return the first remaining game whose bots are free, or a ladder's next."""
        if self.is_over or len(self.running) >= self.executor.slots:
            return None
        plan, waiting = self.state.plan, self._waiting()
        busy = Counter(bot for game in self.running for bot in plan.bots(game))
        for attempt in islice(self.state.ledger.to_play(self.running), LOOK_AHEAD):
            bots = plan.bots(attempt.game)
            if waiting.isdisjoint(bots) and self._fits(Counter(bots), busy):
                return attempt
        if self._ladder is None or not self._has_tried_enough:
            return None
        return self._ladder.decide(tuple(self.running), waiting)

    def _fits(self, copies: Mapping[int, int], busy: Mapping[int, int]) -> bool:
        """Return whether no bot would have more copies than it may."""
        return all(
            not 0 < self.state.file.bots[bot].at_once < busy[bot] + count
            for bot, count in copies.items()
        )

    def _waiting(self) -> frozenset[int]:
        """Return the bots that begin no game now: a slow bot has one game at a time."""
        plan = self.state.plan
        busy = {bot for game in self.running for bot in plan.bots(game)}
        return frozenset(self._untried | (self._slow & busy))

    @property
    def _has_tried_enough(self) -> bool:
        """Return whether the bots that were started once suffice for a game."""
        described = self.state.plan.description
        tried = len(described.bots) - len(self._untried)
        return not self._untried or tried >= len(described.powers)

    async def _play(self, attempt: Attempt, task: GameTask) -> None:
        began, report = trio.current_time(), game_task.unfinished(attempt)
        with trio.CancelScope() as scope:
            self._scopes.add(scope)
            report = await self._report_of(attempt, task)
        self._scopes.discard(scope)
        if self._is_aborted and not isinstance(report.outcome, PlayedGame):
            # Its worker may have ended before the report was written.
            report = game_task.unfinished(attempt)
        self._settle(attempt, report, trio.current_time() - began)

    async def _report_of(self, attempt: Attempt, task: GameTask) -> GameReport:
        try:
            future = self.executor.executor.submit(self.play, task)
            report = await result_of(future)
        except CancelledError:
            return game_task.unfinished(attempt)
        except WorkerDeathError as error:
            return death(task, str(error))
        except Exception as error:  # noqa: BLE001 - whatever an executor raises
            reason = f"{type(error).__name__}: {error}" if str(error) else repr(error)
            return game_task.void(attempt, reason)
        outcome = report.outcome
        if (outcome.game, outcome.attempt) != (attempt.game, attempt.number):
            found = f"game {outcome.game}, attempt {outcome.attempt}"
            reason = f"the executor returned the outcome of {found}"
            return game_task.void(attempt, reason)
        is_broken_off = (
            isinstance(outcome, game_outcomes.UnfinishedGame) and not report.has_started
        )
        if is_broken_off and self.executor.is_local and not self._is_aborted:
            return death(task, "a signal, not of the run, has ended the game")
        return report

    def _settle(self, attempt: Attempt, report: GameReport, seconds: float) -> None:
        """Store the outcome of *attempt*, with its record and logs."""
        state, outcome = self.state, report.outcome
        if isinstance(outcome, PlayedGame):
            outcome = game_outcomes.scored(outcome, state.plan.description)
        del self.running[attempt.game]
        if not state.results.holds(outcome):
            state.folder.write(report)
        counts = state.results.add(outcome, seconds=seconds)
        if isinstance(outcome, PlayedGame):
            state.ledger.add(game_outcomes.without_details(outcome))
            self._slow -= {seat.bot for seat in outcome.seats if not seat.forfeit}
        else:
            state.ledger.add(outcome)
        if game_task.is_slow_start(outcome):
            self._slow.update(outcome.blamed)
        state.follow()
        self._count_voids(outcome)
        self.report(GameOver(outcome, seconds, counts))
        self._changed.set()

    def _count_voids(self, outcome: GameOutcome) -> None:
        if isinstance(outcome, PlayedGame):
            self._voids = 0
        elif isinstance(outcome, game_outcomes.VoidGame):
            self._voids += 1
            most = DEATHS_IN_A_ROW if outcome.suspects else VOIDS_IN_A_ROW
            if self._voids >= max(most, 2 * self.executor.slots):
                self.failure = (
                    f"{self._voids} games in a row were void: {outcome.reason}"
                )
                self.drain()


def death(task: GameTask, reason: str) -> GameReport:
    """Return the report of a game whose worker was killed, naming its bots."""
    running = [
        seat for seat in task.seats if not seat.program.builtin and not seat.stand_in
    ]
    names = ", ".join(f"{seat.power} {seat.program.name}" for seat in running)
    suspects = tuple(dict.fromkeys(seat.bot for seat in running))
    found = f"{reason}; its bots: {names}" if names else reason
    return game_task.void(task.attempt, found, suspects)


@contextmanager
def showing(home: TournamentFolder) -> Iterator[PlayTask]:
    """Yield a function like `play_task`; meanwhile a page of *home* can show the games.

    A worker sends the record so far after a turn, at most a few times a second, and
    never before the previous one was received: a slow receiver delays no game. The
    files for pages are removed at the end.
    """

    def play(task: GameTask) -> GameReport:
        if not home.has_interest():
            return play_task(task)
        # Writing records is slow to import, and only a page asks for it.
        from daide_server.server import written_games as shown  # noqa: PLC0415

        def write(content: bytes) -> None:
            with suppress(OSError):
                shown.write_running(path, content)

        with suppress(OSError):
            shown.claim(home.running)
        record = home.running / home.record(task.attempt.game).name
        path = record.with_suffix(shown.RUNNING_SUFFIX)
        try:
            return play_task(task, write)
        finally:
            with suppress(OSError):
                path.unlink()

    try:
        yield play
    finally:
        if home.running.exists():
            from daide_server.server.written_games import release  # noqa: PLC0415

            with suppress(OSError):
                release(home.running)


async def result_of(future: Future[GameReport]) -> GameReport:
    """Wait for *future*, and return or raise its result; cancel it if cancelled."""
    token, done = trio.lowlevel.current_trio_token(), trio.Event()

    def wake(_: object) -> None:
        # The run may have ended meanwhile.
        with suppress(trio.RunFinishedError):
            token.run_sync_soon(done.set)

    future.add_done_callback(wake)
    try:
        await done.wait()
    except trio.Cancelled:
        future.cancel()
        raise
    failure = future.exception()
    if failure is not None and not isinstance(failure, Exception):
        # SystemExit in a worker must not end the run.
        raise ChildProcessError(repr(failure))
    return future.result()

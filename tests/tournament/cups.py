"""Folders of tournaments, and games that are played by a formula."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from pathlib import Path

from attrs import evolve

from daide_server.tournament.game_outcomes import Forfeit, PlayedGame, SeatOutcome
from daide_server.tournament.plan import PlannedGame
from daide_server.tournament.run import tournament_state
from daide_server.tournament.run.bot_settings import BotSettings
from daide_server.tournament.run.executors import OpenExecutor
from daide_server.tournament.run.game_task import GameReport, GameTask
from daide_server.tournament.run.scheduler import GameOver, RunEvent, Scheduler
from daide_server.tournament.run.tournament_settings import (
    TOURNAMENT_DEFAULTS,
    DesignSettings,
    NameSettings,
    TournamentSettings,
)
from daide_server.tournament.run.tournament_texts import match_file
from daide_server.tournament.standings import TournamentStatus
from tests.support.tournaments import played

RECORD = b"{}"

PlayTask = Callable[[GameTask], GameReport]


ONE_YEAR = evolve(TOURNAMENT_DEFAULTS.policy, year_limit=1901, post_game_seconds=0.0)


def write_cup(
    folder: Path,
    *,
    games: int = 14,
    bots: int | Sequence[BotSettings] = 7,
    **others: object,
) -> Path:
    """Write the file of a tournament of *bots*, or as many that hold."""
    folder.mkdir(parents=True, exist_ok=True)
    entrants = hold_bots(bots) if isinstance(bots, int) else bots
    text = match_file(cup_settings(games=games, **others), entrants)
    (folder / "tournament.toml").write_text(text)
    return folder


def cup_settings(*, games: int = 14, **others: object) -> TournamentSettings:
    usual = evolve(
        TOURNAMENT_DEFAULTS,
        names=NameSettings(name="cup", seed=7),
        design=DesignSettings(games=games),
    )
    return evolve(usual, **others)  # type: ignore[arg-type]


def hold_bots(count: int) -> list[BotSettings]:
    return [BotSettings(name=f"bot{at}", builtin="hold") for at in range(count)]


def result_of_task(task: GameTask) -> PlayedGame:
    """Return the outcome that the seed of *task* decides."""
    bots = tuple(seat.bot for seat in task.seats)
    seeds = tuple(seat.seed for seat in task.seats)
    game = PlannedGame(task.attempt.game, 0, bots, task.seed, seeds)
    return played(game, task.attempt.number)


def quits(task: GameTask, *, bot: int, reason: str = "exited") -> PlayedGame:
    """Return the outcome of *task*, which *bot* forfeits if it plays."""
    found = result_of_task(task)
    seats = [
        evolve(seat, forfeit=Forfeit(None, reason) if seat.bot == bot else None)
        for seat in found.seats
    ]
    return evolve(found, seats=tuple(seats))


def play_by_seed(content: GameTask) -> GameReport:
    """Return the report of a task, as a worker would."""
    return GameReport(result_of_task(content), RECORD)


def first_seat(report: GameReport) -> SeatOutcome:
    """Return what became of the first seat; all others were played to the end."""
    assert isinstance(report.outcome, PlayedGame), report.outcome
    first, *others = report.outcome.seats
    assert [seat.forfeit for seat in others] == [None] * 6
    return first


def forfeit_of_first(report: GameReport) -> Forfeit:
    forfeit = first_seat(report).forfeit
    assert forfeit is not None
    return forfeit


class SameThread(Executor):
    """An executor that plays at once, in the thread of the run."""

    def submit(  # type: ignore[override]
        self, fn: PlayTask, /, *args: GameTask, **kwargs: object
    ) -> Future[GameReport]:
        del kwargs
        future: Future[GameReport] = Future()
        try:
            future.set_result(fn(*args))
        except BaseException as error:  # noqa: BLE001 - it is for the future
            future.set_exception(error)
        return future


class Waiting(Executor):
    """An executor whose games are over when the test says so."""

    def __init__(self) -> None:
        self.begun: dict[int, tuple[Future[GameReport], GameTask]] = {}
        self.most = 0
        self.lock = threading.Lock()

    def submit(  # type: ignore[override]
        self, fn: PlayTask, /, *args: GameTask, **kwargs: object
    ) -> Future[GameReport]:
        del fn, kwargs
        future: Future[GameReport] = Future()
        self.begun[args[0].attempt.game] = future, args[0]
        self.most = max(self.most, len(self.begun))
        return future

    def finish(self, game: int, play: PlayTask = play_by_seed) -> None:
        future, task = self.begun.pop(game)
        future.set_result(play(task))


def scheduler(
    state: tournament_state.TournamentState,
    play: PlayTask = play_by_seed,
    executor: Executor | None = None,
    slots: int = 2,
) -> tuple[Scheduler, list[RunEvent]]:
    """Return a scheduler for *state*, and what it will report."""
    events: list[RunEvent] = []
    opened = OpenExecutor(executor or SameThread(), slots)
    return Scheduler(state, opened, events.append, play), events


async def run_all(
    folder: Path, play: PlayTask = play_by_seed, slots: int = 2
) -> tuple[Scheduler, list[RunEvent]]:
    """Play what is left; return the scheduler, and what it reported."""
    with tournament_state.playing(folder) as (state, _):
        run, events = scheduler(state, play, slots=slots)
        await run.run()
    return run, events


def look(folder: Path) -> tournament_state.TournamentState:
    """Return the tournament in *folder*, its store closed again."""
    state = tournament_state.look_at(folder)
    state.close()
    state.store = None
    return state


def status_of(folder: Path) -> TournamentStatus:
    """Return the status of the tournament in *folder*."""
    state = tournament_state.look_at(folder)
    status = state.status()
    state.close()
    return status


async def play_some(
    folder: Path,
    *,
    games: int,
    play: PlayTask = play_by_seed,
    slots: int = 2,
    also: Callable[[RunEvent], None] = lambda _: None,
) -> None:
    """Play *games* more games; *also* is called with each event of the run."""
    over = 0
    with tournament_state.playing(folder) as (state, _):
        run, _ = scheduler(state, play, slots=slots)

        def report(event: RunEvent) -> None:
            nonlocal over
            also(event)
            over += isinstance(event, GameOver)
            if over >= games:
                run.drain()

        run.report = report
        await run.run()

"""A run plays what is left: each game once, as many at the same time as fit."""

import shutil
from collections.abc import AsyncIterator, Callable
from concurrent.futures import CancelledError
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
import trio
import trio.testing
from attrs import evolve

from daide_server.server.settings import BoardSettings
from daide_server.tournament.description import DescriptionError, StopRule
from daide_server.tournament.game_outcomes import Attempt, UnfinishedGame, VoidGame
from daide_server.tournament.run.bot_settings import BotSettings
from daide_server.tournament.run.errors import RunningError
from daide_server.tournament.run.game_task import (
    AT_FAULT,
    SLOW_START,
    GameReport,
    GameTask,
    TroubleLimits,
)
from daide_server.tournament.run.scheduler import GameOver, RunNote, Scheduler, task_for
from daide_server.tournament.run.tournament_settings import DesignSettings
from daide_server.tournament.run.tournament_state import TournamentState, playing
from daide_server.tournament.run.worker import WORKERS, WorkerDeathError
from tests.support.waiting import until
from tests.tournament import cups

BOARD = Path(__file__).parents[2] / "maps" / "standard.toml"
START = '{"phase": "F1905M", "units": {"FRANCE": ["A BUR"]}, "centers": {}}'
PROGRAMS = [
    BotSettings(name=f"bot{at}", command=("bot",), sandbox="none") for at in range(7)
]


async def test_a_tournament_resumes_in_a_folder_that_was_moved(tmp_path: Path) -> None:
    """Also if its board and its start are files in it, but not if those change."""
    board = BoardSettings(variant="own.toml", start="old.json:F1905M")
    folder = cups.write_cup(tmp_path / "here", games=7, board=board)
    shutil.copy(BOARD, folder / "own.toml")
    (folder / "old.json").write_text(START)
    with playing(folder) as (state, _):
        game = task_for(state, Attempt(1, 1)).game["game"]
    assert game["variant"] == str(folder / "own.toml")
    await cups.run_all(folder)

    folder = folder.rename(tmp_path / "there")
    await cups.run_all(cups.write_cup(folder, games=14, board=board))

    assert cups.status_of(folder).played == 14
    assert cups.look(folder).ledger.planned == ((1, 7), (2, 14))
    (folder / "old.json").write_text(START.replace("BUR", "PAR"))
    with pytest.raises(RunningError, match=r"game\.start: "):
        await cups.run_all(folder)


async def test_attempts_that_were_no_games_do_not_keep_a_wrong_file(
    tmp_path: Path,
) -> None:
    """A mistake in the file had made all games void; then it was mended."""
    folder = cups.write_cup(tmp_path, bots=8)
    with playing(folder) as (state, _):
        assert state.store is not None
        state.store.add(VoidGame(1, 1, "q cannot be started"))
    cups.write_cup(tmp_path, bots=7)
    assert cups.look(folder).ledger.voids == {}

    await cups.run_all(folder)

    assert cups.status_of(folder).played == 14
    assert cups.look(folder).ledger.voids == {}


@pytest.mark.parametrize("damage", [Path.unlink, lambda path: path.write_bytes(b"")])
async def test_records_without_their_results_are_not_played_again(
    tmp_path: Path, damage: Callable[[Path], object]
) -> None:
    """Others would be written in their place."""
    folder = cups.write_cup(tmp_path, games=7)
    await cups.run_all(folder)
    (record,) = folder.glob("games/000001.json")
    record.write_bytes(b"{}\n")
    damage(folder / "results.db")

    lost = "found records of 7 games, and no results of them"
    with pytest.raises(RunningError, match=lost):
        await cups.run_all(folder)
    with pytest.raises(RunningError, match=lost):
        cups.look(folder)

    assert record.read_bytes() == b"{}\n"


@pytest.mark.parametrize("failure", [OSError, SystemExit, KeyboardInterrupt])
async def test_a_void_game_is_played_again_as_it_was_and_then_given_up(
    tmp_path: Path, failure: type[BaseException]
) -> None:
    """Whatever the executor's workers do, be it an exit."""
    folder = cups.write_cup(tmp_path, games=7, limits=TroubleLimits(retries=1))
    seen = []

    def play(task: GameTask) -> GameReport:
        if task.attempt.game == 3:
            seen.append(task)
            raise failure
        return cups.play_by_seed(task)

    await cups.run_all(folder, play)

    status = cups.status_of(folder)
    assert (status.played, status.unplayed, status.remaining) == (6, 1, 0)
    assert {bot.voids for bot in status.bots} == {0}
    first, again = seen
    assert (again.attempt.number, evolve(again, attempt=first.attempt)) == (2, first)


@pytest.mark.parametrize(
    ("failure", "bots", "games"),
    [
        (OSError("no such host"), cups.hold_bots(7), 10),
        # The same bots play in all games; each reason names them.
        (WorkerDeathError("worker 1 ended with SIGKILL"), PROGRAMS, 30),
    ],
)
async def test_when_everything_is_void_the_run_gives_up(
    tmp_path: Path, failure: Exception, bots: list[BotSettings], games: int
) -> None:
    cups.write_cup(tmp_path, games=420, bots=bots)

    def play(_: GameTask) -> GameReport:
        raise failure

    run, events = await cups.run_all(tmp_path, play)

    assert (run.failure or "").startswith(f"{games} games in a row were void: ")
    assert str(failure) in (run.failure or "")
    assert all(bot.name in (run.failure or "") for bot in bots if bot.command)
    assert sum(isinstance(each, GameOver) for each in events) <= games + 2
    assert cups.look(tmp_path).ledger.deaths.at_fault == set()


async def test_a_bot_at_fault_stays_so_in_the_next_run(tmp_path: Path) -> None:
    """It follows from the outcomes that are stored."""
    killer = BotSettings(name="killer", command=("killer",))
    cups.write_cup(tmp_path, games=42, bots=[killer, *cups.hold_bots(8)])

    def play(task: GameTask) -> GameReport:
        seats = task.seats
        if any(seat.bot == 0 and not seat.stand_in for seat in seats):
            raise WorkerDeathError("worker 1 ended with SIGKILL")
        return cups.play_by_seed(task)

    await cups.play_some(tmp_path, games=8, play=play, slots=1)
    with playing(tmp_path) as (state, _):
        assert state.ledger.deaths.at_fault == {0}
        first = next(
            game
            for game in state.plan.all_games()
            if game.number > 8 and 0 in game.bots
        )
        seats = task_for(state, Attempt(first.number, 1)).seats
        again, _ = cups.scheduler(state, play, slots=1)
        await again.run()

    assert {seat.bot: seat.stand_in for seat in seats if seat.stand_in} == {0: AT_FAULT}
    status = cups.status_of(tmp_path)
    assert (status.played, status.unplayed) == (status.games, 0)
    assert [bot.worker_deaths for bot in status.bots if bot.worker_deaths] == [3]


async def test_a_result_of_another_game_does_not_count(tmp_path: Path) -> None:
    folder = cups.write_cup(tmp_path, games=7, limits=TroubleLimits(retries=0))

    def play(task: GameTask) -> GameReport:
        if task.attempt.game == 2:
            task = evolve(task, attempt=Attempt(1, 1))
        return GameReport(cups.result_of_task(task))

    await cups.run_all(folder, play)

    status = cups.status_of(folder)
    assert (status.played, status.unplayed) == (6, 1)


async def test_a_benched_bot_is_replaced(tmp_path: Path) -> None:
    folder = cups.write_cup(tmp_path, games=14, limits=TroubleLimits(bench_after=2))
    stand_ins = []

    def play(task: GameTask) -> GameReport:
        stand_ins.append({seat.bot for seat in task.seats if seat.stand_in})
        return GameReport(cups.quits(task, bot=4))

    await cups.run_all(folder, play, slots=1)

    assert stand_ins == [set(), set()] + [{4}] * 12
    assert cups.status_of(folder).bots[-1].forfeits == 14


def is_over(run: Scheduler, attempt: Attempt) -> bool:
    return attempt not in run.running.values()


@asynccontextmanager
async def run_beside(
    folder: Path, executor: cups.Waiting, slots: int = 2
) -> AsyncIterator[Scheduler]:
    """Give a run, whose games are over when the test says so."""
    with playing(folder) as (state, _):
        run, _ = cups.scheduler(state, executor=executor, slots=slots)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(run.run)
            yield run


async def until_played(state: TournamentState, games: int) -> None:
    await until(lambda: len(state.ledger.played) == games)


async def test_as_many_games_as_fit_are_played_at_the_same_time(tmp_path: Path) -> None:
    """Each is stored with the seconds that it took."""
    folder, executor = cups.write_cup(tmp_path, games=14), cups.Waiting()
    began = trio.current_time()

    async with run_beside(folder, executor, slots=3) as run:
        for played in range(14):
            full = min(3, 14 - played)
            await until(lambda: len(executor.begun) == len(run.running) == full)  # noqa: B023
            assert cups.status_of(folder).running == full
            executor.finish(max(executor.begun))
        await until_played(run.state, 14)
        assert run.state.store is not None
        took = [each.seconds or 0.0 for each in run.state.store.attempts()]

    assert executor.most == 3
    assert cups.status_of(folder).played == 14
    assert trio.current_time() - began >= max(took)


async def test_a_bot_has_no_more_copies_than_allowed(tmp_path: Path) -> None:
    """The others go on: with ten bots some games do without it."""
    folder, executor = tmp_path, cups.Waiting()
    bots = [
        evolve(bot, at_once=1 if bot.name == "bot0" else 0)
        for bot in cups.hold_bots(10)
    ]
    cups.write_cup(folder, games=20, bots=bots)

    async with run_beside(folder, executor, slots=4) as run:
        plan = run.state.plan
        for played in range(plan.games):
            await until(lambda: len(executor.begun) == len(run.running) > 0)
            with_it = [g for g in executor.begun if 0 in plan.game(g).bots]
            assert len(with_it) <= 1
            executor.finish(min(executor.begun))
            await until_played(run.state, played + 1)

    assert executor.most == 4


async def test_what_can_never_fit_is_refused(tmp_path: Path) -> None:
    bots = [evolve(bot, at_once=2) for bot in cups.hold_bots(2)]
    cups.write_cup(tmp_path, bots=bots)

    with pytest.raises(DescriptionError, match="at_once: found 2, expected 4 or more"):
        await cups.run_all(tmp_path)
    assert not (tmp_path / "results.db").exists()


async def test_draining_waits_for_the_games_that_are_played(tmp_path: Path) -> None:
    folder, executor = cups.write_cup(tmp_path, games=14), cups.Waiting()

    async with run_beside(folder, executor) as run:
        await until(lambda: len(executor.begun) == 2)
        run.drain()
        executor.finish(2)
        executor.finish(1)

    status = cups.status_of(folder)
    assert (status.played, status.remaining, status.running) == (2, 12, 0)


async def test_aborted_games_are_played_again(tmp_path: Path) -> None:
    folder, executor = cups.write_cup(tmp_path, games=7), cups.Waiting()

    async with run_beside(folder, executor) as run:
        await until(lambda: len(executor.begun) == 2)
        run.abort()
    assert all(future.cancelled() for future, _ in executor.begun.values())
    assert cups.status_of(folder).played == 0

    await cups.run_all(folder)

    state = cups.look(folder)
    assert cups.status_of(folder).played == 7
    assert {state.ledger.played[game].attempt for game in (1, 2)} == {2}
    assert cups.status_of(folder).bots[0].voids == 0


async def test_after_an_abort_only_what_was_played_counts(tmp_path: Path) -> None:
    """Games on this machine have some seconds for their end."""
    folder, executor = cups.write_cup(tmp_path, games=7), cups.Waiting()

    async with run_beside(folder, executor) as run:
        run.executor = evolve(run.executor, is_local=True)
        await until(lambda: len(executor.begun) == 2)
        run.abort()
        executor.finish(1)
        executor.finish(2, lambda _: GameReport(VoidGame(2, 1, "the worker ended")))
    WORKERS.stop()

    assert cups.status_of(folder).played == 1
    assert not cups.look(folder).ledger.voids


async def test_a_cancelled_task_is_unfinished(tmp_path: Path) -> None:
    folder, count = cups.write_cup(tmp_path, games=7), 0

    def play(task: GameTask) -> GameReport:
        nonlocal count
        count += 1
        if count == 1:
            raise CancelledError
        return cups.play_by_seed(task)

    await cups.run_all(folder, play)

    assert cups.status_of(folder).played == 7
    assert not cups.look(folder).ledger.voids


async def test_the_stop_rule_ends_a_run(tmp_path: Path) -> None:
    """Two equal bots would never be told apart; an interval gets narrow."""
    folder = cups.write_cup(tmp_path, games=420, bots=2, stop=StopRule(half_width=0.1))

    await cups.run_all(folder)

    status = cups.status_of(folder)
    assert status.stopped == "every interval is at most 0.1 to each side"
    assert 14 <= status.played < 420


async def test_a_slow_start_is_tried_again_alone(tmp_path: Path) -> None:
    folder, alone = cups.write_cup(tmp_path, games=14), []

    def play(task: GameTask) -> GameReport:
        if task.is_alone:
            alone.append(task.attempt)
        if task.attempt == Attempt(3, 1):
            slow = VoidGame(3, 1, f"{SLOW_START}bot4", blamed=(4,))
            return GameReport(slow)
        return cups.play_by_seed(task)

    await cups.run_all(folder, play)

    assert alone == [Attempt(3, 2)]
    status = cups.status_of(folder)
    assert status.played == 14
    assert [bot.name for bot in status.bots if bot.voids] == ["bot4"]


async def test_a_hung_bot_costs_its_own_games_only(tmp_path: Path) -> None:
    """While one game waits for it, the others play on; it has one game at a time."""
    folder = cups.write_cup(
        tmp_path, games=48, bots=12, limits=TroubleLimits(bench_after=3)
    )
    executor = cups.Waiting()

    def play(task: GameTask) -> GameReport:
        game, attempt = task.attempt.game, task.attempt.number
        if not task.is_alone:
            slow = VoidGame(game, attempt, f"{SLOW_START}bot0", blamed=(0,))
            return GameReport(slow)
        return GameReport(cups.quits(task, bot=0))

    async with run_beside(folder, executor) as run:
        state = run.state
        while not state.ledger.is_complete():
            await until(lambda: len(executor.begun) == len(run.running) > 0)
            tasks = {g: t for g, (_, t) in executor.begun.items()}
            waits = [g for g, t in tasks.items() if any(s.bot == 0 for s in t.seats)]
            others = [game for game in tasks if game not in waits]
            # A game of the hung bot is over when nothing else is left to play.
            game = others[0] if others else waits[0]
            executor.finish(game, play if game in waits else cups.play_by_seed)
            await until(partial(is_over, run, tasks[game].attempt))
    assert state.ledger.benched == {0}
    assert {*state.ledger.unplayed} == {
        game.number
        for game in state.plan.all_games()
        if 0 in game.bots and game.number not in state.ledger.played
    }
    assert cups.status_of(folder).played > 15


STARTED = GameReport(UnfinishedGame(0, 1), has_started=True)


async def test_a_bot_is_started_before_it_has_a_seat(tmp_path: Path) -> None:
    """One that hangs is tried once more, alone, and no game is void for it."""
    cups.write_cup(tmp_path, bots=PROGRAMS)
    tried, alone = list[int](), list[int]()

    def play(task: GameTask) -> GameReport:
        if task.is_trial:
            (seat,) = task.seats
            tried.append(seat.bot)
            reasons = {3: f"{SLOW_START}bot3", 4: "exited with code 1"}
            if seat.bot in reasons:
                return GameReport(VoidGame(0, 1, reasons[seat.bot]))
            return STARTED
        assert sorted(tried) == list(range(7))
        alone.extend([task.attempt.game] * task.is_alone)
        return cups.play_by_seed(task)

    run, events = await cups.run_all(tmp_path, play)
    assert not run.state.ledger.voids
    await cups.run_all(tmp_path, play)

    assert len(tried) == 7, "only before its first game"
    assert alone == [1], "then it is known to start"
    assert cups.status_of(tmp_path).played == 14
    said = [each.text for each in events if isinstance(each, RunNote)]
    assert "bot bot0 starts" in said
    assert "bot bot4 does not start: exited with code 1" in said
    assert f"bot bot3 does not start: {SLOW_START}bot3" in said


async def test_others_play_on_while_a_bot_is_started(tmp_path: Path) -> None:
    bots = [*cups.hold_bots(12), evolve(PROGRAMS[0], name="hangs")]
    folder, executor = cups.write_cup(tmp_path, games=24, bots=bots), cups.Waiting()

    async with run_beside(folder, executor) as run:
        state = run.state
        await until(lambda: len(executor.begun) > 1)
        while games := [game for game in executor.begun if game]:
            played = len(state.ledger.played)
            executor.finish(games[0])
            await until(lambda: len(state.ledger.played) > played)  # noqa: B023
            await trio.testing.wait_all_tasks_blocked()
        assert state.ledger.played
        assert all(12 not in state.plan.bots(game) for game in state.ledger.played)
        executor.finish(0, lambda _: STARTED)
        run.drain()
        await until(lambda: bool(executor.begun) or not run.running)
        for game in list(executor.begun):
            executor.finish(game)


@pytest.mark.parametrize(("others", "begins"), [(6, False), (7, True)])
async def test_a_ladder_begins_when_a_game_can_do_without_the_untried(
    tmp_path: Path, others: int, *, begins: bool
) -> None:
    bots = [*cups.hold_bots(others), evolve(PROGRAMS[0], name="mine")]
    folder = cups.write_cup(tmp_path, bots=bots, design=DesignSettings(kind="ladder"))
    executor = cups.Waiting()

    async with run_beside(folder, executor) as run:
        await until(lambda: 0 in executor.begun)
        await trio.testing.wait_all_tasks_blocked()
        assert bool(run.running) is begins
        run.drain()
        executor.finish(0, lambda _: STARTED)
        for game in list(executor.begun):
            executor.finish(game)


async def test_a_program_that_has_changed_is_named(tmp_path: Path) -> None:
    cups.write_cup(tmp_path, bots=PROGRAMS)
    program = tmp_path / "bot"
    for text, named in (
        ("1", ()),
        ("1", ()),
        ("2", tuple(f"bot{at}" for at in range(7))),
    ):
        program.write_text(text)
        with playing(tmp_path) as (state, changed):
            await cups.scheduler(state)[0].run()
        assert changed == named

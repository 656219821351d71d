"""The view worker: asked, refused, lost and replaced."""

import math
import os
from pathlib import Path

import pytest
import trio

from daide_server.records.entries import RecordEntry, TurnResolved
from daide_server.records.secrecy import PressPolicy
from daide_server.web.view_jobs import (
    BoardJob,
    BoardPart,
    EntriesMissing,
    Job,
    JobFailed,
    RecordPlace,
    RunningGameJob,
    RunningGameViews,
    RunningPlace,
)
from daide_server.web.view_jobs import PictureJob as Picture
from daide_server.web.view_maker import ViewMaker
from daide_server.web.view_making import ViewMaking
from tests.support.random_games import Play

BOARD = BoardJob("standard", BoardPart.PLACES)


def running(entries: list[RecordEntry], offset: int = 0) -> RunningGameJob:
    return RunningGameJob(
        "g", "standard", offset, tuple(entries), 0.0, {}, PressPolicy(), math.inf
    )


async def test_a_worker_that_dies_is_replaced() -> None:
    maker = ViewMaker()
    with trio.fail_after(60):
        first = await maker.ask(BOARD)
        assert isinstance(first, bytes)
        assert maker._worker is not None
        maker._worker._process.kill()
        maker._worker._process.wait()
        assert await maker.ask(BOARD) == first
    maker.close()


async def test_ctrl_c_does_not_reach_a_worker() -> None:
    """The terminal sends it to the group of the server, maybe while a worker starts."""
    maker = ViewMaker()
    with trio.fail_after(60):
        await maker.ask(BOARD)
    assert maker._worker is not None
    assert os.getpgid(maker._worker._process.pid) != os.getpgrp()
    maker.close()


async def test_a_job_that_takes_too_long_fails_and_the_next_is_done() -> None:
    slow = ViewMaker(seconds=0.001)
    answer = await slow.ask(BOARD)
    assert isinstance(answer, JobFailed)
    assert slow._worker is None


async def test_an_ended_worker_fails_its_job() -> None:
    maker = ViewMaker()
    answers: list[object] = []

    async def ask() -> None:
        answers.append(await maker.ask(BOARD))

    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(ask)
            while maker._worker is None:  # noqa: ASYNC110 - nothing tells
                await trio.sleep(0.001)
            maker.close()
    assert isinstance(answers[0], JobFailed)


@pytest.mark.parametrize(
    "job",
    [
        BoardJob("no such board", BoardPart.PICTURE),
        Picture(RecordPlace(Path("/nonexistent"), None, "g", PressPolicy()), "S1901M"),
        Picture(RunningPlace("g"), "S1901M"),
    ],
)
def test_what_is_not_there_is_no_error_of_ours(job: Job) -> None:
    assert isinstance(ViewMaking().answer(job), JobFailed)


def test_a_running_game_goes_on_where_it_was(play: Play) -> None:
    """The views are those of all entries at once; only new turns are judged."""
    entries = play(3, turns=9)[:-4]
    cut = len(entries) - 3
    together = ViewMaking().answer(running(entries))
    making = ViewMaking()
    making.answer(running(entries[:cut]))
    rest = making.answer(running(entries[cut:], offset=cut))
    assert isinstance(together, RunningGameViews)
    assert isinstance(rest, RunningGameViews)
    assert rest.page == together.page
    assert together.turns[-len(rest.turns) :] == rest.turns
    assert len(rest.turns) == sum(
        isinstance(each, TurnResolved) for each in entries[cut:]
    )


def test_a_new_worker_asks_for_all_entries(play: Play) -> None:
    answer = ViewMaking().answer(running(play(1, turns=2)[5:], offset=5))
    assert answer == EntriesMissing()


def test_press_of_a_running_game_is_in_no_view(play: Play) -> None:
    answer = ViewMaking().answer(running(play(1, turns=3)[:-4]))
    assert isinstance(answer, RunningGameViews)
    assert not answer.press
    assert b"PCE" not in answer.page + answer.summary

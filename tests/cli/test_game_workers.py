"""Many games are worked on side by side, and few in this process."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from daide_server.cli.common import game_arguments
from daide_server.cli.common.failures import CommandError
from daide_server.cli.common.game_arguments import (
    FEW_GAMES,
    InputProblem,
    Source,
    worked,
)
from daide_server.cli.common.option_types import Boards
from daide_server.formats.errors import FormatError
from daide_server.storage.game_files import Found

MANY = 5 * FEW_GAMES
HERE = os.getpid()


def games(count: int) -> list[Source]:
    return [Found(Path("a"), number, b"%d" % number) for number in range(count)]


def content(found: Found, _: Boards) -> Iterator[tuple[bytes, bool]]:
    """Yield the content, and whether this is the process of the test."""
    yield found.content, os.getpid() == HERE


def refused(found: Found, _: Boards) -> Iterator[bytes]:
    yield found.content
    if found.line == MANY // 2:
        message = "no game"
        raise FormatError(message)


def killed(found: Found, _: Boards) -> Iterator[bytes]:
    if os.getpid() != HERE:
        os._exit(1)
    yield found.content


def items(sources: list[Source]) -> list[tuple[bytes, bool]]:
    return [
        result[1]
        for result in worked(sources, Boards(), content)
        if not isinstance(result, InputProblem)
    ]


@pytest.fixture(autouse=True)
def two_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_arguments, "processors", lambda: 2)


def test_few_games_need_no_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    few = FEW_GAMES - 1
    assert items(games(few)) == [(b"%d" % each, True) for each in range(few)]
    assert not items(games(FEW_GAMES))[0][1]
    monkeypatch.setattr(game_arguments, "processors", lambda: 1)
    assert items(games(MANY))[0][1]


def test_what_was_yielded_before_a_problem_is_kept() -> None:
    results = list(worked(games(MANY), Boards(), refused))
    place = results.index(InputProblem(f"a:{MANY // 2}", "no game"))
    kept = results[place - 1]
    assert len(results) == MANY + 1
    assert not isinstance(kept, InputProblem)
    assert kept[1] == b"%d" % (MANY // 2)


def test_a_killed_worker_is_an_error() -> None:
    with pytest.raises(CommandError, match="a worker process was killed"):
        list(worked(games(MANY), Boards(), killed))

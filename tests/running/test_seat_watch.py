"""When a bot has forfeited: times are numbers, nothing waits."""

import math

import pytest

from daide_server.running.game_task import TroubleLimits
from daide_server.running.running_game import (
    BotFault,
    SeatFacts,
    SeatWatch,
    away_limit,
    exit_text,
)

STARTING = SeatFacts(lives=True, has_begun=False, is_seated=False)
SEATED = SeatFacts(lives=True, has_begun=False, is_seated=True)
PLAYING = SeatFacts(lives=True, has_begun=True, is_seated=True)
AWAY = SeatFacts(lives=True, has_begun=True, is_seated=False)


@pytest.fixture
def watch() -> SeatWatch:
    """Return the watch of a bot that was started at 100 seconds."""
    return SeatWatch(TroubleLimits(start_seconds=60.0), 30.0, 100.0)


def test_bot_has_its_time_to_start(watch: SeatWatch) -> None:
    """From its own start; it may have been too slow for a busy machine."""
    assert watch.look(STARTING, 159.9) is None
    assert watch.due(STARTING) == 160.0
    fault = watch.look(STARTING, 160.0)

    assert fault == BotFault("not ready 60 seconds after its start", is_slow_start=True)


def test_bot_that_the_server_refused_was_not_slow(watch: SeatWatch) -> None:
    """That is its own fault, and is not tried again."""
    watch.refusal = "NME refused: seat taken"

    fault = watch.look(STARTING, 160.0)

    assert fault == BotFault(
        "not ready 60 seconds after its start (NME refused: seat taken)"
    )


def test_seated_bot_waits_for_others_as_long_as_they_take(watch: SeatWatch) -> None:
    """Whoever is ready has no deadline before the game begins."""
    assert watch.look(SEATED, 10_000.0) is None
    assert watch.due(SEATED) == math.inf


def test_connection_may_be_away_for_some_time(watch: SeatWatch) -> None:
    """Each absence counts from its own beginning."""
    assert watch.look(PLAYING, 200.0) is None
    assert watch.look(AWAY, 210.0) is None
    assert watch.due(AWAY) == 240.0
    assert watch.look(PLAYING, 239.0) is None
    assert watch.look(AWAY, 241.0) is None
    assert watch.look(AWAY, 270.9) is None

    assert watch.look(AWAY, 271.0) == BotFault("connection stayed away for 30 seconds")


@pytest.mark.parametrize(("limit", "away"), [(None, 60.0), (300, 60.0), (10, 5.0)])
def test_deadlines_shorten_the_time_away(limit: float | None, away: float) -> None:
    """Half the limit of a movement turn, if that is less."""
    assert away_limit(TroubleLimits(), limit) == away


def test_late_turns_in_a_row(watch: SeatWatch) -> None:
    """A turn in time begins a new row."""
    for is_late in (True, True, False, True, True):
        watch.end_turn(is_late=is_late)
    assert watch.look(PLAYING, 200.0) is None

    watch.end_turn(is_late=True)

    assert watch.look(PLAYING, 200.0) == BotFault("late in 3 turns in a row")


def test_nothing_is_forfeited_after_elimination_or_the_end(watch: SeatWatch) -> None:
    """A bot may go when its power is eliminated or the game over."""
    watch.stop("used 3 MiB of disk, allowed 2")
    gone = SeatFacts(lives=False, has_begun=True, is_seated=False, exit_code=1)

    assert watch.look(gone, 10_000.0) is None


def test_first_reason_for_stopping_is_kept(watch: SeatWatch) -> None:
    """What follows from being stopped is no other fault."""
    watch.stop("used 3 MiB of disk, allowed 2")
    watch.stop("owed orders for 60 seconds")
    gone = SeatFacts(lives=True, has_begun=True, is_seated=False, exit_code=-15)

    assert watch.look(gone, 200.0) == BotFault("used 3 MiB of disk, allowed 2")


@pytest.mark.parametrize(
    ("code", "text"),
    [
        (0, "exited with code 0"),
        (139, "exited with code 139"),
        (-11, "killed by SIGSEGV"),
        (-200, "killed by signal 200"),
    ],
)
def test_exit_codes_in_words(code: int, text: str) -> None:
    """Signals have names."""
    assert exit_text(code) == text

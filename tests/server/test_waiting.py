"""Games that wait for clients are reported, and more and more rarely."""

from daide_server.board.map import Variant
from daide_server.board.names import Power
from daide_server.game.absence import Awaited, awaited
from daide_server.game.directory import GameId
from daide_server.game.stages import Stage
from daide_server.server.game_host import (
    FIRST_SECONDS,
    LONGEST_SECONDS,
    WaitingReporter,
)
from daide_server.server.game_runner import GameRunner
from tests.support.fakes import RecordedEvents
from tests.support.scripts import Script

POWERS = tuple(map(Power, ("AUS", "ENG", "FRA", "GER", "ITA", "RUS", "TUR")))


class Opened:
    """What a reporter needs of a runner."""

    number = GameId(1)

    def __init__(self, script: Script) -> None:
        self.game = script.game


def reporter(script: Script) -> tuple[WaitingReporter, RecordedEvents]:
    """Return a reporter of one game, and what it reports."""
    events, runner = RecordedEvents(), Opened(script)
    games: list[GameRunner] = [runner]  # type: ignore[list-item]
    return WaitingReporter(lambda: games, events), events


def waits(standard: Variant, *words: str) -> Awaited | None:
    """Return whom a game waits for, once it is full."""
    return awaited(Script(standard, *words).game.state)


def test_a_forming_game_waits_for_seats_and_maps(standard: Variant) -> None:
    """Not before somebody has come."""
    script = Script(standard, "empty")
    assert awaited(script.game.state) is None
    script.hears("first", "NME ('a') ('1')")
    found = awaited(script.game.state)
    assert found is not None
    assert (found.stage, found.vacant, found.unready) == (
        Stage.FORMING,
        POWERS[1:],
        POWERS[:1],
    )
    script.hears("first", "YES (MAP ('standard'))")
    found = awaited(script.game.state)
    assert found is not None
    assert found.unready == ()


def test_a_running_game_waits_for_orders_without_a_deadline(standard: Variant) -> None:
    """With one, it waits for nobody."""
    script = Script(standard)
    script.holds(*POWERS[1:])
    found = awaited(script.game.state)
    assert found is not None
    assert (found.vacant, found.unready) == ((), POWERS[:1])
    assert waits(standard, "mtl=100") is None


def test_a_paused_game_waits_for_those_it_misses(standard: Variant) -> None:
    script = Script(standard, "mtl=100", "dsd")
    script.loses("FRA")
    found = awaited(script.game.state)
    assert found is not None
    assert (found.stage, found.vacant) == (Stage.PAUSED, (Power("FRA"),))


def test_a_loaded_game_waits_for_all(standard: Variant) -> None:
    script = Script(standard)
    script.saves("name")
    script.loads("name")
    found = awaited(script.game.state)
    assert found is not None
    assert (found.stage, found.vacant) == (Stage.LOADING, POWERS)


def test_reports_come_after_a_time_and_then_more_rarely(standard: Variant) -> None:
    """After 1, 2, 4 ... 64 minutes, then every hour."""
    waiting, events = reporter(Script(standard))
    for minute in range(241):
        waiting.look(minute * FIRST_SECONDS)
    reported = [seconds for _, _, seconds in events.of("game.waiting")]
    minutes = [1, 2, 4, 8, 16, 32, 64, 124, 184]
    assert reported == [minute * FIRST_SECONDS for minute in minutes]
    assert LONGEST_SECONDS == 60 * FIRST_SECONDS


def test_a_new_turn_begins_a_new_wait(standard: Variant) -> None:
    script = Script(standard)
    waiting, events = reporter(script)
    waiting.look(0.0)
    script.holds()
    waiting.look(FIRST_SECONDS)
    assert events.found == []
    waiting.look(2 * FIRST_SECONDS)
    ((number, _, seconds),) = events.of("game.waiting")
    assert (number, seconds) == (GameId(1), FIRST_SECONDS)

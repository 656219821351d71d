"""The timer of a turn as numbers: what is due, and when."""

from hypothesis import given
from hypothesis import strategies as st

from daide_server.board.turns import Phase
from daide_server.game.events import ClientId
from daide_server.game.turn_timer import TurnTimer

A, B = ClientId(1), ClientId(2)
LIMITS = {Phase.MOVEMENT: 300, Phase.RETREATS: None, Phase.ADJUSTMENTS: 60}


def test_a_phase_without_a_limit_has_no_alarm() -> None:
    """No deadline, nothing to wait for."""
    timer = TurnTimer(LIMITS)
    timer.begin(Phase.RETREATS, 10.0)
    assert timer.alarm is None
    assert timer.running(10.0) is None
    assert not timer.has_deadline


def test_requests_are_served_before_the_deadline_largest_first() -> None:
    """TME (n) comes n seconds before it, once a turn."""
    timer = TurnTimer(LIMITS)
    timer.begin(Phase.MOVEMENT, 0.0)
    assert timer.request(A, 10, 0.0)
    assert timer.request(B, 200, 0.0)
    assert timer.alarm == 100.0
    assert timer.due(100.0) == [(B, 200)]
    assert timer.due(100.0) == []
    assert timer.alarm == 290.0
    assert timer.due(290.0) == [(A, 10)]
    assert timer.alarm == 300.0
    assert not timer.passed(299.0)
    assert timer.passed(300.0)


def test_a_request_that_makes_no_sense_is_refused() -> None:
    """Negative, above the longest limit, or without any limit."""
    timer = TurnTimer(LIMITS)
    assert not timer.request(A, -1, 0.0)
    assert not timer.request(A, 301, 0.0)
    assert timer.request(A, 300, 0.0)
    assert not TurnTimer(dict.fromkeys(Phase)).request(A, 0, 0.0)


def test_a_stopped_clock_keeps_what_is_left() -> None:
    """DSD: the time of the pause does not count."""
    timer = TurnTimer(LIMITS)
    timer.begin(Phase.MOVEMENT, 0.0)
    timer.request(A, 50, 0.0)
    timer.stop(100.0)
    assert timer.kept == 200
    assert timer.alarm is None
    assert timer.running(500.0) is None
    timer.resume(1000.0)
    assert timer.running(1000.0) == 200
    assert timer.alarm == 1150.0


@given(
    limit=st.integers(1, 8191),
    wanted=st.lists(st.integers(0, 8191), max_size=8),
    begin=st.floats(0, 1e6),
)
def test_each_alarm_serves_a_request_or_is_the_deadline(
    limit: int, wanted: list[int], begin: float
) -> None:
    """However the sums are rounded, the alarm moves on."""
    timer = TurnTimer({**LIMITS, Phase.MOVEMENT: limit, Phase.ADJUSTMENTS: 8191})
    for seconds in wanted:
        timer.request(A, seconds, begin)
    timer.begin(Phase.MOVEMENT, begin)
    served: list[int] = []
    for _ in range(20):
        alarm = timer.alarm
        assert alarm is not None
        if timer.passed(alarm) and not [s for s in wanted if s == 0]:
            break
        due = timer.due(alarm)
        if not due:
            assert timer.passed(alarm)
            break
        served += [seconds for _, seconds in due]
    assert served == sorted({s for s in wanted if s < limit}, reverse=True)

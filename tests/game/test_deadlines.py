"""The clock as numbers: what is due, and when."""

from hypothesis import given
from hypothesis import strategies as st

from daide_server.board.turns import Phase
from daide_server.game.deadlines import Deadlines
from daide_server.game.events import ClientId

A, B = ClientId(1), ClientId(2)
LIMITS = {Phase.MOVEMENT: 300, Phase.RETREATS: None, Phase.ADJUSTMENTS: 60}


def test_a_phase_without_a_limit_has_no_alarm() -> None:
    """No deadline, nothing to wait for."""
    deadlines = Deadlines(LIMITS)
    deadlines.begin(Phase.RETREATS, 10.0)
    assert deadlines.alarm is None
    assert deadlines.running(10.0) is None
    assert not deadlines.has_deadline


def test_requests_are_served_before_the_deadline_largest_first() -> None:
    """TME (n) comes n seconds before it, once a turn."""
    deadlines = Deadlines(LIMITS)
    deadlines.begin(Phase.MOVEMENT, 0.0)
    assert deadlines.request(A, 10, 0.0)
    assert deadlines.request(B, 200, 0.0)
    assert deadlines.alarm == 100.0
    assert deadlines.due(100.0) == [(B, 200)]
    assert deadlines.due(100.0) == []
    assert deadlines.alarm == 290.0
    assert deadlines.due(290.0) == [(A, 10)]
    assert deadlines.alarm == 300.0
    assert not deadlines.passed(299.0)
    assert deadlines.passed(300.0)


def test_a_request_that_makes_no_sense_is_refused() -> None:
    """Negative, above the longest limit, or without any limit."""
    deadlines = Deadlines(LIMITS)
    assert not deadlines.request(A, -1, 0.0)
    assert not deadlines.request(A, 301, 0.0)
    assert deadlines.request(A, 300, 0.0)
    assert not Deadlines(dict.fromkeys(Phase)).request(A, 0, 0.0)


def test_a_stopped_clock_keeps_what_is_left() -> None:
    """DSD: the time of the pause does not count."""
    deadlines = Deadlines(LIMITS)
    deadlines.begin(Phase.MOVEMENT, 0.0)
    deadlines.request(A, 50, 0.0)
    deadlines.stop(100.0)
    assert deadlines.kept == 200
    assert deadlines.alarm is None
    assert deadlines.running(500.0) is None
    deadlines.resume(1000.0)
    assert deadlines.running(1000.0) == 200
    assert deadlines.alarm == 1150.0


@given(
    limit=st.integers(1, 8191),
    wanted=st.lists(st.integers(0, 8191), max_size=8),
    begin=st.floats(0, 1e6),
)
def test_each_alarm_serves_a_request_or_is_the_deadline(
    limit: int, wanted: list[int], begin: float
) -> None:
    """However the sums are rounded, the alarm moves on."""
    deadlines = Deadlines({**LIMITS, Phase.MOVEMENT: limit, Phase.ADJUSTMENTS: 8191})
    for seconds in wanted:
        deadlines.request(A, seconds, begin)
    deadlines.begin(Phase.MOVEMENT, begin)
    served: list[int] = []
    for _ in range(20):
        alarm = deadlines.alarm
        assert alarm is not None
        if deadlines.passed(alarm) and not [s for s in wanted if s == 0]:
            break
        due = deadlines.due(alarm)
        if not due:
            assert deadlines.passed(alarm)
            break
        served += [seconds for _, seconds in due]
    assert served == sorted({s for s in wanted if s < limit}, reverse=True)

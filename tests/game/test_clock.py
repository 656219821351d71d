"""The clock of a game: what is due, when, and one alarm for all that it waits for."""

from hypothesis import given
from hypothesis import strategies as st

from daide_server.board.map import Phase
from daide_server.game.clock import Clock, Timeout
from daide_server.game.events import ClientId
from tests.support.options import options_of

CLIENT = ClientId(1)


def clock_of(*words: str) -> Clock:
    """Return the clock of a game with such options."""
    return Clock(*options_of(words))


def test_the_alarm_is_whatever_comes_first() -> None:
    """A deadline or a timeout; nothing, if neither runs."""
    clock = clock_of("mtl=100", "pause_seconds=30.0")
    assert clock.alarm is None
    clock.begin_turn(Phase.MOVEMENT, 0.0)
    assert clock.alarm == 100.0
    clock.wait_for(Timeout.PAUSE, 10.0)
    assert clock.alarm == 40.0
    assert clock.expired(39.0) is None
    assert clock.expired(40.0) is Timeout.PAUSE
    clock.timeout = None
    assert clock.alarm == 100.0
    clock.at_once = 5.0
    assert clock.alarm == 5.0
    clock.at_once = None
    assert clock.alarm == 100.0


def test_a_timeout_replaces_the_one_before() -> None:
    """Also if the policy has no limit: then the game waits for ever."""
    clock = clock_of("abandoned_after=20.0")
    clock.wait_for(Timeout.ABANDONED, 0.0)
    assert clock.timeout is not None
    clock.wait_for(Timeout.PAUSE, 1.0)
    assert clock.timeout is None
    assert clock.alarm is None


def test_a_stopped_clock_waits_for_nothing() -> None:
    """It runs on with what was left of the turn."""
    clock = clock_of("mtl=100")
    clock.begin_turn(Phase.MOVEMENT, 0.0)
    clock.stop(40.0)
    assert clock.alarm is None
    clock.resume(1000.0)
    assert clock.alarm == 1060.0


def test_a_game_that_is_over_waits_for_last_questions() -> None:
    """And then for nothing."""
    clock = clock_of("mtl=100", "post_game_seconds=7.0")
    clock.begin_turn(Phase.MOVEMENT, 0.0)
    clock.end(10.0)
    assert clock.alarm == 17.0
    assert clock.expired(17.0) is Timeout.POST_GAME
    clock.close()
    assert clock.alarm is None


def test_silence_counts_from_the_last_message() -> None:
    """Only where silent clients may lose their seats."""
    clock = clock_of("takeover_after=60.0")
    clock.note_activity(CLIENT, 0.0)
    clock.note_activity(CLIENT, 30.0)
    assert not clock.is_silent(CLIENT, 89.0)
    assert clock.is_silent(CLIENT, 90.0)
    clock.forget(CLIENT)
    assert not clock.is_silent(CLIENT, 1000.0)
    clock = clock_of()
    clock.note_activity(CLIENT, 0.0)
    assert not clock.is_silent(CLIENT, 1e9)


@given(
    begin=st.floats(0, 1e6),
    pauses=st.lists(st.tuples(st.floats(0, 30), st.floats(0, 1e4))),
)
def test_pauses_do_not_shorten_a_turn(
    begin: float, pauses: list[tuple[float, float]]
) -> None:
    """A turn of a hundred seconds has a hundred seconds in which its clock runs."""
    clock = clock_of("mtl=100")
    clock.begin_turn(Phase.MOVEMENT, begin)
    now, played = begin, 0.0
    for playing, pausing in pauses:
        if played + playing >= 100:
            break
        played += playing
        clock.stop(now := now + playing)
        clock.resume(now := now + pausing)
    alarm = clock.alarm
    assert alarm is not None
    assert abs(played + alarm - now - 100) < 1e-3


A, B = ClientId(1), ClientId(2)


LIMITS = "mtl=300", "btl=60"


def test_a_phase_without_a_limit_has_no_alarm() -> None:
    """No deadline, nothing to wait for."""
    clock = clock_of(*LIMITS)
    clock.begin_turn(Phase.RETREATS, 10.0)
    assert clock.alarm is None
    assert clock.running(10.0) is None
    assert not clock.has_deadline


def test_requests_are_served_before_the_deadline_largest_first() -> None:
    """TME (n) comes n seconds before it, once a turn."""
    clock = clock_of(*LIMITS)
    clock.begin_turn(Phase.MOVEMENT, 0.0)
    assert clock.request(A, 10, 0.0)
    assert clock.request(B, 200, 0.0)
    assert clock.alarm == 100.0
    assert clock.due(100.0) == [(B, 200)]
    assert clock.due(100.0) == []
    assert clock.alarm == 290.0
    assert clock.due(290.0) == [(A, 10)]
    assert clock.alarm == 300.0
    assert not clock.passed(299.0)
    assert clock.passed(300.0)


def test_a_request_that_makes_no_sense_is_refused() -> None:
    """Negative, above the longest limit, or without any limit."""
    clock = clock_of(*LIMITS)
    assert not clock.request(A, -1, 0.0)
    assert not clock.request(A, 301, 0.0)
    assert clock.request(A, 300, 0.0)
    assert not clock_of().request(A, 0, 0.0)


def test_a_stopped_clock_keeps_what_is_left() -> None:
    """DSD: the time of the pause does not count."""
    clock = clock_of(*LIMITS)
    clock.begin_turn(Phase.MOVEMENT, 0.0)
    clock.request(A, 50, 0.0)
    clock.stop(100.0)
    assert clock.left(100.0) == 200
    assert clock.alarm is None
    assert clock.running(500.0) is None
    clock.resume(1000.0)
    assert clock.running(1000.0) == 200
    assert clock.alarm == 1150.0


@given(
    limit=st.integers(1, 8191),
    wanted=st.lists(st.integers(0, 8191), max_size=8),
    begin=st.floats(0, 1e6),
)
def test_each_alarm_serves_a_request_or_is_the_deadline(
    limit: int, wanted: list[int], begin: float
) -> None:
    """However the sums are rounded, the alarm moves on."""
    clock = clock_of(f"mtl={limit}", "btl=8191")
    for seconds in wanted:
        clock.request(A, seconds, begin)
    clock.begin_turn(Phase.MOVEMENT, begin)
    served: list[int] = []
    for _ in range(20):
        alarm = clock.alarm
        assert alarm is not None
        if clock.passed(alarm) and not [s for s in wanted if s == 0]:
            break
        due = clock.due(alarm)
        if not due:
            assert clock.passed(alarm)
            break
        served += [seconds for _, seconds in due]
    assert served == sorted({s for s in wanted if s < limit}, reverse=True)

"""The clock of a game: one alarm for all that it waits for."""

from hypothesis import given
from hypothesis import strategies as st

from daide_server.board.turns import Phase
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
    clock.stop_waiting()
    assert clock.alarm == 100.0
    clock.ring_at_once(5.0)
    assert clock.alarm == 5.0
    clock.ring_at_once(None)
    assert clock.alarm == 100.0


def test_a_timeout_replaces_the_one_before() -> None:
    """Also if the policy has no limit: then the game waits for ever."""
    clock = clock_of("abandoned_after=20.0")
    clock.wait_for(Timeout.ABANDONED, 0.0)
    assert clock.is_waiting
    clock.wait_for(Timeout.PAUSE, 1.0)
    assert not clock.is_waiting
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

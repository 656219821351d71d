"""The table of a session's phases leads to an end."""

import math

import pytest

from daide_server.server.session_phases import (
    PHASES,
    READING_PHASES,
    SessionEvent,
    SessionPhase,
)


@pytest.mark.parametrize("phase", SessionPhase)
def test_no_phase_comes_again(phase: SessionPhase) -> None:
    """Phases follow each other as they are listed, unless a map is refused."""
    order = list(SessionPhase)
    after = [
        order.index(following)
        for event, following in PHASES[phase].items()
        if event is not SessionEvent.UNSEATED
    ]
    assert min(after, default=math.inf) >= order.index(phase)


@pytest.mark.parametrize("phase", SessionPhase)
def test_a_failure_or_the_end_of_the_client_closes_at_once(phase: SessionPhase) -> None:
    for event in (SessionEvent.FAILED, SessionEvent.PEER_FINISHED):
        assert PHASES[phase].get(event, phase) is SessionPhase.CLOSED


@pytest.mark.parametrize("phase", sorted(READING_PHASES, key=str))
def test_the_last_message_of_the_server_is_delivered(phase: SessionPhase) -> None:
    for event in (SessionEvent.FRAMING_FAULT, SessionEvent.SERVER_FINISHED):
        assert PHASES[phase][event] is SessionPhase.CLOSING


def test_only_a_client_that_has_not_joined_is_timed_out() -> None:
    timed = {
        phase
        for phase in READING_PHASES
        if PHASES[phase][SessionEvent.TIMED_OUT] is not phase
    }
    assert timed == READING_PHASES - {SessionPhase.JOINED}

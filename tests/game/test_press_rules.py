"""Whether press may be sent."""

import pytest

from daide_server.board.names import Power
from daide_server.board.turns import Phase, Season, Turn
from daide_server.game import press_rules
from daide_server.game.options import GameOptions
from daide_server.game.seating import Seat
from daide_server.language.messages import InDisorder, Out, SendPress

FRA, ENG, TUR = Power("FRA"), Power("ENG"), Power("TUR")
SPRING = Turn(Season.SPRING, 1901)


@pytest.mark.parametrize(
    ("left", "expected"), [(None, True), (61, True), (60, False), (0, False)]
)
def test_the_press_deadline(left: int | None, *, expected: bool) -> None:
    """With PTL 60 press is refused when 60 seconds or less remain."""
    options = GameOptions(level=10, press_limit=60)
    assert press_rules.is_open(options, Phase.MOVEMENT, left) is expected
    assert press_rules.is_open(options, Phase.RETREATS, left)


def test_phases_without_press() -> None:
    """NPR and NPB close a phase each."""
    options = GameOptions(level=10, no_retreat_press=True)
    assert not press_rules.is_open(options, Phase.RETREATS, None)
    assert press_rules.is_open(options, Phase.ADJUSTMENTS, None)
    options = GameOptions(level=10, no_build_press=True)
    assert not press_rules.is_open(options, Phase.ADJUSTMENTS, None)


def test_out_comes_before_disorder() -> None:
    """One reply, for the first such recipient."""
    english, turkish = seats = [Seat(ENG, 1), Seat(TUR, 2)]
    assert press_rules.refusal(seats, {ENG, FRA, TUR}) is None
    turkish.lose_control()
    english.lose_control()
    assert press_rules.refusal(seats, {ENG, FRA}) == Out(TUR)
    assert press_rules.refusal(seats, {ENG, FRA, TUR}) == InDisorder(ENG)


def test_whom_and_when() -> None:
    """Not to oneself, and not for another turn."""
    assert press_rules.is_addressed(SendPress(None, (ENG,), ()), FRA, SPRING)
    assert press_rules.is_addressed(SendPress(SPRING, (ENG,), ()), FRA, SPRING)
    assert not press_rules.is_addressed(
        SendPress(SPRING.next(), (ENG,), ()), FRA, SPRING
    )
    assert not press_rules.is_addressed(SendPress(None, (ENG, FRA), ()), FRA, SPRING)

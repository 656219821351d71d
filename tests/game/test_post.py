"""Whether press may be sent."""

import pytest

from daide_server.board.names import Power
from daide_server.board.turns import Phase, Season, Turn
from daide_server.game import post
from daide_server.game.options import GameOptions
from daide_server.language.messages import InDisorder, Out, SendPress

FRA, ENG, TUR = Power("FRA"), Power("ENG"), Power("TUR")
SPRING = Turn(Season.SPRING, 1901)


@pytest.mark.parametrize(
    ("left", "expected"), [(None, True), (61, True), (60, False), (0, False)]
)
def test_the_press_deadline(left: int | None, *, expected: bool) -> None:
    """With PTL 60 press is refused when 60 seconds or less remain."""
    options = GameOptions(level=10, press_limit=60)
    assert post.is_open(options, Phase.MOVEMENT, left) is expected
    assert post.is_open(options, Phase.RETREATS, left)


def test_phases_without_press() -> None:
    """NPR and NPB close a phase each."""
    options = GameOptions(level=10, no_retreat_press=True)
    assert not post.is_open(options, Phase.RETREATS, None)
    assert post.is_open(options, Phase.ADJUSTMENTS, None)
    options = GameOptions(level=10, no_build_press=True)
    assert not post.is_open(options, Phase.ADJUSTMENTS, None)


def test_out_comes_before_disorder() -> None:
    """One reply, for the first such recipient."""
    press = SendPress(None, (ENG, TUR), ())
    assert post.refusal(press, {ENG, FRA}, {ENG}) == Out(TUR)
    assert post.refusal(press, {ENG, FRA, TUR}, {TUR, ENG}) == InDisorder(ENG)
    assert post.refusal(press, {ENG, FRA, TUR}, set()) is None


def test_whom_and_when() -> None:
    """Not to oneself, and not for another turn."""
    assert post.is_addressed(SendPress(None, (ENG,), ()), FRA, SPRING)
    assert post.is_addressed(SendPress(SPRING, (ENG,), ()), FRA, SPRING)
    assert not post.is_addressed(SendPress(SPRING.next(), (ENG,), ()), FRA, SPRING)
    assert not post.is_addressed(SendPress(None, (ENG, FRA), ()), FRA, SPRING)

"""The promises of a game on the page: what was agreed on, if press is shown."""

import pytest
from msgspec.structs import replace

from daide_server.board.variant import Variant
from daide_server.records.record import GameRecord
from daide_server.records.secrecy import PressPolicy, PressShown, visible
from daide_server.reports.game_views import game_view
from daide_server.reports.views import PromiseView
from tests.promises.test_study import XDO_KEPT, agreed, game


@pytest.fixture
def talked(standard: Variant) -> GameRecord:
    """Return a game in which powers agreed on an order that was not given."""
    return game(standard, {0: agreed(XDO_KEPT)}, {"FRA": ["A PAR - BUR"]})


def test_a_promise_has_its_turn_its_verdict_and_why(talked: GameRecord) -> None:
    assert game_view(talked).promises == (
        PromiseView(
            turn="S1901M",
            power="FRA",
            to=("ENG",),
            text="XDO ( ( FRA AMY PAR ) MTO PIC )",
            message=1,
            verdict="broken",
            decided="S1901M",
            why="another order was given",
        ),
    )


@pytest.mark.parametrize("shown", [PressShown.AFTER, PressShown.NEVER])
def test_press_that_is_not_shown_has_no_promises(
    talked: GameRecord, shown: PressShown
) -> None:
    hidden = visible(talked, PressPolicy(shown), 1e9, running=True)

    view = game_view(hidden, running=True)
    assert view.promises == ()
    assert view.press == ()
    assert all(each.headline for each in view.turns)
    assert view == game_view(replace(hidden, messages=()), running=True)

"""The knowledge of a client after messages of the server."""

import pytest

from daide_server.board.names import Power, Province
from daide_server.board.orders import Hold
from daide_server.board.position import Position
from daide_server.board.results import OrderResult, Report
from daide_server.board.turns import Season, Turn
from daide_server.board.variant import Variant
from daide_server.bots.knowledge import Knowledge
from daide_server.language.hello_options import HelloOption
from daide_server.language.messages import (
    BackInControl,
    CurrentPosition,
    DrawDeclared,
    Hello,
    InDisorder,
    MapDefinition,
    OrderResulted,
    Ownership,
    Summary,
    SwitchOff,
    TimeLeft,
)

FRANCE, ENGLAND = Power("FRA"), Power("ENG")
SPRING, FALL = Turn(Season.SPRING, 1901), Turn(Season.FALL, 1901)


@pytest.fixture
def known(standard: Variant) -> Knowledge:
    """Return what a client knows at the start of a game."""
    known = Knowledge()
    known.learn(MapDefinition(standard.map))
    known.learn(
        Hello(FRANCE, 2947, ((HelloOption.LEVEL, 10), (HelloOption.ANY_ORDERS, None)))
    )
    known.learn(Ownership(dict(reversed(list(standard.start.owners.items())))))
    known.learn(CurrentPosition(Position(SPRING, standard.start.units, {})))
    return known


def test_the_board_is_put_together_from_mdf_sco_and_now(
    known: Knowledge, standard: Variant
) -> None:
    """NOW brings the units and SCO the owners, in the order of the map."""
    view = known.view()

    assert view.power == FRANCE
    assert view.position == standard.start
    assert list(view.position.owners) == list(standard.start.owners)


def test_nothing_is_to_be_seen_before_the_start() -> None:
    """A view needs a map and a position."""
    known = Knowledge()

    assert not known.started
    with pytest.raises(ValueError, match="MDF and NOW"):
        known.view()


def test_a_start_where_nobody_owns_a_centre_is_a_start(standard: Variant) -> None:
    """As a position that was made up may be (`--start`); SCO has only UNO then."""
    known = Knowledge()
    known.learn(MapDefinition(standard.map))
    known.learn(Hello(FRANCE, 0, ()))
    known.learn(CurrentPosition(Position(SPRING, standard.start.units, {})))
    assert not known.started

    known.learn(Ownership({}))

    assert known.started
    assert known.view().position.owners == {}


def test_hello_tells_the_options(known: Knowledge) -> None:
    """Options are looked up by name; some have no number."""
    assert known.passcode == 2947
    assert known.options == {HelloOption.LEVEL: 10, HelloOption.ANY_ORDERS: None}


def test_owners_change_with_the_next_sco(known: Knowledge) -> None:
    """SCO may come before or after NOW."""
    known.learn(Ownership({Province("BEL"): FRANCE}))

    assert known.view().position.owners == {"BEL": FRANCE}


def test_results_of_a_new_turn_replace_the_old(
    known: Knowledge, standard: Variant
) -> None:
    """Reports pile up within a turn only."""
    report = Report(Hold(standard.start.units[0]), OrderResult.SUCCEEDED)
    for turn in (SPRING, SPRING, FALL):
        known.learn(OrderResulted(turn, report))

    assert known.reports == (report,)
    assert known.reported_turn == FALL


def test_powers_fall_into_disorder_and_come_back(known: Knowledge) -> None:
    """CCD and NOT (CCD) cancel each other."""
    known.learn(InDisorder(ENGLAND))
    known.learn(InDisorder(FRANCE))
    known.learn(BackInControl(ENGLAND))

    assert known.in_disorder == {FRANCE}


def test_time_is_known_until_the_next_turn(known: Knowledge, standard: Variant) -> None:
    """TME follows NOW; without it, the turn has no deadline."""
    known.learn(TimeLeft(60))
    assert known.seconds_left == 60

    known.learn(CurrentPosition(Position(FALL, standard.start.units, {})))
    assert known.seconds_left is None


def test_the_end_comes_in_two_steps(known: Knowledge) -> None:
    """DRW and SLO end the game, SMR is its last message."""
    assert not known.over

    known.learn(DrawDeclared(None))
    assert known.over
    assert not known.is_complete

    known.learn(Summary(FALL, ()))
    assert known.is_complete


def test_off_ends_everything(known: Knowledge) -> None:
    """A server that stops sends no result."""
    known.learn(SwitchOff())

    assert known.over
    assert known.is_complete
    assert known.ending is None

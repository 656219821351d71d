"""Limits on what clients may add to a record and a journal."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daide_server.board.map import Variant
from daide_server.board.names import Power
from daide_server.daide.tokens import SUB
from daide_server.game import budgets as limits
from daide_server.game.budgets import HOUR, MAX_RETURNS, Budgets, press_bytes
from daide_server.game.events import JoinRefusal
from daide_server.game.journal import MessageEntry
from daide_server.records.entries import DrawVoted, PressSent, Seated, Vacated, fold
from daide_server.records.formats.registry import FORMATS
from daide_server.records.record import GameRecord
from tests.support.scripts import Script

FRANCE, ENGLAND = Power("FRA"), Power("ENG")


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lower the limits, so that a flood need not be long."""
    monkeypatch.setattr(limits, "RECORD_BYTES_PER_HOUR", 1000)
    monkeypatch.setattr(limits, "RECORD_BYTES_PER_GAME", 3000)
    monkeypatch.setattr(limits, "ORDER_BYTES_PER_HOUR", 60_000)
    monkeypatch.setattr(limits, "GUEST_BYTES_PER_HOUR", 60_000)


def record_of(script: Script) -> GameRecord:
    return fold(script.records, script.variant, game="x", started=0.0)


@pytest.mark.usefixtures("small")
def test_a_game_has_a_limit_that_time_does_not_lift() -> None:
    budgets = Budgets()
    for hours in range(3):
        assert budgets.record(FRANCE, 1000, HOUR * hours)
    assert not budgets.record(FRANCE, 1, HOUR * 100)


def test_a_refusal_is_reported_once_an_hour() -> None:
    budgets = Budgets()
    assert budgets.should_report(FRANCE, 0.0)
    assert not budgets.should_report(FRANCE, HOUR - 1)
    assert budgets.should_report(ENGLAND, 1.0)
    assert budgets.should_report(FRANCE, HOUR)


def test_alternating_votes_leave_one_entry_and_end_in_rejections(
    standard: Variant,
) -> None:
    """The record has the last state of each kind of vote in the turn."""
    script = Script(standard, "level=10", "pda")
    script.hears("FRA", "DRW (FRA ENG)")
    for _ in range(5000):
        script.hears("FRA", "DRW")
        script.hears("FRA", "NOT (DRW)")
    answers = script.said("FRA")
    assert answers[0].startswith("YES")
    # Without a vote there is nothing to take back, and nothing to record.
    assert answers[-2:] == ["REJ ( DRW )", "YES ( NOT ( DRW ) )"]
    assert script.reported == [FRANCE]
    assert sum(isinstance(each, DrawVoted) for each in script.records) < 3400
    for_two, for_all = record_of(script).votes
    assert (for_two.powers, for_two.withdrawn) == ((FRANCE, ENGLAND), False)
    assert for_all.powers is None
    script.hears("ENG", "DRW")
    assert script.said("ENG")[-1] == "YES ( DRW )"


def test_press_beyond_the_limit_is_rejected_until_time_has_passed(
    standard: Variant,
) -> None:
    """Its recipients get nothing of it."""
    script = Script(standard, "level=8000")
    press = f"SND (ENG) ('{'x' * 10_000}')"
    for _ in range(200):
        script.hears("FRA", press)
    sent = [each for each in script.records if isinstance(each, PressSent)]
    assert 90 < len(sent) < 100
    assert len(script.said("ENG")) == len(sent)
    assert script.reported == [FRANCE]
    script.waits(HOUR)
    script.forgets()
    script.hears("FRA", press)
    assert script.said("FRA")[0].startswith("YES")


def test_the_record_has_about_the_bytes_that_are_counted(standard: Variant) -> None:
    """Whoever writes to some powers, to all, or to one of them many times."""
    script = Script(standard, "level=8000")
    empty = len(FORMATS["diplomacy"].write(record_of(script)))
    others = standard.map.powers[:2] + standard.map.powers[3:]
    counted = 0
    for to in (others, others[:5], others[:1], others[:1] * 3000):
        script.hears("FRA", f"SND ({' '.join(to)}) ('\\' \\uE001 \\\\')")
        text = script.records[-1]
        assert isinstance(text, PressSent)
        counted += press_bytes(text.text, set(to), len(others))
    grown = len(FORMATS["diplomacy"].write(record_of(script))) - empty
    assert counted / 3 < grown <= counted


def test_returns_to_a_seat_are_recorded_up_to_a_limit(standard: Variant) -> None:
    script = Script(standard)
    for _ in range(MAX_RETURNS + 10):
        script.loses("FRA")
        script.hears("FRA", "IAM (FRA) (6334)")
    left = [each for each in script.records if isinstance(each, Vacated)]
    came = [each for each in script.records if isinstance(each, Seated)]
    assert len(left) == MAX_RETURNS
    assert len(came) == MAX_RETURNS + len(standard.map.powers)
    sitting = record_of(script).sitting(FRANCE)
    assert sitting is not None
    assert sitting.until is None


@pytest.mark.usefixtures("small")
def test_who_changes_orders_for_ever_is_refused(standard: Variant) -> None:
    """What the journal keeps of one power in an hour has a limit."""
    script = Script(standard)
    for _ in range(1000):
        script.hears("FRA", "NOT (GOF)")
        script.hears("FRA", "GOF")
    refused = [each for each in script.said("FRA") if each.startswith("REJ")]
    assert 1000 < len(refused) < 1500
    assert script.reported == [FRANCE]
    script.forgets()
    script.hears("FRA", "SUB ((FRA AMY PAR) HLD)")
    script.hears("ENG", "NOT (SUB)")
    assert script.said("FRA")[0].startswith("REJ ( SUB")
    assert script.said("ENG") == ["YES ( NOT ( SUB ) )"]


@pytest.mark.usefixtures("small")
def test_the_journal_of_fast_turns_has_a_limit_too(standard: Variant) -> None:
    """What one power adds in an hour of turns of five seconds."""
    script = Script(standard, "mtl=5")
    before, turns = len(script.lines), 20
    for _ in range(turns):
        for _ in range(200):
            script.hears("FRA", "NOT (GOF)")
        script.waits(5)
    lines = script.lines[before:]
    said = [each.entry for each in lines if isinstance(each.entry, MessageEntry)]
    size = sum(2 * len(each.text.split()) + 60 for each in said)
    assert 0 < size < turns * 10_000 + 60_000


def test_orders_have_room_again_in_the_next_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Even of who has none left of the hour."""
    monkeypatch.setattr(limits, "ORDER_BYTES_PER_TURN", 1000)
    monkeypatch.setattr(limits, "ORDER_BYTES_PER_HOUR", 1000)
    budgets = Budgets()
    message = (SUB,) * 350
    assert budgets.take_order(FRANCE, message, 0.0)
    assert budgets.take_order(FRANCE, message, 0.0)
    assert not budgets.take_order(FRANCE, message, 0.0)
    assert budgets.take_order(ENGLAND, message, 0.0)
    budgets.begin_turn()
    assert budgets.take_order(FRANCE, message, 0.0)
    assert not budgets.take_order(FRANCE, message, 0.0)
    assert budgets.take_order(FRANCE, message, HOUR)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    ("who", "said"),
    [
        ("FRA", ("TME (5)", "NOT (TME (5))")),
        ("stranger", ("TME (5)", "NOT (TME)")),
        ("observer", ("YES (MAP ('standard'))", "NOW")),
        ("observer", ("TME (5)", "TME (5)")),
    ],
)
def test_what_is_no_order_has_a_limit_as_well(
    standard: Variant, who: str, said: tuple[str, str]
) -> None:
    """Requests for TME, and YES (MAP) again and again."""
    script = Script(standard, "mtl=60")
    script.hears("observer", "OBS")
    before = len(script.lines)
    for _ in range(1000):
        for text in said:
            script.hears(who, text)
    assert 0 < len(script.lines) - before < 1000
    script.forgets()
    script.hears(who, said[0])
    assert script.said(who)[0].startswith("REJ")


@pytest.mark.usefixtures("small")
def test_coming_and_going_as_observer_has_a_limit(standard: Variant) -> None:
    script = Script(standard)
    before = len(script.lines)
    for number in range(1000):
        script.hears(f"o{number}", "OBS")
        script.loses(f"o{number}")
    assert len(script.lines) - before < 1000
    assert script.refused["o999"] is JoinRefusal.TOO_MUCH
    script.hears("ENG", "NOT (GOF)")
    assert script.said("ENG")[-1].startswith("YES")


def test_a_stranger_who_leaves_is_not_in_the_journal(standard: Variant) -> None:
    """It has only asked; who has asked for TME is there."""
    script = Script(standard, "mtl=60")
    before = len(script.lines)
    script.hears("x", "NOW")
    script.loses("x")
    assert len(script.lines) == before
    script.hears("y", "TME (5)")
    script.loses("y")
    assert len(script.lines) == before + 2


SIZES = st.lists(st.integers(1, limits.RECORD_BYTES_PER_HOUR // 20), max_size=20)


@given(SIZES, st.floats(0, 1e7))
def test_the_limit_is_reached_to_the_byte(sizes: list[int], now: float) -> None:
    """However it is divided, and whatever the clock says; all is gone in an hour."""
    budgets, whole = Budgets(), limits.RECORD_BYTES_PER_HOUR

    for size in (*sizes, whole - sum(sizes)):
        assert budgets.record(FRANCE, size, now)
    assert not budgets.record(FRANCE, 1, now)
    assert budgets.record(ENGLAND, 1, now)
    assert budgets.record(FRANCE, whole, now + HOUR)
    assert not budgets.record(FRANCE, 1, now + HOUR)

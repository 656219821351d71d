"""Loaded and recovered games: who is awaited, what stays, how they resume."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daide_server.board.names import Power
from daide_server.board.variant import Variant
from daide_server.game.events import GameBrokenOff
from daide_server.game.seating import ClientRole
from daide_server.game.stages import Cause, Stage
from daide_server.records.entries import Ended, Ending
from tests.support.scripts import PASSCODES, Script

POWERS = tuple(PASSCODES)


OTHERS = tuple(power for power in POWERS if power != "FRA")


def stage(script: Script) -> Stage:
    """Return the stage of the game now."""
    return script.game.stage


def come_back(script: Script, *powers: str) -> None:
    """Let the clients of *powers* return."""
    for power in powers:
        script.hears(power, f"IAM ({power}) ({PASSCODES[power]})")
        script.says(power, f"YES (IAM ({power}) ({PASSCODES[power]}))")


def recovered(standard: Variant, *words: str) -> Script:
    """Return a game whose server was killed in its first turn."""
    script = Script(standard, *words)
    script.recovers()
    return script


def test_it_goes_on_when_everybody_is_back(standard: Variant) -> None:
    """Without a word about anybody: a kill is no leave."""
    script = recovered(standard)
    come_back(script, *OTHERS)
    assert stage(script) is Stage.RECOVERING
    come_back(script, "FRA")
    assert stage(script) is Stage.PLAYING
    script.is_silent()


def test_orders_votes_and_waits_stay(standard: Variant) -> None:
    script = Script(standard)
    script.hears("FRA", "SUB ((FRA AMY PAR) MTO BUR)")
    script.hears("FRA", "DRW")
    script.hears("ENG", "NOT (GOF)")
    script.forgets()
    script.recovers()
    come_back(script, *POWERS)
    turn = script.game.state.turn
    assert [script.order(order) for order in turn.orders.accepted()] == [
        "( FRA AMY PAR ) MTO BUR"
    ]
    for power in POWERS[3:]:
        script.hears(power, "DRW")
    assert turn.votes.has(Power("FRA"), None)
    script.forgets()
    script.holds()
    assert str(script.game.state.position.turn) == "SPR 1901"
    script.hears("ENG", "GOF")
    assert str(script.game.state.position.turn) == "FAL 1901"


def test_the_clock_stands_still_until_then(standard: Variant) -> None:
    """What was left of the turn is left."""
    script = Script(standard, "mtl=100")
    script.waits(30)
    script.recovers()
    script.waits(20)
    for power in POWERS:
        script.hears(power, f"IAM ({power}) ({PASSCODES[power]})")
    assert script.game.alarm == script.now + 70


def test_a_turn_that_was_nearly_over_has_some_seconds_left(standard: Variant) -> None:
    script = Script(standard, "mtl=100")
    script.waits(99)
    script.recovers(grace=10)
    for power in POWERS:
        script.hears(power, f"IAM ({power}) ({PASSCODES[power]})")
    assert script.game.alarm == script.now + 10


def test_who_does_not_return_in_time_is_in_disorder(standard: Variant) -> None:
    """As if its connection had ended then."""
    script = recovered(standard)
    come_back(script, *OTHERS)
    script.waits(60)
    assert stage(script) is Stage.PLAYING
    for power in OTHERS:
        script.says(power, "CCD (FRA)")
    come_back(script, "FRA")
    script.says("FRA", "NOT (CCD (FRA))")


def test_a_game_to_which_nobody_returns_is_broken_off(standard: Variant) -> None:
    script = recovered(standard)
    script.waits(59)
    assert stage(script) is Stage.RECOVERING
    script.waits(1)
    assert stage(script) is Stage.CLOSED
    assert script.game.state.cause is Cause.NOBODY_RETURNED
    ended = script.records[-1]
    assert isinstance(ended, Ended)
    assert ended.ending is Ending.ABORTED


def test_a_client_may_leave_again_meanwhile(standard: Variant) -> None:
    """It is awaited again; nothing is announced before the wait is over."""
    script = recovered(standard)
    come_back(script, *POWERS[:-1])
    script.loses("FRA")
    come_back(script, POWERS[-1])
    assert stage(script) is Stage.RECOVERING
    script.is_silent()
    come_back(script, "FRA")
    assert stage(script) is Stage.PLAYING


def test_a_power_without_a_client_is_not_awaited(standard: Variant) -> None:
    """It was in civil disorder, and still is."""
    script = Script(standard)
    script.loses("FRA")
    script.forgets()
    script.recovers()
    come_back(script, *OTHERS)
    assert stage(script) is Stage.PLAYING
    assert script.game.state.seating[Power("FRA")].in_disorder


def test_a_pause_for_a_missed_player_goes_on(standard: Variant) -> None:
    """DSD: the clock stops again until it is back."""
    script = Script(standard, "dsd", "mtl=100")
    script.waits(30)
    script.loses("FRA")
    script.forgets()
    script.recovers()
    for power in OTHERS:
        script.hears(power, f"IAM ({power}) ({PASSCODES[power]})")
    assert stage(script) is Stage.PAUSED
    script.forgets()
    script.hears("FRA", f"IAM (FRA) ({PASSCODES['FRA']})")
    assert stage(script) is Stage.PLAYING
    assert script.game.alarm == script.now + 70


def test_a_game_that_is_killed_while_it_recovers_waits_for_all_again(
    standard: Variant,
) -> None:
    script = recovered(standard)
    come_back(script, *OTHERS)
    script.recovers()
    come_back(script, *OTHERS)
    assert stage(script) is Stage.RECOVERING
    come_back(script, "FRA")
    assert stage(script) is Stage.PLAYING


def test_nothing_is_decided_before_the_game_goes_on(standard: Variant) -> None:
    """Though players who are back may order and vote."""
    script = recovered(standard)
    come_back(script, *OTHERS)
    for power in OTHERS:
        script.hears(power, "DRW")
        script.says(power, "YES (DRW)")
    script.holds()
    assert stage(script) is Stage.RECOVERING
    assert not script.game.state.history.turns


def test_new_players_get_no_old_seat(standard: Variant) -> None:
    script = recovered(standard)
    script.hears("new", "NME ('new') ('1')")
    script.says("new", "REJ (NME ('new') ('1'))")


def test_who_observed_may_observe_again(standard: Variant) -> None:
    script = Script(standard)
    script.hears("watcher", "OBS")
    script.forgets()
    script.recovers()
    assert not list(script.game.state.observers)


@pytest.mark.parametrize("first", ["plays", "recovers"])
def test_the_server_can_break_a_game_off(standard: Variant, first: str) -> None:
    """Recorded, without a word to its clients: the server sends them off."""
    script = recovered(standard) if first == "recovers" else Script(standard)
    script.game.handle(GameBrokenOff(), script.now)
    assert stage(script) is Stage.CLOSED
    assert script.game.state.ending is not None
    assert script.game.state.ending.ending is Ending.ABORTED


def test_a_game_that_is_over_has_nobody_to_wait_for(standard: Variant) -> None:
    script = Script(standard)
    for power in POWERS:
        script.hears(power, "DRW")
    script.forgets()
    script.recovers()
    assert stage(script) is Stage.ENDED
    script.game.handle(GameBrokenOff(), script.now)
    assert stage(script) is Stage.ENDED


def loaded(standard: Variant, *words: str) -> Script:
    """Return a game that was saved in its first turn, and loaded."""
    script = Script(standard, *words)
    script.loads("game")
    return script


def take_seats(script: Script, *powers: str) -> None:
    """Let clients take the seats of *powers*."""
    for power in powers:
        script.hears(power, f"IAM ({power}) ({PASSCODES[power]})")


@given(order=st.permutations(POWERS), refusing=st.integers(0, 6))
def test_it_goes_on_when_everybody_is_back_or_has_refused(
    standard: Variant, order: list[str], refusing: int
) -> None:
    """In whatever order they come; not without anybody."""
    script = loaded(standard)
    for power in order[:refusing]:
        script.hears(power, f"NME ('{power}') ('1')")
        script.hears(power, "YES (MAP ('standard'))")
        script.hears(power, "REJ (LOD ('game'))")
        assert stage(script) is Stage.LOADING
    for power in order[refusing:]:
        assert stage(script) is Stage.LOADING
        take_seats(script, power)
    assert stage(script) is Stage.PLAYING


def test_the_clock_of_a_loaded_game_stands_still(standard: Variant) -> None:
    """What was left of the turn is left."""
    script = Script(standard, "mtl=100")
    script.waits(30)
    script.loads("game")
    assert script.game.alarm is None
    script.waits(1000)
    take_seats(script, *POWERS)
    assert script.game.alarm == script.now + 70


def test_a_limit_bounds_the_wait_once_somebody_is_back(standard: Variant) -> None:
    """It begins anew if all leave again; the absent are in disorder."""
    script = loaded(standard, "load_seconds=30.0")
    take_seats(script, "FRA")
    script.waits(20)
    script.loses("FRA")
    script.waits(20)
    take_seats(script, "FRA")
    script.waits(29)
    assert stage(script) is Stage.LOADING
    script.waits(1)
    assert stage(script) is Stage.PLAYING
    absent = [seat.power for seat in script.game.state.seating if seat.in_disorder]
    assert set(absent) == {*POWERS} - {"FRA"}


def test_as_many_are_offered_the_game_as_it_lacks(standard: Variant) -> None:
    """They have joined, though they have no seat yet."""
    script = loaded(standard)
    take_seats(script, "FRA")
    for number in range(6):
        script.hears(f"c{number}", f"NME ('c{number}') ('1')")
        assert script.admitted[f"c{number}"].role is ClientRole.LOAD_PENDING
    assert not script.game.state.takes_players
    script.hears("late", "NME ('late') ('1')")
    assert "late" not in script.admitted
    script.loses("c0")
    assert script.game.state.takes_players


def test_who_returns_brings_its_name(standard: Variant) -> None:
    """NME says it, IAM does not."""
    script = loaded(standard)
    script.hears("x", "NME ('new') ('2')")
    script.hears("x", "YES (MAP ('standard'))")
    take_seats(script, "ENG")
    script.hears("x", f"IAM (FRA) ({PASSCODES['FRA']})")
    names = {seat.power: seat.name for seat in script.game.state.seating}
    assert (names["FRA"], names["ENG"]) == ("new", "engbot")  # type: ignore[index]


def test_only_a_running_game_waits_for_players(standard: Variant) -> None:
    """One that has not begun, or is over, stays what it is."""
    script = Script(standard, "empty")
    script.loads("game")
    assert stage(script) is Stage.FORMING
    script = Script(standard)
    for power in POWERS:
        script.hears(power, "DRW")
    script.loads("game")
    assert stage(script) is Stage.ENDED

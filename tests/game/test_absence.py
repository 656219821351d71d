"""Players who leave: CCD, pauses, and games that nobody comes back to."""

from hypothesis import given
from hypothesis import strategies as st

from daide_server.board.variant import Variant
from daide_server.game.stages import Stage
from daide_server.records.entries import Ended, Ending
from tests.support.scripts import PASSCODES, Script

POWERS = tuple(PASSCODES)


def stage(script: Script) -> Stage:
    """Return the stage of the game now."""
    return script.game.stage


def leave(script: Script, *powers: str) -> None:
    """Break the connections of *powers*, and forget what that brings."""
    for power in powers:
        script.loses(power)
    script.forgets()


def test_one_who_leaves_does_not_stop_the_game(standard: Variant) -> None:
    """It is in disorder, and the turn ends without it."""
    script = Script(standard)
    script.loses("FRA")
    script.says("ENG", "CCD (FRA)")
    assert stage(script) is Stage.PLAYING


def test_the_clock_stops_for_orders_that_are_due(standard: Variant) -> None:
    """With DSD and a deadline; not for a player whose orders are in."""
    script = Script(standard, "mtl=100", "dsd")
    script.holds("FRA")
    leave(script, "FRA")
    assert stage(script) is Stage.PLAYING
    script.waits(40)
    script.loses("ENG")
    script.says("GER", "CCD (ENG)")
    script.says("GER", "NOT (TME (60))")
    assert stage(script) is Stage.PAUSED
    assert script.game.alarm is None
    script.waits(1000)
    script.hears("e", "IAM (ENG) (2083)")
    assert stage(script) is Stage.PLAYING
    assert script.game.alarm == script.now + 60


def test_the_clock_runs_on_when_the_last_one_is_back(standard: Variant) -> None:
    """Not before."""
    script = Script(standard, "mtl=100", "dsd")
    leave(script, "FRA", "ENG")
    script.hears("f", "IAM (FRA) (6334)")
    assert stage(script) is Stage.PAUSED
    script.hears("e", "IAM (ENG) (2083)")
    assert stage(script) is Stage.PLAYING


def test_a_game_without_players_is_abandoned(standard: Variant) -> None:
    """After a while, unless somebody comes back in time."""
    script = Script(standard, "abandoned_after=60.0")
    leave(script, *POWERS)
    script.waits(59)
    script.hears("f", "IAM (FRA) (6334)")
    assert stage(script) is Stage.PLAYING
    leave(script, "f")
    script.waits(59)
    assert stage(script) is Stage.PAUSED
    script.waits(1)
    assert stage(script) is Stage.CLOSED
    last = script.records[-1]
    assert isinstance(last, Ended)
    assert last.ending is Ending.ABORTED


@given(
    dsd=st.booleans(),
    steps=st.lists(st.tuples(st.sampled_from(POWERS), st.integers(0, 20)), max_size=20),
)
def test_a_game_stands_still_exactly_while_it_must(
    standard: Variant, steps: list[tuple[str, int]], *, dsd: bool
) -> None:
    """While nobody is there; with DSD, while one that owed orders is away."""
    script = Script(standard, "mtl=8000", "abandoned_after=9999.0", *["dsd"] * dsd)
    for power, seconds in steps:
        if power in script.names:
            script.loses(power)
        else:
            script.hears(power, f"IAM ({power}) ({PASSCODES[power]})")
        present = script.game.state.present()
        must_wait = not present or (dsd and len(present) < 7)
        assert stage(script) is (Stage.PAUSED if must_wait else Stage.PLAYING)
        script.waits(seconds)


def test_the_clock_waits_for_whoever_has_left(standard: Variant) -> None:
    """With DSD and `wait_for = "everyone"`: also if its orders are in."""
    script = Script(standard, "mtl=100", "dsd", "wait_for=everyone")
    script.holds("FRA")
    script.waits(40)
    script.loses("FRA")
    script.says("GER", "CCD (FRA)")
    script.says("GER", "NOT (TME (60))")
    assert stage(script) is Stage.PAUSED
    script.hears("f", "IAM (FRA) (6334)")
    assert stage(script) is Stage.PLAYING
    assert script.game.alarm == script.now + 60


def test_without_dsd_the_clock_waits_for_nobody(standard: Variant) -> None:
    script = Script(standard, "mtl=100", "wait_for=everyone")
    script.loses("FRA")
    assert stage(script) is Stage.PLAYING


def test_who_owes_orders_for_too_long_is_disconnected(standard: Variant) -> None:
    """Without a deadline; its power goes on in disorder, and may come back."""
    script = Script(standard, "hung_after=600")
    script.holds("AUS", "ENG", "FRA", "GER", "ITA", "RUS")
    turn = script.game.state.position.turn
    script.waits(599)
    assert script.closed == set()
    script.waits(2)
    assert script.closed == {"TUR"}
    script.says("FRA", "CCD (TUR)")
    assert script.game.state.position.turn != turn
    script.hears("t", "IAM (TUR) (3286)")
    assert script.said("t")[0].startswith("YES")


def test_all_who_owe_orders_for_too_long_are_disconnected(standard: Variant) -> None:
    """Client 0 is a client like any other."""
    script = Script(standard, "hung_after=600", first_client=0)
    script.holds("ENG", "FRA", "GER", "ITA", "RUS")
    script.waits(601)
    assert script.closed == {"AUS", "TUR"}


def test_time_to_give_orders_begins_anew_with_each_turn(standard: Variant) -> None:
    """And for a player with its return."""
    script = Script(standard, "hung_after=600")
    script.waits(500)
    script.holds()
    script.waits(500)
    assert script.closed == set()
    script.loses("FRA")
    script.hears("f", "IAM (FRA) (6334)")
    script.holds("AUS", "ENG", "GER", "ITA", "RUS", "TUR")
    script.waits(599)
    assert script.closed == set()
    script.waits(2)
    assert script.closed == {"f"}


def test_nobody_is_hung_where_a_deadline_ends_the_turn(standard: Variant) -> None:
    """Nor in a game that stands still, nor if the policy does not say so."""
    for words in (("mtl=1000", "rtl=1000", "btl=1000", "hung_after=10"), ()):
        script = Script(standard, *words)
        script.waits(5000)
        assert script.closed == set()


def test_who_takes_orders_back_late_owes_them(standard: Variant) -> None:
    """NOT (SUB) starts no time of its own, and does not last for ever."""
    script = Script(standard, "hung_after=600")
    script.holds("AUS", "ENG", "FRA", "GER", "ITA", "RUS")
    script.hears("FRA", "NOT (GOF)")
    script.waits(601)
    assert script.closed == {"TUR", "FRA"}

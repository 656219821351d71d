"""Players who leave: CCD, pauses, and games that nobody comes back to."""

from hypothesis import given
from hypothesis import strategies as st

from daide_server.board.map import Variant
from daide_server.board.names import Power
from daide_server.game.events import Cause, ClientRole, GameBrokenOff, Stage
from daide_server.records.entries import Ended
from daide_server.records.record import Ending
from tests.support.scripts import PASSCODES, Script

POWERS = tuple(PASSCODES)


def stage(script: Script) -> Stage:
    return script.game.stage


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
    script = Script(standard, "mtl=100", "wait_for=everyone")
    script.loses("FRA")
    assert stage(script) is Stage.PLAYING
    script = Script(standard, "mtl=100", "dsd", "wait_for=everyone")
    script.holds("FRA")
    script.waits(40)
    script.loses("FRA")
    script.says("GER", "CCD (FRA)")
    script.says("GER", "NOT (TME (60))")
    assert stage(script) is Stage.PAUSED
    script.hears("f", "IAM (FRA) (6334)")
    assert stage(script) is Stage.PLAYING
    assert script.game.state.clock.alarm == script.now + 60


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


OTHERS = tuple(power for power in POWERS if power != "FRA")


def come_back(script: Script, *powers: str) -> None:
    for power in powers:
        script.hears(power, f"IAM ({power}) ({PASSCODES[power]})")
        script.says(power, f"YES (IAM ({power}) ({PASSCODES[power]}))")


def recovered(standard: Variant, *words: str) -> Script:
    """Return a game whose server was killed in its first turn."""
    script = Script(standard, *words)
    script.recovers()
    return script


def test_the_clock_stands_still_until_then(standard: Variant) -> None:
    """What was left of the turn is left."""
    script = Script(standard, "mtl=100")
    script.waits(30)
    script.recovers()
    script.waits(20)
    for power in POWERS:
        script.hears(power, f"IAM ({power}) ({PASSCODES[power]})")
    assert script.game.state.clock.alarm == script.now + 70


def test_a_turn_that_was_nearly_over_has_some_seconds_left(standard: Variant) -> None:
    script = Script(standard, "mtl=100")
    script.waits(99)
    script.recovers(grace=10)
    for power in POWERS:
        script.hears(power, f"IAM ({power}) ({PASSCODES[power]})")
    assert script.game.state.clock.alarm == script.now + 10


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
    assert script.game.state.clock.alarm == script.now + 70


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

"""Players who leave: CCD, pauses, and games that nobody comes back to."""

from hypothesis import given
from hypothesis import strategies as st

from daide_server.board.map import Variant
from daide_server.game.events import ClientRole, Stage
from tests.support.scripts import PASSCODES, Script

POWERS = tuple(PASSCODES)


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
        assert script.game.state.stage is (Stage.PAUSED if must_wait else Stage.PLAYING)
        script.waits(seconds)


def test_all_who_owe_orders_for_too_long_are_disconnected(standard: Variant) -> None:
    """Client 0 is a client like any other."""
    script = Script(standard, "hung_after=600", first_client=0)
    script.holds("ENG", "FRA", "GER", "ITA", "RUS")
    script.waits(601)
    assert script.closed == {"AUS", "TUR"}


def test_nobody_is_hung_where_a_deadline_ends_the_turn(standard: Variant) -> None:
    """Nor in a game that stands still, nor if the policy does not say so."""
    for words in (("mtl=1000", "rtl=1000", "btl=1000", "hung_after=10"), ()):
        script = Script(standard, *words)
        script.waits(5000)
        assert script.closed == set()


def loaded(standard: Variant) -> Script:
    """Return a game that was saved in its first turn, and loaded."""
    script = Script(standard)
    script.loads("game")
    return script


def take_seats(script: Script, *powers: str) -> None:
    for power in powers:
        script.hears(power, f"IAM ({power}) ({PASSCODES[power]})")


@given(order=st.permutations(POWERS), refusing=st.integers(0, 6))
def test_a_loaded_game_resumes_when_all_are_back_or_have_refused(
    standard: Variant, order: list[str], refusing: int
) -> None:
    """In whatever order they come; not without anybody."""
    script = loaded(standard)
    for power in order[:refusing]:
        script.hears(power, f"NME ('{power}') ('1')")
        script.hears(power, "YES (MAP ('standard'))")
        script.hears(power, "REJ (LOD ('game'))")
        assert script.game.state.stage is Stage.LOADING
    for power in order[refusing:]:
        assert script.game.state.stage is Stage.LOADING
        take_seats(script, power)
    assert script.game.state.stage is Stage.PLAYING


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


def test_a_client_that_returns_brings_its_name(standard: Variant) -> None:
    """NME says it, IAM does not."""
    script = loaded(standard)
    script.hears("x", "NME ('new') ('2')")
    script.hears("x", "YES (MAP ('standard'))")
    take_seats(script, "ENG")
    script.hears("x", f"IAM (FRA) ({PASSCODES['FRA']})")
    names = {seat.power: seat.name for seat in script.game.state.seating}
    assert (names["FRA"], names["ENG"]) == ("new", "engbot")  # type: ignore[index]

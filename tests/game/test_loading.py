"""Loaded games: who is awaited before they go on."""

from hypothesis import given
from hypothesis import strategies as st

from daide_server.board.variant import Variant
from daide_server.game.permissions import ClientRole
from daide_server.game.stages import Stage
from tests.support.scripts import PASSCODES, Script

POWERS = tuple(PASSCODES)


def stage(script: Script) -> Stage:
    """Return the stage of the game now."""
    return script.game.stage


def loaded(standard: Variant, *words: str) -> Script:
    """Return a game that was saved in its first turn, and loaded."""
    script = Script(standard, *words)
    script.loads("game")
    return script


def come_back(script: Script, *powers: str) -> None:
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
        come_back(script, power)
    assert stage(script) is Stage.PLAYING


def test_the_clock_stands_still_until_then(standard: Variant) -> None:
    """What was left of the turn is left."""
    script = Script(standard, "mtl=100")
    script.waits(30)
    script.loads("game")
    assert script.game.alarm is None
    script.waits(1000)
    come_back(script, *POWERS)
    assert script.game.alarm == script.now + 70


def test_a_limit_bounds_the_wait_once_somebody_is_back(standard: Variant) -> None:
    """It begins anew if all leave again; the absent are in disorder."""
    script = loaded(standard, "load_seconds=30.0")
    come_back(script, "FRA")
    script.waits(20)
    script.loses("FRA")
    script.waits(20)
    come_back(script, "FRA")
    script.waits(29)
    assert stage(script) is Stage.LOADING
    script.waits(1)
    assert stage(script) is Stage.PLAYING
    absent = [seat.power for seat in script.game.state.seating if seat.in_disorder]
    assert set(absent) == {*POWERS} - {"FRA"}


def test_as_many_are_offered_the_game_as_it_lacks(standard: Variant) -> None:
    """They have joined, though they have no seat yet."""
    script = loaded(standard)
    come_back(script, "FRA")
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
    come_back(script, "ENG")
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

"""Joining, returning and leaving: who is admitted, and when the game begins."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daide_server.board.map import Variant
from daide_server.board.names import Power
from daide_server.game.events import ClientRole, JoinRefusal, Refuse, Stage
from daide_server.game.joining import MAX_NAME
from daide_server.records.entries import Began, Seated
from tests.support.scripts import Script

MAP = "YES (MAP ('standard'))"


def admitted(script: Script, client: str) -> tuple[ClientRole, Power | None] | None:
    """Return as what *client* was admitted; `None` if it was not."""
    found = script.admitted.get(client)
    return None if found is None else (found.role, found.power)


def test_why_a_seat_is_refused_is_said(standard: Variant) -> None:
    """It is taken, or there is no room, though no power is named for some clients."""
    script = Script(standard, "empty", "seats=name")
    script.hears("a", "NME ('FRA:a') ('1')")
    script.hears("b", "NME ('FRA:b') ('1')")
    assert refusal(script) is JoinRefusal.SEAT_TAKEN
    for number in range(6):
        script.hears(f"c{number}", "NME ('c') ('1')")
    assert admitted(script, "c0") == (ClientRole.JOINED, None)
    script.hears("b", "NME ('ENG:b') ('1')")
    assert refusal(script) is JoinRefusal.NO_OPEN_SEAT


def refusal(script: Script) -> JoinRefusal:
    (found,) = (each for each in script.effects[-1] if isinstance(each, Refuse))
    return found.reason


@given(order=st.permutations([(n, said) for n in range(7) for said in range(2)]))
def test_the_game_begins_with_the_last_map_that_is_accepted(
    standard: Variant, order: list[tuple[int, int]]
) -> None:
    """Whatever the order in which clients come, it begins once, with all seven."""
    script = Script(standard, "empty")
    for number, _ in order:
        client = f"c{number}"
        known = client in script.names
        script.hears(client, MAP if known else f"NME ('{client}') ('1')")
        begun = script.game.state.stage is Stage.PLAYING
        assert begun is (len(script.game.state.audience()) == 7)
    assert script.game.state.stage is Stage.PLAYING
    kinds = [type(entry) for entry in script.records]
    assert kinds == [Began, *[Seated] * 7]


@pytest.mark.parametrize(
    "name",
    ["x" * (MAX_NAME + 1), "x" * 15_000, "a\\x0Ab", "\\x1B[2J", "\\x85", "\\uF7E9"],
)
@pytest.mark.parametrize("said", ["('{}') ('1')", "('bot') ('{}')"])
def test_names_that_nobody_could_print_are_rejected(
    standard: Variant, name: str, said: str
) -> None:
    """Too long ones too; the client may try again with the longest."""
    script = Script(standard, "empty")
    script.hears("a", f"NME {said.format(name)}")
    assert script.said("a")[0].startswith(("REJ", "HUH"))
    script.hears("a", f"NME ('{'x' * MAX_NAME}') ('{'é' * MAX_NAME}')")
    assert admitted(script, "a") is not None

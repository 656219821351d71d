"""Joining, returning and leaving: who is admitted, and when the game begins."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daide_server.board.map import Variant
from daide_server.board.names import Power
from daide_server.game.events import Admit, ClientRole, CloseClient, JoinRefusal, Refuse
from daide_server.game.joining import MAX_NAME
from daide_server.game.stages import Stage
from daide_server.records.entries import Began, Seated, Vacated
from tests.support.scripts import Script

MAP = "YES (MAP ('standard'))"


def admitted(script: Script, client: str) -> tuple[ClientRole, Power | None] | None:
    """Return as what *client* was admitted; `None` if it was not."""
    found = script.admitted.get(client)
    return None if found is None else (found.role, found.power)


def test_a_client_is_admitted_in_its_role(standard: Variant) -> None:
    """By NME, OBS and IAM; not by what is refused."""
    script = Script(standard, "empty")
    script.hears("a", "NME ('a') ('1')")
    script.hears("b", "OBS")
    script.hears("c", "IAM (FRA) (6334)")
    assert admitted(script, "a") == (ClientRole.JOINED, Power("AUS"))
    assert admitted(script, "b") == (ClientRole.OBSERVER, None)
    assert admitted(script, "c") is None
    script.admitted.clear()
    script.hears("a", "NME ('a') ('1')")
    script.hears("b", "NME ('b') ('1')")
    assert not script.admitted


def test_the_port_by_which_a_client_came_stays_its_seat(standard: Variant) -> None:
    """Also when it has refused the map and sends NME again."""
    script = Script(standard, "empty")
    script.comes_by_port("f", "FRA")
    for said in ("NME ('f') ('1')", "REJ (MAP ('standard'))", "NME ('f') ('1')"):
        script.hears("f", said)
    assert admitted(script, "f") == (ClientRole.JOINED, Power("FRA"))


def test_an_admission_comes_before_its_yes(standard: Variant) -> None:
    """So that the client is known as joined when its answer leaves."""
    script = Script(standard, "empty")
    script.hears("a", "NME ('a') ('1')")
    assert isinstance(script.effects[-1][0], Admit)


def test_a_full_game_refuses_players(standard: Variant) -> None:
    """Observers may come at any time."""
    script = Script(standard)
    script.hears("x", "NME ('x') ('1')")
    script.says("x", "REJ (NME ('x') ('1'))")
    script.hears("x", "OBS")
    script.says("x", "YES (OBS)")
    script.says("x", "MAP ('standard')")
    script.is_silent()


@pytest.mark.parametrize("refusal", ["REJ (MAP ('standard'))", "YES (MAP ('other'))"])
def test_who_refuses_the_map_has_not_joined(standard: Variant, refusal: str) -> None:
    """The seat is free again, and the client may try once more."""
    script = Script(standard, "empty")
    for command in ("NME ('a') ('1')", refusal, "NME ('a') ('2')"):
        script.hears("a", command)
    assert admitted(script, "a") == (ClientRole.JOINED, Power("AUS"))
    assert len(script.game.state.joined()) == 1


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
    """Return why the last message was refused."""
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
        begun = script.game.stage is Stage.PLAYING
        assert begun is (len(script.game.state.audience()) == 7)
    assert script.game.stage is Stage.PLAYING
    kinds = [type(entry) for entry in script.records]
    assert kinds == [Began, *[Seated] * 7]


def test_a_client_that_leaves_before_the_start_frees_its_seat(
    standard: Variant,
) -> None:
    """Nothing is recorded of it."""
    script = Script(standard, "empty")
    script.hears("a", "NME ('a') ('1')")
    script.loses("a")
    script.hears("b", "NME ('b') ('1')")
    assert admitted(script, "b") == (ClientRole.JOINED, Power("AUS"))
    assert not script.records


@pytest.mark.parametrize(
    ("name", "version"),
    [
        ("DumbBot", "1.0"),
        ("Albert", "v6.0.1"),
        ("David's HoldBot", "7.2.0.0"),
        ("Zoë", "0.1-beta (win32)"),
        ("x" * MAX_NAME, "é" * MAX_NAME),
    ],
)
def test_names_that_bots_have_are_taken(
    standard: Variant, name: str, version: str
) -> None:
    script = Script(standard, "empty")
    escaped = name.replace("'", "\\'")
    script.hears("a", f"NME ('{escaped}') ('{version}')")
    assert admitted(script, "a") is not None


@pytest.mark.parametrize(
    "name",
    ["x" * (MAX_NAME + 1), "x" * 15_000, "a\\x0Ab", "\\x1B[2J", "\\x85", "\\uF7E9"],
)
@pytest.mark.parametrize("said", ["('{}') ('1')", "('bot') ('{}')"])
def test_names_that_nobody_could_print_are_rejected(
    standard: Variant, name: str, said: str
) -> None:
    """Too long ones too; the client may try again with another."""
    script = Script(standard, "empty")
    script.hears("a", f"NME {said.format(name)}")
    assert script.said("a")[0].startswith(("REJ", "HUH"))
    script.hears("a", "NME ('bot') ('1')")
    assert admitted(script, "a") is not None


RIGHT = "IAM (FRA) (6334)"


def test_an_empty_seat_is_given_to_who_knows_its_passcode(standard: Variant) -> None:
    """The new client has the role of the old, and the record both."""
    script = Script(standard)
    script.loses("FRA")
    script.hears("f", RIGHT)
    admission = script.admitted["f"]
    assert (admission.role, admission.power) == (ClientRole.PLAYER, Power("FRA"))
    assert [type(entry) for entry in script.records[-2:]] == [Vacated, Seated]


@pytest.mark.parametrize("claim", ["IAM (FRA) (1)", "IAM (ENG) (6334)"])
def test_a_wrong_passcode_is_refused(standard: Variant, claim: str) -> None:
    """Also that of another power."""
    script = Script(standard)
    script.loses("FRA")
    script.forgets()
    script.hears("x", claim)
    script.says("x", f"REJ ({claim})")
    script.is_silent()
    assert "x" not in script.admitted


def test_a_seat_is_not_taken_from_its_client(standard: Variant) -> None:
    """Unless the policy lets silent ones lose theirs; then the old client is closed."""
    for words, taken in (((), False), (("takeover_after=60.0",), True)):
        script = Script(standard, *words)
        script.waits(60)
        script.hears("x", RIGHT)
        assert ("x" in script.admitted) is taken
        closing = [e for e in script.effects[-1] if isinstance(e, CloseClient)]
        assert bool(closing) is taken
        assert script.closed == ({"FRA"} if taken else set())

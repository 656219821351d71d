"""IAM: who gets a seat back."""

import pytest

from daide_server.board.names import Power
from daide_server.board.variant import Variant
from daide_server.game.effects import CloseClient
from daide_server.game.permissions import ClientRole
from daide_server.records.entries import Seated, Vacated
from tests.support.scripts import Script

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

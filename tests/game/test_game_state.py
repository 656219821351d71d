"""What the state of a game can be asked."""

from daide_server.board.names import Power
from daide_server.board.variant import Variant
from daide_server.game.events import ClientId
from daide_server.game.seating import ClientRole
from daide_server.language.messages import Rejoin
from tests.support.scripts import PASSCODES, Script

FRANCE = Power("FRA")


def test_roles_follow_the_game(standard: Variant) -> None:
    """From connected to joined, playing, eliminated from nothing, and over."""
    script = Script(standard, "empty")
    state = script.game.state
    assert state.role_of(ClientId(1)) is ClientRole.CONNECTED
    script.hears("a", "NME ('a') ('1')")
    script.hears("b", "OBS")
    assert state.role_of(ClientId(1)) is ClientRole.JOINED
    assert state.role_of(ClientId(2)) is ClientRole.OBSERVER
    assert state.audience() == ()
    script = Script(standard)
    state = script.game.state
    assert state.role_of(ClientId(1)) is ClientRole.PLAYER
    for power in standard.map.powers:
        script.hears(power, "DRW")
    assert state.role_of(ClientId(1)) is ClientRole.POST_GAME


def test_a_seat_is_claimed_by_its_passcode_while_the_game_runs(
    standard: Variant,
) -> None:
    """Before the start, after the end, and with another number nobody claims it."""
    claim = Rejoin(FRANCE, PASSCODES["FRA"])
    assert Script(standard, "empty").game.state.claimed_seat(claim) is None
    script = Script(standard)
    seat = script.game.state.claimed_seat(claim)
    assert seat is script.game.state.seating[FRANCE]
    assert script.game.state.claimed_seat(Rejoin(FRANCE, 1)) is None
    assert script.game.state.claimed_seat(Rejoin(Power("SPA"), 1)) is None
    for power in standard.map.powers:
        script.hears(power, "DRW")
    assert script.game.state.claimed_seat(claim) is None


def test_a_turn_waits_for_absent_powers_only_with_a_deadline(standard: Variant) -> None:
    """Without one it would never end."""
    for words, over in (((), True), (("mtl=100",), False)):
        script = Script(standard, *words)
        script.loses("FRA")
        powers = [power for power in standard.map.powers if power != FRANCE]
        script.holds(*powers)
        assert bool(script.game.state.history.turns) is over

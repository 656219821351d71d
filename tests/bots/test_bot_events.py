"""The result of a submission."""

from daide_server.board.names import Location, Power, Province, Unit, UnitType
from daide_server.board.orders import Hold
from daide_server.board.results import OrderNote
from daide_server.bots.bot_events import Submission

ARMY = Unit(Power("FRA"), UnitType.ARMY, Location(Province("PAR")))


def test_orders_are_refused_with_their_notes() -> None:
    """MBV accepts; every other note refuses."""
    far = (Hold(ARMY), OrderNote.NOT_ADJACENT)

    assert Submission(((Hold(ARMY), OrderNote.OK), far)).refused == (far,)
    assert Submission().refused == ()

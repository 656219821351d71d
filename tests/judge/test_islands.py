"""Islands: armies come and go by convoy only, whatever an old map says."""

from msgspec.structs import replace

from daide_server.board.names import Location, Power, Province, UnitType
from daide_server.board.orders import Hold, Move
from daide_server.board.results import OrderResult
from daide_server.judge.adjudication import adjudicate
from daide_server.judge.possible import possible_orders
from daide_server.storage.variants import load_variant


def test_an_army_cannot_move_to_its_own_island() -> None:
    """AiServer's file of `modern` has Iceland next to Iceland."""
    modern = load_variant("modern")
    board_map = modern.map
    iceland = Location(Province("ICE"))
    army = board_map.unit(Power("BRT"), UnitType.ARMY, iceland)
    position = replace(modern.start, units=(army, *modern.start.units))
    assert iceland in board_map.neighbours[UnitType.ARMY, iceland]

    (report, *_) = adjudicate(modern, position, [Move(army, iceland)]).reports

    assert possible_orders(board_map, position)[army] == (Hold(army),)
    assert (report.order, report.result) == (Hold(army), OrderResult.SUCCEEDED)

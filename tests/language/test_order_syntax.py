import pytest

from daide_server.board.names import Coast, Location, Power, Province, UnitType
from daide_server.board.orders import ConvoyedMove, Hold, SupportMove, Waive
from daide_server.board.variant import Variant
from daide_server.language.order_syntax import OrderReader, OrderWriter
from daide_server.language.text import from_text, to_text
from daide_server.language.vocabulary import Vocabulary

VOCABULARY = Vocabulary.standard()
READER = OrderReader(VOCABULARY, None)
WRITER = OrderWriter(VOCABULARY)

UNIT = "(ENG FLT LON)"
COASTAL = "(RUS FLT (STP NCS))"
ORDERS = [
    f"{UNIT} HLD",
    f"{COASTAL} MTO BAR",
    f"{UNIT} MTO (STP SCS)",
    f"{COASTAL} SUP {UNIT}",
    f"{COASTAL} SUP {COASTAL} MTO NWY",
    f"{UNIT} CVY (ENG AMY YOR) CTO NWY",
    f"{UNIT} CTO NWY VIA (NTH NWG)",
    f"{UNIT} RTO (SPA SCS)",
    f"{COASTAL} DSB",
    f"{COASTAL} BLD",
    f"{UNIT} REM",
    "RUS WVE",
    "(0x4109 FLT 0x50FE) MTO (0x50FD NEC)",
]


@pytest.mark.parametrize("said", ORDERS)
def test_an_order_is_written_as_it_was_read(said: str) -> None:
    tokens = from_text(said, VOCABULARY)

    assert WRITER.order(READER.order(tokens)) == tokens
    # Once more, from what the writer has kept.
    assert WRITER.order(READER.order(tokens)) == tokens


def test_what_orders_are_read_as(standard: Variant) -> None:
    reader = OrderReader(VOCABULARY, standard.map)

    def order(said: str) -> object:
        return reader.order(from_text(said, VOCABULARY))

    fleet = standard.map.unit(
        Power("RUS"), UnitType.FLEET, Location(Province("STP"), Coast.SOUTH)
    )
    london = standard.map.unit(Power("ENG"), UnitType.FLEET, Location(Province("LON")))
    assert order("(RUS FLT (STP SCS)) HLD") == Hold(fleet)
    assert order("RUS WVE") == Waive(Power("RUS"))
    assert order("(RUS FLT (STP SCS)) SUP (ENG FLT LON) MTO NTH") == SupportMove(
        fleet, london, Location(Province("NTH"))
    )
    assert order("(ENG FLT LON) CTO NWY VIA (NTH NWG)") == ConvoyedMove(
        london,
        Location(Province("NWY")),
        (Province("NTH"), Province("NWG")),
    )


def test_units_and_places_are_the_maps_own(standard: Variant) -> None:
    """So they are found, in the position and the judge's tables, without comparing."""
    reader = OrderReader(VOCABULARY, standard.map)

    for unit in standard.start.units:
        assert reader.unit(WRITER.unit_within(unit)) is unit
    for place in standard.map.locations.values():
        assert reader.locations(WRITER.location(place)) == (place,)


def test_an_order_without_a_route_is_written_without_one() -> None:
    """Other notations leave the route open; DAIDE does not."""
    unit = READER.unit(from_text("ENG AMY YOR", VOCABULARY))
    order = ConvoyedMove(unit, Location(Province("NWY")), None)

    assert to_text(WRITER.order(order), VOCABULARY) == "( ENG AMY YOR ) CTO NWY"

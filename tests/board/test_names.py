"""The nouns of the board."""

from daide_server.board.names import Coast, Location, Power, Province, Unit, UnitType


def test_a_location_reads_as_in_the_documents() -> None:
    assert str(Location(Province("PAR"))) == "PAR"
    assert str(Location(Province("STP"), Coast.SOUTH)) == "STP/SCS"


def test_units_are_values() -> None:
    fleet = Unit(Power("RUS"), UnitType.FLEET, Location(Province("STP"), Coast.SOUTH))
    twin = Unit(Power("RUS"), UnitType.FLEET, Location(Province("STP"), Coast.SOUTH))
    assert fleet == twin
    assert hash(fleet) == hash(twin)
    assert str(fleet) == "F STP/SCS"
    assert fleet.province == "STP"


def test_all_eight_coasts_of_the_protocol_have_names() -> None:
    names = " ".join(coast.value for coast in Coast)
    assert names == "NCS NEC ECS SEC SCS SWC WCS NWC"

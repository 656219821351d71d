"""The names and values of the board, and the words of DAIDE among them."""

from copy import copy, deepcopy

import pytest

from daide_server.board.map import Phase, Season, Terrain
from daide_server.board.names import (
    Coast,
    IdentityEnum,
    Location,
    Power,
    Province,
    Unit,
    UnitType,
)
from daide_server.board.orders import Build, Hold, Waive, owner
from daide_server.board.results import OrderNote, OrderResult
from daide_server.daide.tokens import TOKENS_BY_NAME, category

FLEET = Unit(Power("RUS"), UnitType.FLEET, Location(Province("STP"), Coast.SOUTH))


def test_names_read_as_in_the_documents() -> None:
    assert str(Location(Province("PAR"))) == "PAR"
    assert str(FLEET) == "F STP/SCS"
    names = " ".join(coast.value for coast in Coast)
    assert names == "NCS NEC ECS SEC SCS SWC WCS NWC"


def test_the_owner_of_an_order_is_the_power_of_its_unit() -> None:
    """A waive has no unit, but a power."""
    assert {owner(Hold(FLEET)), owner(Build(FLEET)), owner(Waive(FLEET.power))} == {
        "RUS"
    }


def test_notes_and_results_are_those_of_daide() -> None:
    """THX and ORD have them in brackets."""
    for words, expected in ((OrderNote, 0x44), (OrderResult, 0x45)):
        assert {category(TOKENS_BY_NAME[word.value]) for word in words} == {expected}


@pytest.mark.parametrize(
    "enum", [Terrain, Coast, UnitType, OrderNote, OrderResult, Phase, Season]
)
def test_members_are_hashed_by_identity_and_never_copied(
    enum: type[IdentityEnum],
) -> None:
    """Not by name, in Python code, as plain enums are."""
    for member in enum:
        assert hash(member) == object.__hash__(member)
        assert copy(member) is member
        assert deepcopy(member) is member

"""Enums that are hashed by identity."""

from copy import copy, deepcopy

import pytest

from daide_server.board.map import Phase, Season, Terrain
from daide_server.board.names import Coast, IdentityEnum, UnitType
from daide_server.board.results import OrderNote, OrderResult

ENUMS = [Terrain, Coast, UnitType, OrderNote, OrderResult, Phase, Season]


@pytest.mark.parametrize("enum", ENUMS)
def test_a_copy_of_a_member_is_the_member(enum: type[IdentityEnum]) -> None:
    """Else a copied key would not be found in a dictionary."""
    for member in enum:
        assert copy(member) is member
        assert deepcopy(member) is member
        assert {member: 1}[member] == 1


@pytest.mark.parametrize("enum", ENUMS)
def test_members_are_hashed_by_identity(enum: type[IdentityEnum]) -> None:
    """Not by name, in Python code, as plain enums are."""
    assert all(hash(member) == object.__hash__(member) for member in enum)

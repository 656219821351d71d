"""Boards become regions; where regions say too little, coasts are split off."""

from collections import Counter

import pytest

from daide_server.atlas.assistant import describe
from daide_server.atlas.assistant.from_regions import RegionKind
from daide_server.atlas.checking import AtlasError
from daide_server.board.variant import from_mapping
from daide_server.storage.variants import load_variant
from tests.atlas.boards import isle


def test_the_standard_map_has_the_regions_of_our_document() -> None:
    region_map = describe(load_variant("standard")).region_map
    kinds = Counter(region.kind.value for region in region_map.regions)
    assert kinds == {0: 19, 1: 7, 2: 15, 4: 10, 5: 24, 6: 6}
    assert len(region_map.borders) == 218


def test_a_coast_is_called_after_its_land_and_does_not_border_it() -> None:
    region_map = describe(load_variant("standard")).region_map
    numbers = {region.nick: region.number for region in region_map.regions}

    assert {"Spa", "Spa/nc", "Spa/sc"} <= numbers.keys()
    assert numbers["Spa"] not in region_map.near(numbers["Spa/nc"])


def test_where_shared_seas_do_not_decide_coasts_are_split_from_their_lands() -> None:
    """World3 has two coastal neighbours that share a sea or not against the rule."""
    kinds = {
        region.kind for region in describe(load_variant("world3")).region_map.regions
    }
    assert RegionKind.COASTAL not in kinds
    assert {RegionKind.COAST, RegionKind.COAST_SUPPLY} <= kinds


def test_a_centre_at_sea_cannot_be_said() -> None:
    data = isle()
    data["provinces"]["SEA"]["centre"] = True
    with pytest.raises(AtlasError, match="SEA is a supply centre at sea"):
        describe(from_mapping(data))

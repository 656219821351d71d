"""What the `diplomacy` package wants otherwise than dipcc."""

import json
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from daide_server.formats.phase_json.dialects import DIPLOMACY as DIPLOMACY
from daide_server.records.record import GameRecord
from daide_server.storage.variants import load_variant


@pytest.mark.parametrize(
    ("variant", "map_name"),
    [
        ("standard", "standard"),
        ("fleet_rome", "standard_fleet_rome"),
        ("shift_around", "standard"),
    ],
)
def test_the_map_is_one_that_the_package_has(
    record_of: Callable[..., GameRecord], variant: str, map_name: str
) -> None:
    record = replace(record_of(turns=0), variant=load_variant(variant))
    file = json.loads(DIPLOMACY.write(record))
    assert file["map"] == map_name
    assert file["daide"]["variant"] == variant

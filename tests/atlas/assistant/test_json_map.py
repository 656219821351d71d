"""The assistant's JSON: regions, and each border at both of its ends."""

import json
import re
from typing import Any

import pytest

from daide_server.atlas.assistant import describe, json_map
from daide_server.atlas.checking import AtlasError
from daide_server.storage.variants import load_variant, variant_names


def stored() -> dict[str, dict[str, list[Any]]]:
    return {
        "regions": {"0": ["Sea", "SEA", 0], "1": ["Land", "", 2], "2": ["Up", "U", 1]},
        "borders": {"0": [1], "1": [0, 2], "2": ["1"]},
    }


def test_regions_and_borders_are_read() -> None:
    """A number may be a text; a region without a nick goes by its name."""
    region_map = json_map.read(json.dumps(stored())).region_map
    assert [region.nick for region in region_map.regions] == ["SEA", "Land", "U"]
    assert region_map.near(1) == {0, 2}


@pytest.mark.parametrize("name", variant_names())
def test_what_is_written_is_read_back(name: str) -> None:
    region_map = describe(load_variant(name)).region_map
    assert json_map.read(json_map.write(region_map)) == json_map.RepairedMap(
        region_map, ()
    )


def test_every_region_has_a_list_of_borders_of_whole_numbers() -> None:
    written = json.loads(json_map.write(describe(load_variant("sailho")).region_map))
    assert written["regions"].keys() == written["borders"].keys()
    assert all(type(n) is int for near in written["borders"].values() for n in near)


@pytest.mark.parametrize(
    ("part", "key", "value", "fault"),
    [
        ("regions", "3", ["Sea", "X", 1], "region 3: Sea names region 0 already"),
        ("regions", "0", ["Sea", "SEA", 7], "region 0: found type 7, expected 0 to 6"),
        ("regions", "x", ["X", "X", 1], "region 'x': expected a whole number"),
        ("regions", "9" * 5000, ["X", "X", 1], "expected a whole number"),
        ("borders", "0", [1, 0], "region 0 borders itself"),
        ("borders", "0", [1, 9], "region 0 borders 9, which there is not"),
        ("borders", "9", [1], "borders of region 9, which there is not"),
        ("regions", "0", "Sea", "Expected `array`"),
    ],
)
def test_each_fault_is_reported(part: str, key: str, value: object, fault: str) -> None:
    wrong: dict[str, dict[str, Any]] = {**stored()}
    wrong[part][key] = value
    with pytest.raises(AtlasError, match=re.escape(fault)):
        json_map.read(json.dumps(wrong), "map.json")


def test_what_is_no_json_is_refused() -> None:
    with pytest.raises(AtlasError, match=r"map\.json: JSON is malformed"):
        json_map.read("r, 0:Sea", "map.json")


def test_a_one_way_border_is_repaired_and_reported() -> None:
    wrong = stored()
    wrong["borders"]["2"] = []

    reading = json_map.read(json.dumps(wrong), "map.json")

    assert reading.region_map.near(2) == {1}
    (fault,) = reading.repairs
    expected = "map.json: one-way border: region 1 borders 2, but not back"
    assert str(fault) == expected

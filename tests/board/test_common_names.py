"""Names of the standard map in hobby programs."""

from daide_server.board.map import Variant
from daide_server.board.names import Province
from daide_server.board.notation import POWER_NAMES, province_spelling
from daide_server.storage.variants import load_variant


def test_every_power_of_the_standard_map_has_a_name(standard: Variant) -> None:
    assert set(POWER_NAMES) == set(standard.map.powers)
    assert len(set(POWER_NAMES.values())) == len(POWER_NAMES)


def test_the_spelling_of_the_standard_map_is_unambiguous(standard: Variant) -> None:
    spelling = province_spelling(standard.map)
    spelled = [spelling.get(place, place) for place in standard.map.provinces]
    assert spelling[Province("ECH")] == "ENG"
    assert len(set(spelled)) == len(spelled)


def test_a_map_without_those_seas_keeps_its_own_names() -> None:
    assert province_spelling(load_variant("pure").map) == {}

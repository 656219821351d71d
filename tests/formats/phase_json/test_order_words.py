"""The words of an order, and the places that a name can mean."""

import pytest

from daide_server.board.names import Coast, Province, UnitType
from daide_server.board.variant import Variant
from daide_server.formats.errors import FormatError
from daide_server.formats.phase_json.lenient_orders import (
    WORD_FORMS,
    NamedPlace,
    items_in,
    names_on,
)


def place(*names: str, coast: Coast | None = None) -> NamedPlace:
    return NamedPlace(tuple(map(Province, names)), coast)


@pytest.mark.parametrize(
    "text",
    ["a par - bur", "Army Paris to Burgundy.", "A PAR -> BUR", "A Paris MTO Burg"],
)
def test_one_order_has_many_spellings(standard: Variant, text: str) -> None:
    expected = [UnitType.ARMY, place("PAR"), "-", place("BUR")]
    assert items_in(text, names_on(standard)) == expected


@pytest.mark.parametrize(
    "text", ["STP/SC", "stp(sc)", "St Petersburg South Coast", "Stp SC"]
)
def test_a_coast_is_part_of_its_place(standard: Variant, text: str) -> None:
    found = items_in(f"F {text} H", names_on(standard))
    assert found[1] == place("STP", coast=Coast.SOUTH)


def test_every_province_is_found_by_its_title(standard: Variant) -> None:
    names = names_on(standard)
    for province in standard.map.provinces:
        [found] = items_in(standard.titles[province], names)
        assert isinstance(found, NamedPlace)
        assert province in found.provinces


def test_the_beginning_of_a_name_means_all_that_begin_so(standard: Variant) -> None:
    [found] = items_in("Norw", names_on(standard))
    assert isinstance(found, NamedPlace)
    assert {"NWY", "NWG"} <= set(found.provinces)


def test_other_words_are_refused_with_the_order(standard: Variant) -> None:
    with pytest.raises(FormatError, match="order 'A PAR jumps': found 'JUMPS'"):
        items_in("A PAR jumps", names_on(standard))


def test_a_word_has_one_meaning(standard: Variant) -> None:
    kinds = {"", "-", "H", "S", "C", "R", "D", "B", "VIA", "skip"}
    assert set(WORD_FORMS.values()) == kinds
    assert items_in("the waive", names_on(standard)) == ["WAIVE"]

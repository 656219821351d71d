"""Units and owners of a season, and how faults in them are reported."""

import pytest

from daide_server.board.variant import Variant
from daide_server.formats.diplobn.map_names import BoardNames, board_names
from daide_server.formats.diplobn.positions import owners_in, units_in
from daide_server.formats.errors import FormatError


@pytest.fixture(scope="session")
def names(standard: Variant) -> BoardNames:
    return board_names(standard.map)


def test_the_start_is_read_as_it_is(standard: Variant, names: BoardNames) -> None:
    start = standard.start
    units = {
        country: [names.unit(unit) for unit in start.units_of(power)]
        for power, country in names.countries.items()
    }
    centres = {
        country: [names.provinces[at] for at in start.centres_of(power)]
        for power, country in names.countries.items()
    }
    assert units_in(names, units) == start.units
    assert owners_in(names, centres) == start.owners


def test_two_units_in_a_province_are_refused(names: BoardNames) -> None:
    with pytest.raises(FormatError, match="Units of 'Italy': two units in 'Ven'"):
        units_in(names, {"Austria": [("A", "Ven")], "Italy": [("A", "Ven")]})


def test_a_centre_with_two_owners_is_refused(names: BoardNames) -> None:
    with pytest.raises(FormatError, match="'Ven' belongs to Austria as well"):
        owners_in(names, {"Austria": ["Ven"], "Italy": ["Ven"]})

"""Where two positions are not the same, in the words of the file."""

import pytest
from attrs import evolve

from daide_server.board.names import Power, Province
from daide_server.board.notation import Reader, reader_of
from daide_server.board.variant import Variant
from daide_server.formats.phase_json.map_names import Names, names_of
from daide_server.records.comparison import Contrast, centers, retreats, units

FRANCE, GERMANY = Power("FRA"), Power("GER")


@pytest.fixture
def names(standard: Variant) -> Names:
    return names_of(standard.map)


@pytest.fixture
def reader(standard: Variant) -> Reader:
    return reader_of(standard.start, standard.map)


def test_the_order_of_units_and_centres_is_no_difference(
    standard: Variant, names: Names
) -> None:
    start = standard.start
    turned = evolve(
        start,
        units=start.units[::-1],
        owners=dict(sorted(start.owners.items(), reverse=True)),
    )

    assert list(units(names, turned, start, removing=False)) == []
    assert list(centers(names, turned, start)) == []


def test_each_power_has_its_own(standard: Variant, names: Names) -> None:
    start = standard.start
    owners = {**start.owners, Province("PAR"): GERMANY}
    found = list(centers(names, evolve(start, owners=owners), start))

    assert [each.power for each in found] == ["FRANCE", "GERMANY"]
    assert found[0] == Contrast(
        "FRANCE", "centers", "[BRE, MAR]", "[BRE, MAR, PAR]", known=False
    )


@pytest.mark.parametrize("removing", [True, False])
def test_who_cannot_retreat_may_be_gone_at_once(
    standard: Variant, names: Names, reader: Reader, *, removing: bool
) -> None:
    """It is a known way where units are removed, else a difference."""
    stuck = reader.unit("A BUR", FRANCE)
    after = evolve(standard.start, dislodged={stuck: ()})
    [found] = units(names, standard.start, after, removing=removing)

    assert found.known is removing
    assert (found.what, found.recorded) == (
        ("*A BUR", "removed") if removing else ("units", "[A MAR, A PAR, F BRE]")
    )


def test_who_can_retreat_may_not(
    standard: Variant, names: Names, reader: Reader
) -> None:
    free = reader.unit("A BUR", FRANCE)
    after = evolve(standard.start, dislodged={free: (reader.location("GAS"),)})
    [found] = units(names, standard.start, after, removing=True)

    assert (found.what, found.known) == ("units", False)


def test_more_retreats_than_there_are_is_a_known_way(
    standard: Variant, names: Names, reader: Reader
) -> None:
    unit = reader.unit("A BUR", FRANCE)
    gas, pic = reader.location("GAS"), reader.location("PIC")
    one, two = (
        evolve(standard.start, dislodged={unit: places})
        for places in ((gas,), (pic, gas))
    )

    assert list(retreats(names, two, one)) == [
        Contrast("FRANCE", "retreats of A BUR", "[GAS, PIC]", "[GAS]", known=True)
    ]
    assert [each.known for each in retreats(names, one, two)] == [False]
    assert list(retreats(names, two, standard.start)) == []

"""Positions and orders as JSON tells them, to whichever command."""

from typing import Any

import pytest
from msgspec import convert
from msgspec.json import Decoder

from daide_server.board.names import Location, Province
from daide_server.formats.errors import FormatError, decoded
from daide_server.formats.phase_json.map_names import names_of
from daide_server.reports.queries import (
    PositionJson,
    read_orders,
    read_position,
    without_occupied,
)
from daide_server.storage.variants import load_variant

NAMES = names_of(load_variant("standard").map)
VENICE: dict[str, Any] = {
    "phase": "F1901R",
    "units": {"AUSTRIA": ["A VEN", "A TRI"], "ITALY": ["*A VEN", "F ION"]},
    "centers": {"AUSTRIA": ["TRI"]},
    "retreats": {"ITALY": {"A VEN": ["TRI", "APU"]}},
    "orders": {"ITALY": ["A VEN R APU"]},
}


def told(**changes: object) -> PositionJson:
    return convert({**VENICE, **changes}, PositionJson)


def test_a_position_is_read_with_its_orders() -> None:
    position = read_position(NAMES, told())
    [order] = read_orders(NAMES, told(), position)

    assert len(position.units) == 3
    assert [unit.power for unit in position.dislodged] == ["ITA"]
    assert NAMES.order_text(order) == "A VEN R APU"


def test_the_dislodged_may_be_left_out_of_the_units() -> None:
    units = {"AUSTRIA": ["A VEN", "A TRI"], "ITALY": ["F ION"]}

    assert read_position(NAMES, told(units=units)) == read_position(NAMES, told())


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"retreats": None}, "no 'retreats' found, expected in this phase"),
        ({"phase": "F1901M"}, "'retreats' found, expected in R phases only"),
        ({"units": {"ITALY": ["A VEN"]}}, "A VEN found, expected .A VEN or nothing"),
    ],
)
def test_a_position_that_cannot_be_is_refused(
    changes: dict[str, object], message: str
) -> None:
    with pytest.raises(FormatError, match=message):
        read_position(NAMES, told(**changes))


def test_two_units_do_not_come_to_one_place() -> None:
    wrong = told(orders={"ITALY": ["A VEN R TRI"]})

    with pytest.raises(FormatError, match="where A TRI of AUSTRIA is"):
        read_orders(NAMES, wrong, read_position(NAMES, wrong))


def test_occupied_places_can_be_left_out() -> None:
    position = read_position(NAMES, told())
    [places] = without_occupied(position).dislodged.values()

    assert places == (Location(Province("APU")),)


def test_a_position_without_retreats_stays_as_it_is() -> None:
    position = load_variant("standard").start

    assert without_occupied(position) is position


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"phase": "\xff"}', "^byte 11: invalid UTF-8"),
        (b"{", "truncated"),
        (b'{"phase": "S1901M", "units": {"FRANCE": 3}}', r"^\$\.units\['FRANCE'\]: "),
    ],
)
def test_what_has_another_shape_is_told_with_its_place(
    content: bytes, message: str
) -> None:
    with pytest.raises(FormatError, match=message):
        decoded(content, Decoder(PositionJson))

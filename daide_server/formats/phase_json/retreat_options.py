"""The dislodged units of a state, and the retreats open to each.

Some programs, such as `diplomacy`, list occupied places, which is harmless until a unit
is ordered there. A place that is not adjacent to the unit is always refused.
"""

from collections.abc import Mapping, Sequence

from daide_server.board.names import Location, Power, Province, Unit
from daide_server.board.orders import Order, Retreat
from daide_server.board.position import Position
from daide_server.formats.errors import FormatError

from .map_names import Names
from .power_tables import read_table

RetreatChoices = tuple[Unit, tuple[Location, ...]]


def dislodged_in(
    names: Names, retreats: Mapping[str, Mapping[str, Sequence[str]]]
) -> dict[Unit, tuple[Location, ...]]:
    """Return the units of *retreats*, by power and province, and their places."""
    found: dict[Province, RetreatChoices] = {}

    def read(power: Power, places_of: Mapping[str, Sequence[str]]) -> None:
        for text, texts in places_of.items():
            unit, places = _dislodged(names, power, text, texts)
            if unit.province in found:
                message = f"two dislodged units in {names.provinces[unit.province]}"
                raise FormatError(message)
            found[unit.province] = unit, places

    read_table(names, "retreats", retreats, read)
    return dict(sorted(found.values(), key=lambda pair: names.map.sort_key(pair[0])))


def _dislodged(
    names: Names, power: Power, text: str, texts: Sequence[str]
) -> RetreatChoices:
    unit = names.unit(power, text.removeprefix("*"))
    near = names.map.neighbours.get((unit.type, unit.location), ())
    places = [names.location(each) for each in texts]
    for place in places:
        if place not in near:
            expected = ", ".join(sorted(map(names.location_text, near)))
            message = (
                f"{names.unit_text(unit)} cannot reach {names.location_text(place)}, "
                f"expected some of {expected}"
            )
            raise FormatError(message)
    index = names.map.index
    return unit, tuple(sorted(places, key=lambda at: index[at.province]))


def expect_gone(names: Names, position: Position) -> None:
    """Raise `FormatError` for units that are both dislodged and in place.

    A dislodged unit has a star in `units`, or is not there.
    """
    for unit in position.dislodged:
        if unit in position.units:
            power, text = names.powers[unit.power], names.unit_text(unit)
            message = f"units of {power!r}: {text} found, expected *{text} or nothing"
            raise FormatError(message)


def expect_free(names: Names, position: Position, orders: Sequence[Order]) -> None:
    """Raise `FormatError` for retreats to occupied places that *position* lists."""
    if not position.dislodged:
        return
    standing = {unit.province: unit for unit in position.units}
    for order in orders:
        if not isinstance(order, Retreat):
            continue
        there = standing.get(order.destination.province)
        if there and order.destination in position.dislodged.get(order.unit, ()):
            message = (
                f"orders of {names.powers[order.unit.power]!r}: "
                f"{names.order_text(order)} found where {names.unit_text(there)} of "
                f"{names.powers[there.power]} is, expected a free place"
            )
            raise FormatError(message)

"""The units and the owners of supply centres that a season shows."""

from collections.abc import Iterable, Mapping, Sequence

from daide_server.board.names import Power, Province, Unit
from daide_server.formats.errors import FormatError, within

from .map_names import BoardNames
from .shapes import PlaceName


def units_in(
    names: BoardNames, units: Mapping[str, Iterable[tuple[str, PlaceName]]]
) -> tuple[Unit, ...]:
    """Return the units, in the order of the map.

    Raises `FormatError` for a unit that cannot be, or two in one province.
    """
    found: dict[Province, Unit] = {}
    for country, placed in units.items():
        power = names.power(country)
        with within(f"Units of {country!r}"):
            for kind, place in placed:
                unit = names.map.unit(power, *names.standing(kind, place))
                if unit.province in found:
                    message = f"two units in {place!r}, expected one at most"
                    raise FormatError(message)
                found[unit.province] = unit
    return tuple(sorted(found.values(), key=names.map.sort_key))


def owners_in(
    names: BoardNames, centres: Mapping[str, Sequence[str]]
) -> dict[Province, Power]:
    """Return who owns which supply centre, in the order of the map.

    Raises `FormatError` for a name that is no supply centre, or has two owners.
    """
    owners: dict[Province, Power] = {}
    for country, owned in centres.items():
        power = names.power(country)
        with within(f"SupplyCenters of {country!r}"):
            for place in owned:
                centre = names.centre(place)
                if owners.setdefault(centre, power) != power:
                    first = names.countries[owners[centre]]
                    message = f"{place!r} belongs to {first} as well"
                    raise FormatError(message)
    return {place: owners[place] for place in names.map.provinces if place in owners}

"""The units and the owners of supply centres that a season shows."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import UNSET, Struct
from msgspec.structs import replace

from daide_server.board.names import Location, Power, Province, Unit
from daide_server.board.position import Position
from daide_server.board.turns import Phase
from daide_server.formats.errors import FormatError, within

from .map_names import BoardNames
from .order_lines import STAND_OFF, marks_in
from .shapes import DiplobnSeason, PlaceName


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


# Retreat turns, which DiploBN's seasons do not show: the orders before are adjudicated.
# What the file says of the dislodged units wins: which they are, where they may go by
# our own key, and where they went.


def retreats_of(position: Position, names: BoardNames) -> dict[str, list[PlaceName]]:
    """Return the places that *position* leaves open to each dislodged unit."""
    return {
        names.provinces[unit.province]: [names.place(place) for place in places]
        for unit, places in position.dislodged.items()
    }


def with_recorded_retreats(
    season: DiplobnSeason, before: Position, after: Position, names: BoardNames
) -> Position:
    """Return *after*, the position after the orders of *season*, as the file has it.

    *before* is the position before the orders. Raises `FormatError` for a place that
    is unknown.
    """
    if after.turn.phase is not Phase.RETREATS:
        if not _stated(season, names):
            return after
        after = replace(after, turn=before.turn.next(), owners=before.owners)
    places = _places(season, names)
    stated = [u for u in before.units if u.province in _stated(season, names)]
    # Our own key has all of them; some recorders remove others at once.
    dislodged = {} if places.opened else dict(after.dislodged)
    for unit in stated:
        own = places.opened.get(unit.province, dislodged.get(unit, ()))
        dislodged[unit] = _united(own, places.taken.get(unit.province, ()), names)
    return replace(
        after,
        units=tuple(unit for unit in after.units if unit not in dislodged),
        dislodged={u: dislodged[u] for u in sorted(dislodged, key=names.map.sort_key)},
    )


class _Places(Struct, frozen=True):
    """Where the file lets the unit of a province go, and where it lets it arrive."""

    opened: Mapping[Province, tuple[Location, ...]]
    taken: Mapping[Province, tuple[Location, ...]]


def _stated(season: DiplobnSeason, names: BoardNames) -> set[Province]:
    """Return the provinces of the units that *season* says were dislodged."""
    named = [] if season.DislodgedUnits is UNSET else season.DislodgedUnits
    own = {} if season.daide is UNSET else season.daide.retreats
    ordered = (line[0] for line in _lines(season))
    return {names.province(each) for each in (*(own or named), *ordered)}


def _lines(season: DiplobnSeason) -> Iterator[list[object]]:
    """Yield the lines of the retreats that are no empty lists."""
    for lines in (season.RetreatOrders or {}).values():
        yield from filter(None, lines)


def _places(season: DiplobnSeason, names: BoardNames) -> _Places:
    own = {} if season.daide is UNSET else season.daide.retreats
    opened = {
        names.province(at): tuple(map(names.location, places))
        for at, places in own.items()
    }
    taken: dict[Province, tuple[Location, ...]] = {}
    for at, action, result, *_ in ([*line, None, None] for line in _lines(season)):
        match action:
            case ["m", place] if _was_open(result):
                taken[names.province(at)] = (names.location(place),)
            case _:
                pass
    return _Places(opened, taken)


def _was_open(result: object) -> bool:
    """Return whether a retreat had *result* because its place was open to it."""
    return (
        result == "s"
        or (isinstance(result, list) and result[:1] == ["s"])
        or STAND_OFF in marks_in(result)
    )


def _united(
    one: tuple[Location, ...], other: tuple[Location, ...], names: BoardNames
) -> tuple[Location, ...]:
    index = names.map.index
    places = dict.fromkeys((*one, *other))
    return tuple(sorted(places, key=lambda place: index[place.province]))

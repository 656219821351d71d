"""A position as dipcc's `state`: written for all powers, read from the keys that exist.

Its shape: `units` with a star before the dislodged, `retreats` power -> unit -> places,
`builds` only in adjustment phases. All lists are sorted.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import TypeVar

from msgspec import UNSET, Raw, Struct, UnsetType

from daide_server.board.map import Phase, Position, Turn
from daide_server.board.names import Location, Power, Province, Unit
from daide_server.board.orders import Order, Retreat
from daide_server.judge.resolution import free_homes
from daide_server.records.formats.errors import FormatError

from .map_names import COMPLETED_PHASE, Names

# Tables power by power

Entry = TypeVar("Entry")


def read_table(
    names: Names,
    title: str,
    table: Mapping[str, Entry],
    read: Callable[[Power, Entry], None],
) -> None:
    """Call *read* with each power of *table* and its entry, unless the entry is empty.

    Powers that the variant lacks may have empty entries. The `FormatError`
    of *read* is raised again with the *title* of the table and the power.
    """
    for text, entry in table.items():
        if not entry and text in names.absent:
            continue
        # Not `within`: queries pass here thousands of times a second.
        try:
            power = names.power(text)
            if entry:
                read(power, entry)
        except FormatError as error:
            raise FormatError(f"{title} of {text!r}: {error}") from None


# Dislodged units, and the retreats open to each. Some programs, such as `diplomacy`,
# list occupied places, which is harmless until a unit is ordered there. A place that is
# not adjacent to the unit is always refused.

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


REMEMBERED_OWNERS = 64
"""The number of tables of owners that are cached."""
Retreats = dict[str, dict[str, list[str]]]


class Builds(Struct, frozen=True):
    """Builds that may be ordered and where, or removals as a negative number."""

    count: int = 0
    homes: list[str] = []


NO_BUILDS = Builds()


class KeptState(Struct, kw_only=True):
    """The keys of the `diplomacy` package that a state keeps as they are."""

    game_id: Raw | UnsetType = UNSET
    map: Raw | UnsetType = UNSET
    timestamp: Raw | UnsetType = UNSET
    zobrist_hash: Raw | UnsetType = UNSET
    note: Raw | UnsetType = UNSET
    influence: Raw | UnsetType = UNSET
    civil_disorder: Raw | UnsetType = UNSET
    rules: Raw | UnsetType = UNSET


class State(KeptState):
    """The state of a phase, for every power."""

    name: str
    units: dict[str, list[str]]
    centers: dict[str, list[str]]
    homes: dict[str, list[str]]
    retreats: Retreats
    builds: dict[str, Builds]


def state_of(names: Names, position: Position, *, completed: bool = False) -> State:
    """Return *position* as a state; a completed game has no retreats and no builds."""
    powers = names.powers
    units: dict[Power, list[str]] = {power: [] for power in powers}
    centers: dict[Power, list[str]] = {power: [] for power in powers}
    for unit in position.units:
        units[unit.power].append(names.unit_text(unit))
    for province, power in position.owners.items():
        centers[power].append(names.provinces[province])
    retreats = {} if completed else position.dislodged
    for unit in retreats:
        units[unit.power].append("*" + names.unit_text(unit))
    return State(
        name=COMPLETED_PHASE if completed else names.phase_text(position.turn),
        units={text: sorted(units[power]) for power, text in powers.items()},
        centers={text: sorted(centers[power]) for power, text in powers.items()},
        homes=_homes(names, position.owners),
        retreats=_retreats(names, retreats),
        builds=_no_builds(names) if completed else builds_of(names, position),
    )


def _homes(names: Names, owners: Mapping[Province, Power]) -> dict[str, list[str]]:
    """Return the home centres that each power still owns."""
    return {
        text: [
            place_text
            for home, place_text in names.homes[power]
            if owners.get(home) == power
        ]
        for power, text in names.powers.items()
    }


def _retreats(names: Names, dislodged: Mapping[Unit, tuple[Location, ...]]) -> Retreats:
    found: Retreats = {text: {} for text in names.powers.values()}
    for unit, places in dislodged.items():
        texts = sorted(names.location_text(place) for place in places)
        found[names.powers[unit.power]][names.unit_text(unit)] = texts
    return found


def builds_of(names: Names, position: Position) -> dict[str, Builds]:
    """Return the builds that may be ordered in the turn of *position*, by power."""
    if position.turn.phase is not Phase.ADJUSTMENTS:
        return _no_builds(names)
    return {
        text: _builds_of(names, position, power) for power, text in names.powers.items()
    }


def _no_builds(names: Names) -> dict[str, Builds]:
    return dict.fromkeys(names.powers.values(), NO_BUILDS)


def _builds_of(names: Names, position: Position, power: Power) -> Builds:
    surplus = position.surplus(power)
    if surplus <= 0:
        return Builds(surplus)
    homes = free_homes(names.map, position, power)
    free = sorted(names.provinces[home] for home in homes)
    return Builds(min(surplus, len(free)), free)


def position_of(
    names: Names,
    turn: Turn,
    units: Mapping[str, Sequence[str]],
    centers: Mapping[str, Sequence[str]] = MappingProxyType({}),
    retreats: Mapping[str, Mapping[str, Sequence[str]]] = MappingProxyType({}),
) -> Position:
    """Return the position that the tables of a state describe.

    In a retreat phase the units in *retreats* are the dislodged ones: they have a
    star in *units*, or are not there. Other phases ignore *retreats*. Raises
    `FormatError` for units, centres or retreats that are impossible on the map.
    """
    placed, starred = _placed(names, units)
    dislodged: Mapping[Unit, tuple[Location, ...]] = {}
    if turn.phase is Phase.RETREATS:
        dislodged = dislodged_in(names, retreats)
    for unit in starred:
        if unit not in dislodged:
            raise FormatError(f"unit '*{names.unit_text(unit)}' is not in the retreats")
    return Position(turn, placed, _owners(names, centers), dislodged)


def _placed(
    names: Names, units: Mapping[str, Sequence[str]]
) -> tuple[tuple[Unit, ...], Sequence[Unit]]:
    """Return the units in place, sorted, and the starred ones.

    Raises `FormatError` for what no position has.
    """
    placed: dict[Province, Unit] = {}
    starred: list[Unit] = []

    def place(power: Power, texts: Sequence[str]) -> None:
        for text in texts:
            unit = names.unit(power, text.removeprefix("*"))
            if text.startswith("*"):
                starred.append(unit)
                continue
            if unit.location.province in placed:
                raise FormatError(_two_units(names, placed, unit))
            placed[unit.location.province] = unit

    read_table(names, "units", units, place)
    return tuple(sorted(placed.values(), key=names.map.sort_key)), starred


def _two_units(names: Names, placed: Mapping[Province, Unit], unit: Unit) -> str:
    first = placed[unit.location.province]
    return (
        f"two units in {names.provinces[unit.province]}: "
        f"{names.powers[first.power]} {names.unit_text(first)} and "
        f"{names.powers[unit.power]} {names.unit_text(unit)}, expected one at most"
    )


def _owners(
    names: Names, centers: Mapping[str, Sequence[str]]
) -> Mapping[Province, Power]:
    """Return the owners in the order of the map; raises `FormatError`."""
    # A tuple is the tuple of itself, and files are read as tuples.
    rows = zip(centers, map(tuple, centers.values()), strict=True)
    return _owners_in(names, tuple(rows))


@lru_cache(REMEMBERED_OWNERS)
def _owners_in(
    names: Names, rows: tuple[tuple[str, tuple[str, ...]], ...]
) -> Mapping[Province, Power]:
    """Return the owners, the same object for all phases of a year."""
    owned: dict[Province, Power] = {}

    def own(power: Power, texts: Sequence[str]) -> None:
        for text in texts:
            centre = names.centre(text)
            if owned.setdefault(centre, power) != power:
                message = (
                    f"centre {text!r} belongs to {names.powers[owned[centre]]} and "
                    f"{names.powers[power]}, expected one owner"
                )
                raise FormatError(message)

    read_table(names, "centers", dict(rows), own)
    return {place: owned[place] for place in names.provinces if place in owned}

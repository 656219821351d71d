"""Faults of a map that another program or a person wrote, and flaws of any board.

A flaw makes a board unplayable as intended. A remark is unusual but playable; boards
of AiServer have such remarks too.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from attrs import evolve, frozen

from daide_server.board.map import Map, MapNode, Terrain, Variant
from daide_server.board.names import Location, Province, UnitType
from daide_server.daide import tokens
from daide_server.errors import InputError


@frozen
class MapFault:
    """A fault in a file; `line` counts from 1, and 0 means that it has no line."""

    problem: str
    file: str = ""
    line: int = 0

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        return f"{where}: {self.problem}" if where else self.problem


class AtlasError(InputError):
    """A file cannot be read to a variant, or a variant not written; see `faults`."""

    def __init__(self, *faults: MapFault) -> None:
        super().__init__("\n".join(map(str, faults)))
        self.faults = faults


# What a board has that another form of it lacks, found by comparing the two

PartOfBoard = Callable[[Variant], object]

BOARD_PARTS: Mapping[str, PartOfBoard] = {
    "the powers": lambda board: board.map.powers,
    "the provinces": lambda board: board.map.provinces,
    "which provinces are centres": lambda board: board.map.centres,
    "borders": lambda board: {at: set(to) for at, to in board.map.neighbours.items()},
    "the home centres": lambda board: board.map.homes,
    "the number of centres that wins": lambda board: board.map.majority,
    "the first turn": lambda board: board.start.turn,
    "the units at the start": lambda board: board.start.units,
    "the owners of the centres at the start": lambda board: board.start.owners,
    "full names": lambda board: board.titles,
    "the adjectives of the powers": lambda board: board.adjectives,
    "the colours of the powers": lambda board: board.colours,
    "the numbers of provinces in DAIDE": lambda board: board.map.fixed_numbers,
}
"""The parts of a board, except its name."""


def losses(board: Variant, copy: Variant) -> Iterator[str]:
    """Yield the parts that *board* has, and *copy* has not or has otherwise."""
    for name, part in BOARD_PARTS.items():
        if part(board) != part(copy):
            yield name


# The provinces that units can reach in any number of turns on an empty board. Convoys
# count: an army can get from a coast to each other coast of the same water, a connected
# set of sea provinces.

_T = TypeVar("_T")


def connected(board_map: Map) -> list[frozenset[Province]]:
    """Return the connected components of the map; each border counts both ways."""
    near: dict[Province, set[Province]] = {each: set() for each in board_map.provinces}
    for (_, at), places in board_map.neighbours.items():
        for place in places:
            near[at.province].add(place.province)
            near[place.province].add(at.province)
    return list(_components(near))


def within_reach(variant: Variant) -> frozenset[Province]:
    """Return the provinces that the units at the start or built at home can reach."""
    board_map = variant.map
    starts: set[MapNode] = {(unit.type, unit.location) for unit in variant.start.units}
    homes = {
        home
        for power in board_map.powers
        for home in board_map.homes[power]
        if variant.start.owners.get(home) == power
    }
    starts |= {(kind, at) for kind, at in board_map.neighbours if at.province in homes}
    return frozenset(at.province for _, at in _reached(board_map, starts))


def _reached(board_map: Map, starts: Iterable[MapNode]) -> set[MapNode]:
    """Return the nodes that moves and convoys lead to from *starts*."""
    steps: dict[MapNode, set[MapNode]] = {
        (kind, at): {(kind, place) for place in places}
        for (kind, at), places in board_map.neighbours.items()
    }
    for shore in _shores(board_map):
        armies = {
            (UnitType.ARMY, Location(province))
            for province in shore
            if board_map.can_stand(UnitType.ARMY, Location(province))
        }
        for army in armies:
            steps[army] |= armies
    return _closure(set(starts), steps)


def _shores(board_map: Map) -> Iterator[set[Province]]:
    """Yield the coastal provinces around each water."""
    near: dict[Province, set[Province]] = {}
    for (kind, at), places in board_map.neighbours.items():
        if kind is UnitType.FLEET and board_map.terrain[at.province] is Terrain.SEA:
            near[at.province] = {place.province for place in places}
    seas = {sea: around & near.keys() for sea, around in near.items()}
    for water in _components(seas):
        yield {place for sea in water for place in near[sea]} - near.keys()


def _components(steps: Mapping[_T, set[_T]]) -> Iterator[frozenset[_T]]:
    """Yield the connected components of an undirected graph, in its order."""
    visited: set[_T] = set()
    for start in steps:
        if start not in visited:
            component = _closure({start}, steps)
            visited |= component
            yield frozenset(component)


def _closure(found: set[_T], steps: Mapping[_T, set[_T]]) -> set[_T]:
    """Add to *found* all that can be reached from it; return it."""
    pending = list(found)
    while pending:
        for place in steps.get(pending.pop(), set()) - found:
            found.add(place)
            pending.append(place)
    return found


HARMLESS = frozenset(
    {tokens.BRACKET_CATEGORY, tokens.COAST_CATEGORY, tokens.PRESS_CATEGORY}
)
"""Token categories that a message never has in place of a power or a province."""
TOKEN_CATEGORIES = {
    name: tokens.category(token) for token, name in tokens.MNEMONICS.items()
}
UNIT_WORDS = {UnitType.ARMY: ("army", "armies"), UnitType.FLEET: ("fleet", "fleets")}


@frozen
class Flaw:
    """A flaw of a board, or a remark; `keys` lead to the value in a map file."""

    problem: str
    keys: tuple[str, ...]
    remark: bool = False


def flaws(variant: Variant) -> tuple[Flaw, ...]:
    """Return the flaws of *variant*, then the remarks on it."""
    found = [
        *_borders(variant.map),
        *_isolated(variant.map),
        *_out_of_reach(variant),
        *_names(variant),
        *_start(variant),
    ]
    return tuple(sorted(found, key=lambda flaw: flaw.remark))


def _borders(board_map: Map) -> Iterator[Flaw]:
    """Yield borders that are one-way, doubled, or lead where the unit cannot stand."""
    for (kind, at), places in board_map.neighbours.items():
        key, units = UNIT_WORDS[kind]
        keys = ("provinces", at.province, key)
        for place, times in Counter(places).items():
            back = board_map.neighbours.get((kind, place))
            if place == at:
                yield Flaw(f"{key}: {at} borders itself", keys, remark=True)
            elif back is None:
                problem = f"{key}: {at} borders {place}, where no {key} can stand"
                yield Flaw(problem + _hint(board_map, kind, place), keys)
            elif at not in back:
                problem = f"{units} can go from {at} to {place}, but not back"
                yield Flaw(f"one-way border: {problem}", keys)
            if times > 1:
                yield Flaw(f"{key}: {at} borders {place} {times} times", keys)


def _hint(board_map: Map, kind: UnitType, place: Location) -> str:
    coasts = board_map.coasts.get(place.province, ()) if kind is UnitType.FLEET else ()
    names = ", ".join(f"{place.province}/{coast.value}" for coast in coasts)
    return f", expected one of its coasts: {names}" if names else ""


def _isolated(board_map: Map) -> Iterator[Flaw]:
    """Yield the provinces without a path to the largest part of the map."""
    parts = sorted(connected(board_map), key=len)
    for part in parts[:-1]:
        for province in sorted(part):
            problem = f"unreachable province: nothing leads to {province}"
            if len(part) > 1:
                problem += f" from the rest of the map ({len(part)} provinces cut off)"
            yield Flaw(problem, ("provinces", province))


def _out_of_reach(variant: Variant) -> Iterator[Flaw]:
    """Yield the supply centres that no unit can ever reach."""
    reached = within_reach(variant)
    if not reached:
        yield Flaw(
            "no power has a unit or a centre: the map cannot be played",
            ("powers",),
            remark=True,
        )
        return
    for centre in sorted(variant.map.centres - reached):
        problem = f"nobody can reach the supply centre {centre}"
        yield Flaw(problem, ("provinces", centre))


def _names(variant: Variant) -> Iterator[Flaw]:
    """Yield abbreviations that are tokens or ambiguous, and equal full names."""
    board_map = variant.map
    tables: Mapping[str, Sequence[str]] = {
        "powers": board_map.powers,
        "provinces": board_map.provinces,
    }
    for table, names in tables.items():
        for name in filter(TOKEN_CATEGORIES.__contains__, names):
            problem = f"{name} is a token of DAIDE's language already"
            yield Flaw(
                problem, (table, name), remark=TOKEN_CATEGORIES[name] in HARMLESS
            )
        yield from _titles(table, names, variant.titles)
    for name in sorted({*tables["powers"]} & {*tables["provinces"]}):
        problem = f"duplicate abbreviation: {name} is a power and a province"
        yield Flaw(problem, ("provinces", name))


def _titles(
    table: str, names: Sequence[str], titles: Mapping[str, str]
) -> Iterator[Flaw]:
    named: dict[str, str] = {}
    for name in names:
        other = named.setdefault(titles[name].casefold(), name)
        if other != name:
            problem = f"{name} and {other} are both called {titles[name]}"
            yield Flaw(problem, (table, name, "name"), remark=True)


def _start(variant: Variant) -> Iterator[Flaw]:
    """Yield flaws of the start position: units, owners, homes, named coasts."""
    board_map, start = variant.map, variant.start
    occupants: dict[Province, str] = {}
    for unit in start.units:
        other = occupants.setdefault(unit.province, f"{unit.power} {unit}")
        if other != f"{unit.power} {unit}":
            problem = f"{other} and {unit.power} {unit} start in the same province"
            yield Flaw(problem, ("powers", unit.power, "units"))
    for power in board_map.powers:
        if not start.units_of(power) and not start.centres_of(power):
            problem = f"{power} starts with nothing: no units and no centres"
            yield Flaw(problem, ("powers", power))
        elif not board_map.homes[power]:
            problem = f"{power} has no home centre, and can never build"
            yield Flaw(problem, ("powers", power, "homes"), remark=True)
    for province in sorted(board_map.coasts):
        if len(board_map.coasts[province]) == 1:
            problem = f"{province} has one coast only, which needs no name"
            yield Flaw(problem, ("provinces", province, "fleet"), remark=True)


# Repair, so that a board can be played: a one-way border becomes two-way; one to where
# the unit cannot stand is removed, or leads to the coasts of that province from which
# the way back exists.


def repaired(variant: Variant) -> Variant:
    """Return *variant* with two-way borders between nodes that exist."""
    board_map = variant.map
    borders = {
        node: dict.fromkeys(_destinations(board_map, node))
        for node in board_map.neighbours
    }
    for (kind, at), places in borders.items():
        for place in places:
            borders[kind, place].setdefault(at)
    return evolve(
        variant, map=evolve(board_map, neighbours=_sorted(board_map, borders))
    )


def _destinations(board_map: Map, node: MapNode) -> Iterator[Location]:
    """Yield the neighbours of *node* where the unit can stand."""
    kind, at = node
    for place in board_map.neighbours[node]:
        if board_map.can_stand(kind, place):
            yield place
        elif kind is UnitType.FLEET:
            coasts = board_map.coasts.get(place.province, ())
            ends = (Location(place.province, coast) for coast in coasts)
            yield from (end for end in ends if at in board_map.neighbours[kind, end])


def _sorted(
    board_map: Map, borders: Mapping[MapNode, Mapping[Location, None]]
) -> dict[MapNode, tuple[Location, ...]]:
    return {
        node: tuple(sorted(places, key=lambda at: board_map.index[at.province]))
        for node, places in borders.items()
    }

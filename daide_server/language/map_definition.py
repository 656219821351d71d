"""MDF: a map as a message, written and read.

Terrain and types of provinces follow from adjacency: an inland province has army
neighbours only, a sea fleet neighbours only, a land ringed by sea an empty group
for armies. Message Syntax, "MDF".
"""

from collections.abc import Iterator

from daide_server.board.map import Map
from daide_server.board.names import Location, Power, Province, UnitType

from .brackets import bracketed, parts
from .order_syntax import (
    COAST_TOKENS,
    COASTS_BY_TOKEN,
    UNIT_TYPE_TOKENS,
    UNIT_TYPES_BY_TOKEN,
    OrderReader,
    OrderWriter,
)
from .tokens import BRA, FLT, MDF, UNO, Tokens

_Homes = dict[tuple[Power, ...], list[Province]]


def write_map(board_map: Map, nouns: OrderWriter) -> Tokens:
    """Return the MDF of *board_map*."""
    powers = nouns.powers(board_map.powers)
    provinces = (*_centres(board_map, nouns), *bracketed(_others(board_map, nouns)))
    return (
        MDF,
        *bracketed(powers),
        *bracketed(provinces),
        *bracketed(_adjacencies(board_map, nouns)),
    )


def _centres(board_map: Map, nouns: OrderWriter) -> Tokens:
    groups = (
        bracketed((*_owners(powers, nouns), *_provinces(centres, nouns)))
        for powers, centres in _homes(board_map).items()
    )
    return bracketed(sum(groups, ()))


def _homes(board_map: Map) -> _Homes:
    """Return the centres by the powers they are home to: none for neutral ones."""
    homes: _Homes = {(power,): [] for power in board_map.powers}
    for centre in filter(board_map.centres.__contains__, board_map.provinces):
        at_home = (
            power for power in board_map.powers if centre in board_map.homes[power]
        )
        homes.setdefault(tuple(at_home), []).append(centre)
    # Neutral centres come last; a power without a home has no group.
    homes[()] = homes.pop((), [])
    return {powers: centres for powers, centres in homes.items() if centres}


def _owners(powers: tuple[Power, ...], nouns: OrderWriter) -> Tokens:
    if not powers:
        return (UNO,)
    tokens = nouns.powers(powers)
    return tokens if len(tokens) == 1 else bracketed(tokens)


def _provinces(provinces: list[Province], nouns: OrderWriter) -> Tokens:
    return tuple(map(nouns.vocabulary.province_token, provinces))


def _others(board_map: Map, nouns: OrderWriter) -> Tokens:
    others = [each for each in board_map.provinces if each not in board_map.centres]
    return _provinces(others, nouns)


def _adjacencies(board_map: Map, nouns: OrderWriter) -> Tokens:
    groups: dict[Province, Tokens] = {}
    for (kind, at), places in board_map.neighbours.items():
        towards = sum(map(nouns.location, places), ())
        group = bracketed((*_standing(kind, at), *towards))
        groups[at.province] = (*groups.get(at.province, ()), *group)
    tokens: Tokens = ()
    for province in board_map.provinces:
        name = nouns.vocabulary.province_token(province)
        tokens += bracketed((name, *groups.get(province, ())))
    return tokens


def _standing(kind: UnitType, at: Location) -> Tokens:
    if at.coast is None:
        return (UNIT_TYPE_TOKENS[kind],)
    return bracketed((FLT, COAST_TOKENS[at.coast]))


def read_map(said: list[Tokens], nouns: OrderReader) -> Map:
    """Return the map of the three parts of an MDF, which do not tell its name."""
    powers, provinces, adjacencies = said
    named = nouns.vocabulary.provinces
    homes = dict(_read_homes(parts(parts(provinces)[0]), nouns))
    return Map(
        name="",
        powers=nouns.powers(powers),
        provinces=tuple(named[token] for token in named if token in provinces),
        centres=frozenset(homes),
        homes={
            power: frozenset(at for at, owners in homes.items() if power in owners)
            for power in nouns.powers(powers)
        },
        neighbours=dict(_read_adjacencies(parts(adjacencies), nouns)),
    )


def _read_homes(
    groups: list[Tokens], nouns: OrderReader
) -> Iterator[tuple[Province, tuple[Power, ...]]]:
    for group in groups:
        shared = parts(group)
        owners = shared[0] if shared else group[:1]
        centres = group[len(owners) + (len("()") if shared else 0) :]
        powers = () if owners == (UNO,) else nouns.powers(owners)
        for centre in centres:
            yield nouns.vocabulary.province(centre), powers


def _read_adjacencies(
    groups: list[Tokens], nouns: OrderReader
) -> Iterator[tuple[tuple[UnitType, Location], tuple[Location, ...]]]:
    for group in groups:
        for standing in parts(group):
            yield _read_standing(group[:1], standing, nouns)


def _read_standing(
    province: Tokens, group: Tokens, nouns: OrderReader
) -> tuple[tuple[UnitType, Location], tuple[Location, ...]]:
    (whole,) = nouns.locations(province)
    if group[0] != BRA:
        return (UNIT_TYPES_BY_TOKEN[group[0]], whole), nouns.locations(group[1:])
    _, _, coast, _, *places = group
    at = UnitType.FLEET, Location(whole.province, COASTS_BY_TOKEN[coast])
    return at, nouns.locations(tuple(places))

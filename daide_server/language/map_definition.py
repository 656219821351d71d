"""Write and read MDF, the map definition. Message Syntax, "MDF".

The adjacency lists imply terrain: an inland province has no group for fleets, a sea
province none for armies, and an island has an empty group for armies.
"""

from collections.abc import Iterator

from daide_server.board.map import Map
from daide_server.board.names import Location, Power, Province, UnitType

from .syntax import (
    COAST_TOKENS,
    COASTS_BY_TOKEN,
    UNIT_TYPE_TOKENS,
    UNIT_TYPES_BY_TOKEN,
    OrderReader,
    OrderWriter,
    bracketed,
    parts,
)
from .tokens import BRA, FLT, MDF, UNO, Tokens

_Homes = dict[tuple[Power, ...], list[Province]]


def write_map(board_map: Map, writer: OrderWriter) -> Tokens:
    """Return the MDF of *board_map*; raises `ValueError` as `Writer.write`."""
    powers = writer.powers(board_map.powers)
    provinces = (*_centres(board_map, writer), *bracketed(_others(board_map, writer)))
    return (
        MDF,
        *bracketed(powers),
        *bracketed(provinces),
        *bracketed(_adjacencies(board_map, writer)),
    )


def _centres(board_map: Map, writer: OrderWriter) -> Tokens:
    groups = (
        bracketed((*_owners(powers, writer), *_provinces(centres, writer)))
        for powers, centres in _homes(board_map).items()
    )
    return bracketed(sum(groups, ()))


def _homes(board_map: Map) -> _Homes:
    """Return the centres by the powers whose home they are; neutral ones last."""
    homes: _Homes = {(power,): [] for power in board_map.powers}
    for centre in filter(board_map.centres.__contains__, board_map.provinces):
        at_home = (
            power for power in board_map.powers if centre in board_map.homes[power]
        )
        homes.setdefault(tuple(at_home), []).append(centre)
    # The document puts UNO last. A power without a home centre has no group.
    homes[()] = homes.pop((), [])
    return {powers: centres for powers, centres in homes.items() if centres}


def _owners(powers: tuple[Power, ...], writer: OrderWriter) -> Tokens:
    if not powers:
        return (UNO,)
    tokens = writer.powers(powers)
    return tokens if len(tokens) == 1 else bracketed(tokens)


def _provinces(provinces: list[Province], writer: OrderWriter) -> Tokens:
    return tuple(map(writer.vocabulary.province_token, provinces))


def _others(board_map: Map, writer: OrderWriter) -> Tokens:
    others = [each for each in board_map.provinces if each not in board_map.centres]
    return _provinces(others, writer)


def _adjacencies(board_map: Map, writer: OrderWriter) -> Tokens:
    groups: dict[Province, Tokens] = {}
    for (kind, at), places in board_map.neighbours.items():
        towards = sum(map(writer.location, places), ())
        group = bracketed((*_site(kind, at), *towards))
        groups[at.province] = (*groups.get(at.province, ()), *group)
    tokens: Tokens = ()
    for province in board_map.provinces:
        name = writer.vocabulary.province_token(province)
        tokens += bracketed((name, *groups.get(province, ())))
    return tokens


def _site(kind: UnitType, at: Location) -> Tokens:
    if at.coast is None:
        return (UNIT_TYPE_TOKENS[kind],)
    return bracketed((FLT, COAST_TOKENS[at.coast]))


def read_map(groups: list[Tokens], reader: OrderReader) -> Map:
    """Return the map of the three parts of an MDF, with the name `""`."""
    powers, provinces, adjacencies = groups
    names = reader.vocabulary.provinces
    homes = dict(_read_homes(parts(parts(provinces)[0]), reader))
    return Map(
        name="",
        powers=reader.powers(powers),
        provinces=tuple(names[token] for token in names if token in provinces),
        centres=frozenset(homes),
        homes={
            power: frozenset(at for at, owners in homes.items() if power in owners)
            for power in reader.powers(powers)
        },
        neighbours=dict(_read_adjacencies(parts(adjacencies), reader)),
    )


def _read_homes(
    groups: list[Tokens], reader: OrderReader
) -> Iterator[tuple[Province, tuple[Power, ...]]]:
    for group in groups:
        shared = parts(group)
        owners = shared[0] if shared else group[:1]
        centres = group[len(owners) + (len("()") if shared else 0) :]
        powers = () if owners == (UNO,) else reader.powers(owners)
        for centre in centres:
            yield reader.vocabulary.province(centre), powers


def _read_adjacencies(
    groups: list[Tokens], reader: OrderReader
) -> Iterator[tuple[tuple[UnitType, Location], tuple[Location, ...]]]:
    for group in groups:
        for site in parts(group):
            yield _read_site(group[:1], site, reader)


def _read_site(
    province: Tokens, group: Tokens, reader: OrderReader
) -> tuple[tuple[UnitType, Location], tuple[Location, ...]]:
    (whole,) = reader.locations(province)
    if group[0] != BRA:
        return (UNIT_TYPES_BY_TOKEN[group[0]], whole), reader.locations(group[1:])
    _, _, coast, _, *places = group
    at = UnitType.FLEET, Location(whole.province, COASTS_BY_TOKEN[coast])
    return at, reader.locations(tuple(places))

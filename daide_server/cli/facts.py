"""The facts of a board, as `daide-server maps show` tells them."""

from collections.abc import Iterator

from rich.table import Table

from daide_server.board.map import Map, Terrain
from daide_server.board.names import Province
from daide_server.board.variant import Variant


def facts(variant: Variant) -> Iterator[str]:
    """Yield what there is on the board, a line each."""
    board_map = variant.map
    kinds = [board_map.terrain[province] for province in board_map.provinces]
    neutral = board_map.centres.difference(*board_map.homes.values())
    powers, turn = len(board_map.powers), variant.start.turn
    yield f"[bold]{variant.name}[/]: {powers} powers, first turn {turn}"
    yield f"{len(board_map.provinces)} provinces: " + ", ".join(
        f"{kinds.count(terrain)} {terrain.value}" for terrain in Terrain
    )
    yield (
        f"{len(board_map.centres)} supply centres, {len(neutral)} of them neutral; "
        f"{board_map.majority} win"
    )
    coasts = ", ".join(
        f"{at} ({' '.join(coast.value for coast in board_map.coasts[at])})"
        for at in sorted(board_map.coasts)
    )
    islands = ", ".join(
        at for at in sorted(board_map.provinces) if board_map.is_island(at)
    )
    if coasts:
        yield f"several coasts: {coasts}"
    if islands:
        yield f"islands: {islands}"


def powers_of(variant: Variant) -> Table:
    """Return the powers, with what each has at the start."""
    table = Table(box=None, padding=(0, 2, 0, 0))
    for title in ("Power", "", "Homes", "Units at the start", "Owns"):
        table.add_column(title)
    for power in variant.map.powers:
        homes = variant.map.homes[power]
        owned = variant.start.centres_of(power)
        table.add_row(
            power,
            variant.titles[power],
            "everywhere" if homes == variant.map.centres else " ".join(sorted(homes)),
            ", ".join(map(str, variant.start.units_of(power))),
            "its homes" if set(owned) == homes else " ".join(sorted(owned)),
        )
    return table


def provinces_of(variant: Variant) -> Table:
    """Return the provinces, with what is next to each."""
    table = Table(box=None, padding=(0, 2, 0, 0))
    for title in ("Province", "", "Terrain", "Centre", "Armies", "Fleets"):
        table.add_column(title)
    for province in sorted(variant.map.provinces):
        table.add_row(
            province,
            variant.titles[province],
            variant.map.terrain[province].value,
            "centre" if province in variant.map.centres else "",
            *_ways(variant.map, province),
        )
    return table


def _ways(board_map: Map, province: Province) -> tuple[str, str]:
    """Return where armies and fleets may go from *province*."""
    ways = {"A": "", "F": ""}
    for (kind, at), places in board_map.neighbours.items():
        if at.province == province:
            start = f"{at.coast.value}: " if at.coast else ""
            text = start + " ".join(map(str, places))
            ways[kind.value] = "; ".join(filter(None, (ways[kind.value], text)))
    return ways["A"], ways["F"]

"""The facts about a board that `daide-server maps show` prints."""

from collections.abc import Iterator

from rich.table import Table
from rich.text import Text

from daide_server.board.map import Map, Terrain
from daide_server.board.names import Province
from daide_server.board.variant import Variant

from .styled_output import add_row, table, text


def board_summary(variant: Variant) -> Iterator[Text]:
    """Yield lines: the counts, the win condition, special coasts and islands."""
    board_map = variant.map
    powers, turn = len(board_map.powers), variant.start.turn
    start = text(f": {powers} powers, first turn {turn}")
    yield text(variant.name, style="bold") + start
    yield from map(text, _counts(board_map))
    yield from map(text, _special_places(board_map))


def power_table(variant: Variant) -> Table:
    """Return the powers, with what each has at the start."""
    powers = table("Power", "", "Homes", "Units at the start", "Owns")
    for power in variant.map.powers:
        homes = variant.map.homes[power]
        owned = variant.start.centres_of(power)
        cells = (
            power,
            variant.titles[power],
            "everywhere" if homes == variant.map.centres else " ".join(sorted(homes)),
            ", ".join(map(str, variant.start.units_of(power))),
            "its homes" if set(owned) == homes else " ".join(sorted(owned)),
        )
        add_row(powers, cells)
    return powers


def province_table(variant: Variant) -> Table:
    """Return the provinces, each with its neighbours."""
    provinces = table("Province", "", "Terrain", "Centre", "Armies", "Fleets")
    for province in sorted(variant.map.provinces):
        cells = (
            province,
            variant.titles[province],
            variant.map.terrain[province].value,
            "centre" if province in variant.map.centres else "",
            *_neighbours(variant.map, province),
        )
        add_row(provinces, cells)
    return provinces


def _counts(board_map: Map) -> Iterator[str]:
    terrains = [board_map.terrain[province] for province in board_map.provinces]
    neutral = board_map.centres.difference(*board_map.homes.values())
    yield f"{len(board_map.provinces)} provinces: " + ", ".join(
        f"{terrains.count(terrain)} {terrain.value}" for terrain in Terrain
    )
    yield (
        f"{len(board_map.centres)} supply centres, {len(neutral)} of them neutral; "
        f"{board_map.majority} win"
    )


def _special_places(board_map: Map) -> Iterator[str]:
    """Yield the provinces with several coasts, and those without land neighbours."""
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


def _neighbours(board_map: Map, province: Province) -> tuple[str, str]:
    """Return where an army and a fleet in *province* can move."""
    texts = {"A": "", "F": ""}
    for (kind, at), neighbours in board_map.neighbours.items():
        if at.province == province:
            coast = f"{at.coast.value}: " if at.coast else ""
            found = coast + " ".join(map(str, neighbours))
            texts[kind.value] = "; ".join(filter(None, (texts[kind.value], found)))
    return texts["A"], texts["F"]

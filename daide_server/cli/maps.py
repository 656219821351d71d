"""`daide-server maps`: boards listed, shown, checked and converted."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import click
from rich.table import Table
from rich.text import Text

from daide_server.atlas.checking import AtlasError, MapFault, repaired
from daide_server.board.map import Map, Terrain, Variant
from daide_server.board.names import Province
from daide_server.library import archive, board_formats, pictures
from daide_server.library.variants import load_variant, variant_names
from daide_server.pictures import drawing, scene
from daide_server.records.formats.phase_json.map_names import names_of

from .common import failures, option_types
from .common.printing import print_line
from .common.styled_output import add_row, print_styled, table, text

# The facts about a board that `show` prints


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
    """Return the moves of an army and of a fleet in *province*."""
    texts = {"A": "", "F": ""}
    for (kind, at), neighbours in board_map.neighbours.items():
        if at.province == province:
            coast = f"{at.coast.value}: " if at.coast else ""
            found = coast + " ".join(map(str, neighbours))
            texts[kind.value] = "; ".join(filter(None, (texts[kind.value], found)))
    return texts["A"], texts["F"]


COUNTS = ("Powers", "Provinces", "Centres", "To win", "Units")
"""The numeric columns of the list of boards."""


@click.group("maps")
def command() -> None:
    """List, show, check and convert boards.

    A board is a map file such as maps/sailho.toml, which you can read and edit;
    docs/maps.md explains the format. To make a board of your own:

    \b
      daide-server maps convert sailho mine.toml --to toml    (a copy to start from)
      daide-server maps check mine.toml                       (print its faults)
      daide-server play --variant mine.toml                   (watch bots play on it)
      daide-server show records/1.json --map mine.toml        (read games on it)
    """


@command.command("list")
def list_boards() -> None:
    """List the shipped boards.

    For each board: the numbers of powers, provinces, supply centres, centres needed
    to win, and units at the start; and the first turn.
    """
    boards = table("Name", *COUNTS, "First turn", numbers=COUNTS)
    for name in variant_names():
        variant = load_variant(name)
        board_map = variant.map
        counts = (
            len(board_map.powers),
            len(board_map.provinces),
            len(board_map.centres),
            board_map.majority,
            len(variant.start.units),
        )
        add_row(boards, (name, *map(str, counts), str(variant.start.turn)))
    print_styled(boards)


@command.command()
@click.argument("name")
@click.option("--provinces", is_flag=True, help="Print every province as well.")
@click.option(
    "--picture",
    type=option_types.OutputFile(),
    help="Draw the start position as SVG; `daide-server render` draws more.",
)
def show(name: str, *, provinces: bool, picture: Path | None) -> None:
    """Show the facts of the board NAME, which may be a file of any format."""
    variant = board_formats.read_board(name).variant
    print_styled(*board_summary(variant), power_table(variant))
    if provinces:
        print_styled(province_table(variant))
    if picture is not None:
        start = scene.Scene(variant, pictures.load_picture(variant), variant.start)
        with failures.writing(picture):
            drawn = drawing.draw(start, names_of(variant.map).provinces)
            archive.write_output(picture, drawn.encode())


sibling_borders = click.option(
    "--sibling-borders",
    is_flag=True,
    help="In the Move Assistant's statements, all regions of a completion without a "
    "base of its own border each other.",
)
"""One sentence of the Move Assistant's document asks for this reading."""


@command.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@sibling_borders
def check(files: tuple[str, ...], *, sibling_borders: bool) -> None:
    """Check boards, and print a line for each fault: FILE:LINE: what is wrong.

    A file may be a map file (.toml), of AiServer (.mdf, with .now, .sco and .rem
    beside it), or of the Move Assistant (.txt for statements, .json). Besides syntax,
    these faults are found:

    \b
      one-way borders, borders to a province where the unit cannot stand
      provinces without a connection, centres that no power can reach
      duplicate abbreviations, names that are DAIDE tokens
      two units in one province, powers without centres and units

    A line that begins with "remark:" names something unusual, or that the file is a
    map without a game. The exit code is 1 if there is any other line.
    """
    clean = [_check(name, sibling_borders=sibling_borders) for name in files]
    click.get_current_context().exit(0 if all(clean) else 1)


@command.command()
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT", type=option_types.OutputFile())
@click.option(
    "--to",
    "form",
    type=click.Choice(list(board_formats.WRITERS)),
    required=True,
    help="The format.",
)
@click.option(
    "--mend",
    is_flag=True,
    help="Convert IN despite its faults, and repair what can be repaired.",
)
@sibling_borders
def convert(
    source: str, target: Path, form: str, *, mend: bool, sibling_borders: bool
) -> None:
    """Convert the board IN to another format, and write it to OUT.

    IN is a file of any format that `check` reads, or the name of a board.

    \b
      toml            a map file; the board gets the name of the file
      aiserver        OUT.mdf, .now, .sco, .rem and .nam; OUT may be a folder
      move-assistant  statements (r c b p h u), or JSON if OUT ends in .json
      position        a line for `daide-server adjudicate`: the start, without orders

    \b
    Examples:
      daide-server maps convert greece.mdf greece.toml --to toml
      daide-server maps convert sailho sailho --to aiserver

    The faults of IN are printed. A board with faults is converted only with --mend.
    What the format cannot hold of the board is printed on standard error.
    """
    board = board_formats.read_board(source, sibling_borders=sibling_borders)
    _print_faults(board.faults, to_stderr=True)
    if board.faults and not mend:
        message = f"{source}: not converted; --mend converts it despite these faults"
        raise failures.CommandError(message)
    variant = repaired(board.variant) if board.faults else board.variant
    for path in board_formats.write_board(variant, target, form):
        print_line(path)
    as_json = target.suffix.lower() == ".json"
    for part in board_formats.board_losses(variant, form, as_json=as_json):
        print_line(f"not in {target}: {part}", to_stderr=True)


def _check(name: str, *, sibling_borders: bool) -> bool:
    """Print the faults and the remarks of a board; return whether it has no fault."""
    try:
        board = board_formats.read_board(name, sibling_borders=sibling_borders)
    except AtlasError as error:
        _print_faults(error.faults)
        return False
    _print_faults(board.faults)
    for remark in board.remarks:
        print_line(f"remark: {remark}")
    return not board.faults


def _print_faults(faults: Iterable[MapFault], *, to_stderr: bool = False) -> None:
    for fault in faults:
        print_line(fault, to_stderr=to_stderr)

"""`daide-server maps`: the boards that there are, checked, converted, shown."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

import click
from rich.console import Console
from rich.table import Table

from daide_server.atlas.map_faults import AtlasError, MapFault
from daide_server.atlas.repair import repaired
from daide_server.board.variant import Variant
from daide_server.pictures.drawing import draw
from daide_server.pictures.picture import PictureError
from daide_server.pictures.scene import Scene
from daide_server.storage.board_formats import WRITERS, read_board, write_board
from daide_server.storage.pictures import load_picture
from daide_server.storage.variants import load_variant, variant_names

from .facts import facts, powers_of, provinces_of

T = TypeVar("T")


@click.group("maps")
def command() -> None:
    """List, show, check and convert boards.

    A board is a map file such as maps/sailho.toml, made to be read and written by
    people; docs/maps.md teaches the format. To make a board of your own:

    \b
      daide-server maps convert sailho mine.toml --to toml    (something to start from)
      daide-server maps check mine.toml                       (what is wrong with it)
      daide-server play --variant mine.toml                   (watch bots play on it)
      daide-server show records/*.json --map mine.toml        (and so all that reads)
    """


@command.command("list")
def list_boards() -> None:
    """List the boards: powers, provinces, centres, those that win, first turn."""
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("Name")
    for title in ("Powers", "Provinces", "Centres", "To win", "Units"):
        table.add_column(title, justify="right")
    table.add_column("First turn")
    for name in variant_names():
        variant = load_variant(name)
        board_map = variant.map
        numbers = (board_map.powers, board_map.provinces, board_map.centres)
        table.add_row(
            name,
            *(str(len(things)) for things in numbers),
            str(board_map.majority),
            str(len(variant.start.units)),
            str(variant.start.turn),
        )
    Console().print(table)


@command.command()
@click.argument("name")
@click.option("--provinces", is_flag=True, help="Every province, too.")
@click.option(
    "--picture",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Draw its start as SVG, too; `daide-server render` draws more.",
)
def show(name: str, *, provinces: bool, picture: Path | None) -> None:
    """Show the facts of the board NAME, which may be a file of any format."""
    variant = _or_end(lambda: read_board(name)).variant
    console = Console()
    for line in facts(variant):
        console.print(line, highlight=False)
    console.print(powers_of(variant))
    if provinces:
        console.print(provinces_of(variant))
    if picture is not None:
        _or_end(lambda: _draw(variant, picture))


sibling_borders = click.option(
    "--sibling-borders",
    is_flag=True,
    help="Of the Move Assistant's statements: all regions of a completion that has "
    "no base of its own border each other.",
)
"""The reading of collections that one sentence of the assistant's document asks for."""


@command.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@sibling_borders
def check(files: tuple[str, ...], *, sibling_borders: bool) -> None:
    """Check boards, and print a line for each thing that is wrong.

    A line is FILE:LINE: what is wrong. A file may be of ours (.toml), of AiServer
    (.mdf, with .now, .sco, .rem beside it), or of the Move Assistant (.txt for
    statements, .json). Found are, besides what makes it no board at all:

    \b
      borders that go one way, or lead to where the unit cannot stand
      provinces cut off from the rest, centres that nobody can reach
      abbreviations used twice, names that are tokens of the language
      units in one place, powers with nothing

    A line that begins with "remark:" is peculiar, but can be played. The exit code
    is 1 if there is any other line.
    """
    clean = [_check(name, sibling_borders=sibling_borders) for name in files]
    click.get_current_context().exit(0 if all(clean) else 1)


@command.command()
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT", type=click.Path(path_type=Path))
@click.option(
    "--to", "form", type=click.Choice(list(WRITERS)), required=True, help="The format."
)
@click.option(
    "--mend",
    is_flag=True,
    help="Tolerate what is wrong with IN, and mend what can be.",
)
@sibling_borders
def convert(
    source: str, target: Path, form: str, *, mend: bool, sibling_borders: bool
) -> None:
    """Convert the board IN to another format, and write it to OUT.

    IN is a file of any format that `check` reads, or the name of a board.

    \b
      toml            a map file of ours; the board is called as the file
      aiserver        OUT.mdf, .now, .sco, .rem and .nam, or those in the folder OUT
      move-assistant  statements (r c b p h u), or JSON if OUT ends in .json
      position        a line for `daide-server adjudicate`: the start, no orders yet

    \b
    Examples:
      daide-server maps convert greece.mdf greece.toml --to toml
      daide-server maps convert sailho sailho --to aiserver

    A board with faults is not converted, unless with --mend; each is told.
    """
    board = _or_end(lambda: read_board(source, sibling_borders=sibling_borders))
    _tell(board.faults, to_errors=True)
    if board.faults and not mend:
        click.echo(f"{source}: not converted; --mend tolerates these faults", err=True)
        click.get_current_context().exit(1)
    variant = repaired(board.variant) if board.faults else board.variant
    for path in _or_end(lambda: write_board(variant, target, form)):
        click.echo(path)


def _check(name: str, *, sibling_borders: bool) -> bool:
    """Print what is wrong with a board; return whether nothing is."""
    try:
        board = read_board(name, sibling_borders=sibling_borders)
    except AtlasError as error:
        _tell(error.faults)
        return False
    _tell(board.faults)
    for remark in board.remarks:
        click.echo(f"remark: {remark}")
    return not board.faults


def _tell(faults: Iterable[MapFault], *, to_errors: bool = False) -> None:
    for fault in faults:
        click.echo(fault, err=to_errors)


def _or_end(attempt: Callable[[], T]) -> T:
    """Return what *attempt* does, or end the command with what is wrong."""
    try:
        return attempt()
    except (AtlasError, PictureError, OSError) as error:
        click.echo(error, err=True)
        raise click.exceptions.Exit(1) from error


def _draw(variant: Variant, path: Path) -> None:
    text = draw(Scene(variant, load_picture(variant), variant.start))
    path.write_text(text, encoding="utf-8")

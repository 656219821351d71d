"""`daide-server render`: positions and turns as pictures."""

from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import click
from attrs import frozen

from daide_server.formats.phase_json.map_names import names_of
from daide_server.pictures.drawing import draw
from daide_server.pictures.scene import Scene
from daide_server.storage.archive import write_output

from .common.failures import CommandError, writing
from .common.game_arguments import GameFiles
from .common.input_scenes import Scenes, phase_in, scenes_of, start_of
from .common.option_types import (
    STDOUT,
    Boards,
    OutputPaths,
    WholeNumber,
    board_option,
    options_as,
)
from .common.printing import print_bytes, print_line


@frozen
class RenderOptions:
    """The arguments and the options of the command."""

    files: tuple[str, ...]
    boards: Boards
    phase: str | None
    every: bool
    output: Path | None
    png: bool
    width: int


@frozen
class PictureSource:
    """An input to draw; `place` names it in errors, `stem` in file names.

    `alone` if the command has no other input.
    """

    place: str
    stem: str
    alone: bool
    scenes: Callable[[], Scenes]


@click.command("render")
@click.argument("files", nargs=-1, metavar="[FILE...]")
@board_option("The board of FILE, if it is your own; without FILE, draw its start.")
@click.option("--phase", metavar="PHASE", help="A phase of a record, such as S1901M.")
@click.option("--all", "every", is_flag=True, help="Draw every phase of a record.")
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="The picture's file, or a folder for several; - is standard output.",
)
@click.option("--png", is_flag=True, help="Write PNG instead of SVG; needs cairosvg.")
@click.option(
    "--width",
    type=WholeNumber(100, 10000),
    default=1600,
    metavar="PIXELS",
    help="Width of a PNG.",
)
@options_as(RenderOptions)
def command(options: RenderOptions) -> None:
    """Draw game records and positions as SVG.

    FILE is a game record of any format, or many records, one per line. The last
    position is drawn unless --phase or --all is given. FILE may also be positions in
    JSON as `adjudicate` reads them; their orders are drawn with the results. Without
    FILE, the start position of the board --map is drawn.

    \b
    daide-server render records/game.json --phase S1901M
    daide-server render records/game.json --all --output pictures/
    daide-server render --map standard --output - > standard.svg
    daide-server render records/game.json --map mine.toml

    The path of each picture is printed. Without --output, pictures are written to
    the current folder. The exit code is 1 if a file cannot be drawn.
    """
    if not options.files and options.boards.own is None:
        message = "expected FILE..., or --map BOARD"
        raise click.UsageError(message)
    if options.every and options.phase is not None:
        message = "--phase and --all exclude each other"
        raise click.UsageError(message)
    games, paths = GameFiles(options.files, options.boards), OutputPaths()
    for source in _sources(games):
        with games.reporting(source.place):
            _render(source, options, paths)
    games.exit()


def _sources(games: GameFiles) -> Iterator[PictureSource]:
    own = games.boards.own
    if own is not None and not games.names:
        yield PictureSource(
            "--map", own.name, alone=True, scenes=partial(start_of, own)
        )
    for found in games.unread():
        # A game on a line of its own is one of several.
        alone = len(games.names) == 1 and found.line is None
        scenes = partial(scenes_of, found, games.boards)
        yield PictureSource(str(found), found.stem, alone, scenes)


def _render(source: PictureSource, options: RenderOptions, paths: OutputPaths) -> None:
    """Draw the requested phases of *source*."""
    several = options.every or not source.alone
    for phase, scene in _requested(source.scenes(), options).items():
        path = _path(f"{source.stem}-{phase}", options, paths, several=several)
        _write(scene, path, options)


def _requested(scenes: Scenes, options: RenderOptions) -> Scenes:
    if options.every:
        return scenes
    phase = phase_in(scenes, options.phase)
    return {phase: scenes[phase]}


def _path(
    name: str, options: RenderOptions, paths: OutputPaths, *, several: bool
) -> Path:
    """Return the path of the picture called *name*; make its folder for several."""
    folder = options.output or Path()
    if several and folder == STDOUT:
        message = "--output -: expected one picture; name a folder for several"
        raise click.UsageError(message)
    if several:
        with writing(folder):
            folder.mkdir(parents=True, exist_ok=True)
    if options.output is None or folder.is_dir():
        return paths.take(folder, name, ".png" if options.png else ".svg")
    return folder


def _write(scene: Scene, path: Path, options: RenderOptions) -> None:
    picture = draw(scene, names_of(scene.variant.map).provinces)
    content = _png(picture, options.width) if options.png else picture.encode()
    if path == STDOUT:
        print_bytes(content)
        return
    with writing(path):
        write_output(path, content)
    print_line(path)


def _png(svg: str, width: int) -> bytes:
    try:
        cairosvg: Any = import_module("cairosvg")
    except (ImportError, OSError) as error:
        message = (
            f"--png: {error}; expected the package cairosvg and the library cairo: "
            "pip install 'daide-server[png]'"
        )
        raise CommandError(message) from None
    content = cairosvg.svg2png(bytestring=svg.encode(), output_width=width)
    assert isinstance(content, bytes)
    return content

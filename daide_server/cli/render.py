"""`daide-server render`: positions and turns as pictures."""

from importlib import import_module
from pathlib import Path
from typing import Any

import click
from attrs import field, frozen

from daide_server.library.archive import write_output
from daide_server.pictures.drawing import draw
from daide_server.pictures.scene import Scene
from daide_server.records.formats.phase_json.map_names import names_of

from .common import failures, option_types
from .common.game_arguments import GameFiles
from .common.input_scenes import Scenes, phase_in, scenes_of, start_of
from .common.printing import print_content, print_line


@frozen
class RenderOptions:
    """The arguments and options of the command: what to draw, and where to."""

    files: tuple[str, ...]
    boards: option_types.Boards
    phase: str | None
    every: bool
    output: Path | None
    png: bool
    width: int
    paths: option_types.OutputPaths = field(
        factory=option_types.OutputPaths, init=False
    )

    def draw(self, scenes: Scenes, stem: str, *, alone: bool) -> None:
        """Draw the requested phases; the command has no other input if *alone*."""
        if not self.every:
            phase = phase_in(scenes, self.phase)
            scenes = {phase: scenes[phase]}
        for phase, scene in scenes.items():
            path = self._path(f"{stem}-{phase}", several=self.every or not alone)
            self._write(scene, path)

    def _path(self, name: str, *, several: bool) -> Path:
        """Return the path of the picture called *name*; make its folder for several."""
        folder = self.output or Path()
        if several and folder == option_types.STDOUT:
            message = "--output -: expected one picture; name a folder for several"
            raise click.UsageError(message)
        if several:
            with failures.writing(folder):
                folder.mkdir(parents=True, exist_ok=True)
        if self.output is None or folder.is_dir():
            return self.paths.take(folder, name, ".png" if self.png else ".svg")
        return folder

    def _write(self, scene: Scene, path: Path) -> None:
        picture = draw(scene, names_of(scene.variant.map).provinces)
        content = _png(picture, self.width) if self.png else picture.encode()
        if path == option_types.STDOUT:
            print_content(content)
            return
        with failures.writing(path):
            write_output(path, content)
        print_line(path)


@click.command("render")
@click.argument("files", nargs=-1, metavar="[FILE...]")
@option_types.board_option(
    "The board of FILE, if it is your own; without FILE, draw its start."
)
@click.option("--phase", metavar="PHASE", help="A phase of a record, such as S1901M.")
@click.option("--all", "every", is_flag=True, help="Draw every phase of a record.")
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path),
    help="The picture's file, or a folder for several; - is standard output.",
)
@click.option("--png", is_flag=True, help="Write PNG instead of SVG; needs cairosvg.")
@click.option(
    "--width",
    type=option_types.WholeNumber(100, 10000),
    default=1600,
    metavar="PIXELS",
    help="Width of a PNG.",
)
@option_types.options_as(RenderOptions)
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
        raise click.UsageError("expected FILE..., or --map BOARD")
    if options.every and options.phase is not None:
        raise click.UsageError("--phase and --all exclude each other")
    games, own = GameFiles(options.files, options.boards), options.boards.own
    if own is not None and not options.files:
        with games.reporting("--map"):
            options.draw(start_of(own), own.name, alone=True)
    for found in games.unread():
        # A game on a line of its own is one of several.
        alone = len(options.files) == 1 and found.line is None
        with games.reporting(str(found)):
            options.draw(scenes_of(found, games.boards), found.stem, alone=alone)
    games.exit()


def _png(svg: str, width: int) -> bytes:
    try:
        cairosvg: Any = import_module("cairosvg")
    except (ImportError, OSError) as error:
        message = (
            f"--png: {error}; expected the package cairosvg and the library cairo: "
            "pip install 'daide-server[png]'"
        )
        raise failures.CommandError(message) from None
    content = cairosvg.svg2png(bytestring=svg.encode(), output_width=width)
    assert isinstance(content, bytes)
    return content

"""`daide-server render`: positions and turns as pictures."""

from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import click
from attrs import frozen

from daide_server.board.variant import VariantError
from daide_server.formats.errors import FormatError
from daide_server.pictures.drawing import draw
from daide_server.pictures.picture import PictureError
from daide_server.pictures.scene import Scene
from daide_server.records.record import RecordError

from .game_arguments import Games
from .map_option import Boards, board_option
from .paths import Paths
from .scenes import Scenes, phase_in, scenes_of, start_of

Expected = (OSError, FormatError, VariantError, PictureError, RecordError)
STDOUT: Final = Path("-")


@frozen
class Wanted:
    """What the options ask for."""

    phase: str | None
    every: bool
    output: Path | None
    png: bool
    width: int


@frozen
class Source:
    """Something to draw: `place` names it in complaints, `stem` in files."""

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
@click.option("--png", is_flag=True, help="PNG instead of SVG; needs cairosvg.")
@click.option(
    "--width",
    type=click.IntRange(100, 10000),
    default=1600,
    show_default=True,
    metavar="PIXELS",
    help="How wide a PNG is.",
)
def command(
    files: tuple[str, ...],
    boards: Boards,
    **wanted: Any,  # noqa: ANN401 - as the options declare them
) -> None:
    """Draw game records and positions as SVG.

    FILE is a record of any format, or many of them, a line each. The last position
    is drawn unless --phase or --all says otherwise. FILE may also be positions in
    JSON as `adjudicate` reads them; with orders, they are drawn with their results.
    Without FILE, --map draws the start of a board.

    \b
    daide-server render records/game.json --phase S1901M
    daide-server render records/game.json --all --output pictures/
    daide-server render --map standard --output - > standard.svg
    daide-server render records/game.json --map mine.toml

    The path of each picture is printed. Without --output, pictures are written to
    the current folder. The exit code is 1 if a file cannot be drawn.
    """
    if not files and boards.own is None:
        message = "expected FILE..., or --map BOARD"
        raise click.UsageError(message)
    games, paths = Games(files, boards), Paths()
    for source in _sources(games):
        try:
            _render(source, Wanted(**wanted), paths)
        except Expected as error:
            reason = getattr(error, "strerror", None) or str(error)
            games.complain(source.place, reason)
    games.exit()


def _sources(games: Games) -> Iterator[Source]:
    own = games.boards.own
    if own is not None and not games.files:
        yield Source("--map", own.name, alone=True, scenes=partial(start_of, own))
    for found in games.found():
        # A line is one of several games.
        alone = len(games.files) == 1 and found.line is None
        scenes = partial(scenes_of, found, games.boards)
        yield Source(str(found), found.stem, alone, scenes)


def _render(source: Source, wanted: Wanted, paths: Paths) -> None:
    """Draw what is wanted of *source*."""
    several = wanted.every or not source.alone
    for phase, scene in _chosen(source.scenes(), wanted).items():
        path = _path(f"{source.stem}-{phase}", wanted, paths, several=several)
        _write(scene, path, wanted)


def _chosen(scenes: Scenes, wanted: Wanted) -> Scenes:
    if wanted.every:
        return scenes
    phase = phase_in(scenes, wanted.phase)
    return {phase: scenes[phase]}


def _path(name: str, wanted: Wanted, paths: Paths, *, several: bool) -> Path:
    """Return where the picture called *name* goes."""
    folder = wanted.output or Path()
    if several and folder == STDOUT:
        message = "--output -: expected one picture; name a folder for several"
        raise click.UsageError(message)
    if several:
        folder.mkdir(parents=True, exist_ok=True)
    if wanted.output is None or folder.is_dir():
        return paths.take(folder, name, ".png" if wanted.png else ".svg")
    return folder


def _write(scene: Scene, path: Path, wanted: Wanted) -> None:
    text = draw(scene)
    content = _png(text, wanted.width) if wanted.png else text.encode()
    if path == STDOUT:
        click.echo(content, nl=False)
        return
    path.write_bytes(content)
    click.echo(path)


def _png(text: str, width: int) -> bytes:
    try:
        cairosvg: Any = import_module("cairosvg")
    except (ImportError, OSError) as error:
        message = (
            f"--png: {error}; expected the package cairosvg and the library cairo: "
            "pip install 'daide-server[png]'"
        )
        raise click.ClickException(message) from None
    content = cairosvg.svg2png(bytestring=text.encode(), output_width=width)
    assert isinstance(content, bytes)
    return content

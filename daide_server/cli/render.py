"""`daide-server render`: positions and turns as pictures."""

from importlib import import_module
from pathlib import Path
from typing import Any

import click
from attrs import frozen

from daide_server.atlas.faults import AtlasError
from daide_server.board.variant import VariantError
from daide_server.pictures.drawing import draw
from daide_server.pictures.picture import PictureError
from daide_server.pictures.scene import Scene
from daide_server.records.errors import FormatError
from daide_server.records.record import RecordError

from .scenes import Scenes, scenes_in, start_of

Expected = (OSError, AtlasError, FormatError, VariantError, PictureError, RecordError)


@frozen
class Wanted:
    """What the options ask for."""

    phase: str | None
    every: bool
    output: Path | None
    png: bool
    width: int


@click.command("render")
@click.argument("files", nargs=-1, metavar="FILE...", type=click.Path(path_type=Path))
@click.option(
    "--map",
    "map_name",
    metavar="BOARD",
    help="Draw the start of a board: a name, or a file as `maps check` reads it.",
)
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
    files: tuple[Path, ...],
    map_name: str | None,
    **wanted: Any,  # noqa: ANN401 - as the options declare them
) -> None:
    """Draw game records and positions as SVG.

    FILE is a record, of which the last position is drawn unless --phase or --all
    says otherwise, or a position in JSON as `adjudicate` reads it; with orders, they
    are drawn with their results. Without FILE, --map draws the start of a variant.

    \b
    daide-server render records/game.json --phase S1901M
    daide-server render records/game.json --all --output pictures/
    daide-server render --map standard --output - > standard.svg

    The path of each picture is printed. Without --output, pictures are written to
    the current folder. The exit code is 1 if a file cannot be drawn.
    """
    if bool(files) == bool(map_name):
        message = "expected either FILE... or --map NAME"
        raise click.UsageError(message)
    good = [
        _render(source, map_name, Wanted(**wanted), several=len(files) > 1)
        for source in files or (None,)
    ]
    click.get_current_context().exit(0 if all(good) else 1)


def _render(
    source: Path | None, map_name: str | None, wanted: Wanted, *, several: bool
) -> bool:
    """Draw what one file shows; return whether that was possible."""
    try:
        scenes = start_of(map_name or "") if source is None else scenes_in(source)
        chosen = _chosen(scenes, wanted)
        stem = (source or Path(map_name or "")).stem
        for phase, scene in chosen.items():
            name = f"{stem}-{phase}"
            several_pictures = several or wanted.every
            _write(scene, _path(name, wanted, several=several_pictures), wanted)
    except Expected as error:
        reason = getattr(error, "strerror", None) or error
        click.echo(f"{source or '--map'}: {reason}", err=True)
        return False
    return True


def _chosen(scenes: Scenes, wanted: Wanted) -> Scenes:
    if wanted.every:
        return scenes
    phase = list(scenes)[-1] if wanted.phase is None else wanted.phase.upper()
    if phase not in scenes:
        known = ", ".join(scenes)
        message = f"no phase {wanted.phase!r}; there are: {known}"
        raise FormatError(message)
    return {phase: scenes[phase]}


def _path(name: str, wanted: Wanted, *, several: bool) -> Path:
    """Return where the picture called *name* goes."""
    suffix = ".png" if wanted.png else ".svg"
    if wanted.output is None:
        return Path(name + suffix)
    if several or wanted.output.is_dir():
        wanted.output.mkdir(parents=True, exist_ok=True)
        return wanted.output / (name + suffix)
    return wanted.output


def _write(scene: Scene, path: Path, wanted: Wanted) -> None:
    text = draw(scene)
    content = _png(text, wanted.width) if wanted.png else text.encode()
    if str(path) == "-":
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

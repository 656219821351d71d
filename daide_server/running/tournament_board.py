"""The board of a tournament, and where its games begin: both may be files beside it."""

from pathlib import Path

from attrs import evolve
from msgspec.structs import replace

from daide_server.app.service_settings import BoardSettings
from daide_server.board.variant import Variant


def board_name(folder: Path, name: str) -> str:
    """Return the board called *name* as it is found from anywhere."""
    path = folder / name
    return str(path) if path.is_file() else name


def with_position(
    folder: Path, board: BoardSettings, variant: Variant
) -> tuple[BoardSettings, int]:
    """Return *board* that holds the position itself, and the year in which it is.

    Workers need no file then, and a changed one is noticed; where the folder lies does
    not matter. Raises `StartError`.
    """
    text = board.start
    if text is None:
        return board, variant.start.turn.year
    # Most tournaments begin as the board says; what reads records is slow to import.
    from daide_server.app.making import start_of  # noqa: PLC0415
    from daide_server.app.settings import DEFAULTS  # noqa: PLC0415

    found = _found(folder, text)
    start = start_of(evolve(DEFAULTS, board=evolve(board, start=found)), variant)
    assert start is not None
    if found != text:
        start = replace(start, source=text)
    return evolve(board, start=start.as_line(variant)), start.position.turn.year


def _found(folder: Path, text: str) -> str:
    """Return the FILE:PHASE *text* as it is found from anywhere."""
    file, _, phase = text.rpartition(":")
    is_line = text.startswith("{")
    path = folder / file
    return f"{path}:{phase}" if not is_line and path.is_file() else text

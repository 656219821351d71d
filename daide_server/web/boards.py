"""The data of a board for the page: its picture, its places, its colours."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final
from urllib.parse import quote

import msgspec
from attrs import frozen

from daide_server.board.map import Variant, VariantError
from daide_server.formats.phase_json.map_names import names_of
from daide_server.pictures.board_layout import BoardLayout, board_layout
from daide_server.pictures.map_layer import ground_svg
from daide_server.pictures.palette import palette_css
from daide_server.reports.game_views import BoardView, board_view
from daide_server.storage.pictures import load_picture
from daide_server.storage.variants import find_variant

from .assets import CSS, JSON, SVG, Asset

BESIDE_PANELS: Final = 832.0
"""The largest width of a board, in CSS pixels, with panels beside it at 1280."""

ALONE: Final = (
    '--areas:"heading" "controls" "stage" "side"/minmax(0,1fr);--beside:contents'
)
"""From this width on, a board is placed above its panels."""

BOARD_FILES: Final = {"places": "", "outline": ".svg", "style": ".css"}
"""The files of a board that a page loads, by the ends of their addresses."""


@frozen
class BoardFiles:
    """The data of a board for the page."""

    name: str
    majority: int
    """The number of centres that wins."""
    files: Mapping[str, Asset]
    """The files, by the ends of their addresses."""

    def links(self, home: str) -> dict[str, str]:
        """Return the addresses of its files, with their hashes, below *home*."""
        return {
            what: f"{home}api/boards/{quote(self.name + end, safe='')}"
            f"?v={self.files[end].hash}"
            for what, end in BOARD_FILES.items()
        }


def board_files(name: str, board: str) -> BoardFiles:
    """Return the files of *board*, called *name* on pages. Raises `LookupError`."""
    try:
        variant = find_variant(board)
    except VariantError as error:
        # The message may reveal more about this machine than visitors should know.
        message = f"no board {name!r}"
        raise LookupError(message) from error
    files = {
        "": Asset.of(msgspec.json.encode(board_places(variant)), JSON),
        ".svg": Asset.of(board_picture(variant).encode(), SVG),
        ".css": Asset.of(board_style(variant).encode(), CSS),
    }
    return BoardFiles(name, variant.map.majority, files)


def board_places(variant: Variant) -> BoardView:
    """Return the places of a board, for `static/board.js`."""
    return board_view(variant, _layout(variant))


def board_picture(variant: Variant) -> str:
    """Return the picture of the board without units, which `style.css` colours."""
    return ground_svg(variant, _layout(variant), names_of(variant.map).provinces)


def board_style(variant: Variant) -> str:
    """Return the style sheet with the colours of the powers and the board's size.

    It applies below an element with `data-board-name`.
    """
    layout = _layout(variant)
    scope = f'[data-board-name="{variant.name}"]'
    size = (
        f"{scope}{{--board-width:{layout.picture.width:g};"
        f"--board-height:{layout.picture.height:g};"
        f"--readable:{layout.readable:g}px;--badge:{layout.badge:g}}}\n"
    )
    alone = f"{scope}.game{{{ALONE}}}\n" if layout.readable > BESIDE_PANELS else ""
    return size + alone + palette_css(variant, scope)


@lru_cache(maxsize=64)
def _layout(variant: Variant) -> BoardLayout:
    return board_layout(load_picture(variant), names_of(variant.map).provinces)

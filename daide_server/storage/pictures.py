"""The geometry of maps, read from the files under `maps/pictures/`."""

import json
from functools import cache
from typing import Any

from daide_server.board.variant import Variant
from daide_server.pictures.picture import Picture, PictureError, from_mapping
from daide_server.pictures.schematic import schematic

from .shipped import shipped
from .texts import read_text
from .variants import load_variant, shipped_file


@cache
def load_picture(variant: Variant) -> Picture:
    """Return the picture that ships for *variant*, or a schematic one.

    Raises `PictureError` if the file is wrong or is a picture of another map.
    """
    data = _content(variant.name)
    if data is None or _is_another(variant):
        return schematic(variant.map)
    # A variant on the map of another one has a file that names that one only.
    shared = _content(str(data["like"])) if "like" in data else data
    return from_mapping(shared or {}, variant.map)


def _is_another(variant: Variant) -> bool:
    """Return whether a board of ours with this name has other borders."""
    if shipped_file(variant.name) is None:
        return False
    return load_variant(variant.name).map.neighbours != variant.map.neighbours


def _content(name: str) -> dict[str, Any] | None:
    path = shipped("maps") / "pictures" / f"{name}.json"
    if not path.is_file():
        return None
    try:
        data = json.loads(read_text(path))
    except (OSError, ValueError) as error:
        message = f"maps/pictures/{path.name}: {error}"
        raise PictureError(message) from error
    if not isinstance(data, dict):
        message = f"maps/pictures/{path.name}: found {data!r}, expected an object"
        raise PictureError(message)
    return data

"""The geometry of maps, read from the files in `maps/pictures/`."""

import json
from functools import lru_cache
from typing import Any

from daide_server.board.map import MAPS_KEPT, Variant
from daide_server.pictures.picture import Picture, PictureError, from_mapping
from daide_server.pictures.schematic import schematic

from .texts import read_text
from .variants import load_variant, maps_folder, shipped_file


@lru_cache(MAPS_KEPT)
def load_picture(variant: Variant) -> Picture:
    """Return the shipped picture of *variant*, or a schematic one.

    Raises `PictureError` if the file is wrong or is a picture of another map.
    """
    data = _content(variant.name)
    if data is None or _differs_from_shipped(variant):
        return schematic(variant.map)
    # The file of a variant on the map of another one only names that one.
    shared = _content(str(data["like"])) if "like" in data else data
    return from_mapping(shared or {}, variant.map)


def _differs_from_shipped(variant: Variant) -> bool:
    """Return whether the shipped variant of the same name has other borders."""
    if shipped_file(variant.name) is None:
        return False
    return load_variant(variant.name).map.neighbours != variant.map.neighbours


def _content(name: str) -> dict[str, Any] | None:
    """Return the content of the picture file, `None` if there is none.

    Raises `PictureError`.
    """
    path = maps_folder() / "pictures" / f"{name}.json"
    if not path.is_file():
        return None
    try:
        data = json.loads(read_text(path))
    except (OSError, ValueError) as error:
        raise PictureError(f"maps/pictures/{path.name}: {error}") from error
    if not isinstance(data, dict):
        message = f"maps/pictures/{path.name}: found {data!r}, expected an object"
        raise PictureError(message)
    return data

"""The geometry of maps, read from the files under `maps/pictures/`."""

import json
from functools import cache

from daide_server.board.variant import Variant
from daide_server.pictures.picture import Picture, PictureError, from_mapping
from daide_server.pictures.schematic import schematic
from daide_server.settings import shipped


@cache
def load_picture(variant: Variant) -> Picture:
    """Return the picture that ships for *variant*, or a schematic one.

    Raises `PictureError` if the file is wrong or is a picture of another map.
    """
    path = shipped("maps") / "pictures" / f"{variant.name}.json"
    if not path.is_file():
        return schematic(variant.map)
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        message = f"maps/pictures/{path.name}: {error}"
        raise PictureError(message) from error
    return from_mapping(data, variant.map)

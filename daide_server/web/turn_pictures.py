"""The picture of a turn, for those who read the page without scripts.

The page has the powers beside it, so it has no legend.
"""

from daide_server.formats.phase_json.map_names import names_of
from daide_server.pictures.drawing import draw
from daide_server.pictures.scene import Scene
from daide_server.records.record import GameRecord
from daide_server.reports.turn_views import turn_id
from daide_server.storage.pictures import load_picture


def turn_picture(record: GameRecord, turn: str) -> str:
    """Return the turn of *record* with that id as SVG, with its orders.

    Raises `LookupError` if there is no such turn.
    """
    variant = record.variant
    picture, labels = load_picture(variant), names_of(variant.map).provinces
    for played in record.turns:
        if turn_id(played.position.turn) == turn:
            scene = Scene(variant, picture, played.position, played.reports)
            return draw(scene, labels, with_legend=False)
    if turn_id(record.last.turn) == turn:
        scene = Scene(variant, picture, record.last)
        return draw(scene, labels, with_legend=False)
    message = f"{turn}: there is no such turn in {record.id}"
    raise LookupError(message)

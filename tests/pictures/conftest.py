"""A small map with a picture of its own: three countries on a square island."""

from collections.abc import Callable, Iterable
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

from daide_server.board.map import Variant
from daide_server.board.map_reading import from_mapping
from daide_server.judge.adjudication import adjudicate
from daide_server.library.pictures import load_picture
from daide_server.pictures.picture import Picture
from daide_server.pictures.picture import from_mapping as picture_from_mapping
from daide_server.pictures.scene import Scene
from tests.judge.scenes import orders_in
from tests.judge.scenes import scene as placed
from tests.support.boards import Texts

ISLAND: dict[str, Any] = {
    "name": "island",
    "first_turn": "SPR 1901",
    "powers": {
        "RED": {"name": "The Reds", "homes": ["WST"], "units": ["A WST"]},
        "BLU": {
            "name": "The Blues",
            "colour": "#0000ff",
            "homes": ["EST"],
            "units": ["F EST"],
        },
    },
    "provinces": {
        "WST": {
            "name": "The <West>",
            "centre": True,
            "army": ["EST"],
            "fleet": ["EST", "SEA"],
        },
        "EST": {
            "name": "The East",
            "centre": True,
            "army": ["WST"],
            "fleet": ["WST", "SEA"],
        },
        "SEA": {"name": "The Sea", "fleet": ["EST", "WST"]},
    },
}

PICTURE: dict[str, Any] = {
    "map": "island",
    "size": [300, 200],
    # The border of the two, the coasts of each, and the frame.
    "arcs": [
        [1500, 500, 0, 1000],
        [1500, 500, -500, 0, 0, 1000, 500, 0],
        [1500, 500, 500, 0, 0, 1000, -500, 0],
        [0, 0, 3000, 0, 0, 2000, -3000, 0, 0, -2000],
    ],
    "faces": {"WST": [[0, -2]], "EST": [[2, -1]], "SEA": [[3], [1, -3]]},
    "voids": [],
    "islands": [],
    "lakes": [[200, 200, 100, 0, 0, 100]],
    "units": {"WST": [1250, 900], "EST": [1750, 900], "SEA": [500, 1000]},
    "names": {"WST": [1250, 1200], "EST": [1750, 1200], "SEA": [500, 1300]},
    "centres": {"WST": [1100, 1200], "EST": [1600, 1200]},
    "links": [],
    "follows": {},
}

Play = Callable[..., Scene]
Read = Callable[[str | Iterable[str]], ET.Element]


@pytest.fixture(scope="session")
def island() -> Variant:
    """Return the variant of the island."""
    return from_mapping(ISLAND)


@pytest.fixture(scope="session")
def picture(island: Variant) -> Picture:
    """Return the picture of the island."""
    return picture_from_mapping(PICTURE, island.map)


@pytest.fixture(scope="session")
def start(island: Variant, picture: Picture) -> Scene:
    """Return the island at the start."""
    return Scene(island, picture, island.start)


@pytest.fixture(scope="session")
def play(standard: Variant) -> Play:
    """Return a way to see orders on the standard map with their results."""

    def scene(
        units: Texts = "",
        orders: Texts = "",
        turn: str = "SPR 1901",
        dislodged: dict[str, dict[str, list[str]]] | None = None,
    ) -> Scene:
        before = placed(standard, turn, units, dislodged=dislodged)
        before = replace(before, owners=standard.start.owners)
        given = orders_in(standard, before, orders)
        reports = adjudicate(standard, before, given).reports if given else ()
        return Scene(standard, load_picture(standard), before, reports)

    return scene


@pytest.fixture(scope="session")
def read() -> Read:
    """Return a way to read elements as XML, which they must be, without name space."""

    def tree(text: str | Iterable[str]) -> ET.Element:
        inside = text if isinstance(text, str) else "".join(text)
        plain = inside.replace(' xmlns="http://www.w3.org/2000/svg"', "")
        return ET.fromstring(f"<all>{plain}</all>")  # noqa: S314 - our own text

    return tree

"""A board that is not ours, and a game on it."""

import json
from pathlib import Path

import pytest

ISLE = """\
name = "isle"
first_turn = "SPR 1901"

[powers]
RED = { name = "Red", homes = ["TWO"], units = ["F TWO/NCS"] }
BLU = { name = "Blue", homes = ["ONE"], units = ["A ONE"] }

[provinces]
ONE = { name = "First", centre = true, army = ["TWO"], fleet = ["SEA"] }
TWO = { name = "Second", centre = true, army = ["ONE"], fleet = { NCS = ["SEA"], SCS = ["SEA"] } }
ILE = { name = "Island", centre = true, army = [], fleet = ["SEA"] }
SEA = { name = "Sea", fleet = ["ILE", "ONE", "TWO/NCS", "TWO/SCS"] }
"""  # noqa: E501 (a map file has long lines)

GAME = {
    "id": "first-landing",
    "map": "isle",
    "phases": [
        {
            "name": "S1901M",
            "state": {
                "name": "S1901M",
                "units": {"RED": ["F TWO/NC"], "BLU": ["A ONE"]},
                "centers": {"RED": ["TWO"], "BLU": ["ONE"]},
            },
            "orders": {"RED": ["F TWO/NC - SEA"], "BLU": ["A ONE - TWO"]},
            "results": {"F TWO/NC": [], "A ONE": []},
            "messages": [],
        },
        {
            "name": "F1901M",
            "state": {
                "name": "F1901M",
                "units": {"RED": ["F SEA"], "BLU": ["A TWO"]},
                "centers": {"RED": ["TWO"], "BLU": ["ONE"]},
            },
            "orders": {},
            "results": {},
            "messages": [],
        },
    ],
}


@pytest.fixture
def isle(tmp_path: Path) -> Path:
    """Return the file of a board of two powers."""
    path = tmp_path / "isle.toml"
    path.write_text(ISLE)
    return path


@pytest.fixture
def landing(tmp_path: Path) -> Path:
    """Return the record of a game on that board, one turn old."""
    path = tmp_path / "landing.json"
    path.write_text(json.dumps(GAME))
    return path

"""What has no outline is read as a whole, with the errors of reading."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from daide_server.formats.errors import FormatError
from daide_server.formats.phase_json.reading import outline_game, read, read_outline
from daide_server.storage.variants import load_variant

RECORD = Path(__file__).parents[2] / "records" / "games" / "year_limit.json"


def changed(change: Callable[[Any], object]) -> str:
    game = json.loads(RECORD.read_text("utf-8"))
    change(game)
    return json.dumps(game)


def test_a_game_has_an_outline() -> None:
    assert outline_game(RECORD.read_bytes()) is not None


def test_phases_in_another_order_are_read_as_a_whole() -> None:
    text = changed(lambda game: game["phases"].reverse())
    assert outline_game(text) is None
    assert read_outline(text, load_variant) == read(text, load_variant)


@pytest.mark.parametrize(
    "change",
    [
        lambda game: game["phases"][0]["state"].pop("centers"),
        lambda game: game["phases"][0].update(name="X1901M"),
        lambda game: game["phases"][0]["state"]["centers"].update(FRANCE=["MOON"]),
        lambda game: game["phases"][0]["state"]["centers"].update(FRANCE=["PAR", 3]),
        lambda game: game["phases"][0]["state"]["centers"].update(MOON=[]),
        lambda game: game["phases"][0]["state"].update(centers=[]),
        lambda game: (
            game["phases"][0]["state"]["centers"].update(MOON=[]),
            game["phases"][0]["state"].update(units=[]),
        ),
        lambda game: game["phases"][-1]["state"]["units"].update(FRANCE=["A MOON"]),
        lambda game: game.update(phases=[]),
        lambda game: game.update(id=3),
    ],
)
def test_a_fault_is_refused_as_reading_refuses_it(
    change: Callable[[Any], object],
) -> None:
    text = changed(change)
    with pytest.raises(FormatError) as whole:
        read(text, load_variant)
    with pytest.raises(FormatError) as outline:
        read_outline(text, load_variant)
    assert str(outline.value) == str(whole.value)

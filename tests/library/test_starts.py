"""Where games begin: any phase of a record or of a file of positions."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from daide_server.board.map import Phase, Position, Variant
from daide_server.library.game_files import GameStart, find_start
from daide_server.records.formats.errors import FormatError
from daide_server.records.formats.phase_json.map_names import names_of
from daide_server.records.formats.registry import FORMATS
from daide_server.records.record import Ending
from tests.support.random_games import Recorded

LINE: dict[str, Any] = {
    "phase": "S1901M",
    "units": {"AUSTRIA": ["A VIE"], "RUSSIA": ["A WAR"]},
    "centers": {"AUSTRIA": ["VIE"], "RUSSIA": ["WAR"]},
}


def name_of(position: Position, variant: Variant) -> str:
    return names_of(variant.map).phase_text(position.turn)


@pytest.mark.parametrize("form", list(FORMATS))
@pytest.mark.parametrize("phase", list(Phase))
def test_a_game_may_begin_at_each_phase_of_a_record(
    tmp_path: Path, standard: Variant, record_of: Recorded, form: str, phase: Phase
) -> None:
    """Retreats and builds too, in every format that can be read."""
    record = record_of(3, turns=30)
    position = [each for each in record.positions if each.turn.phase is phase][-2]
    path = tmp_path / f"game:1{FORMATS[form].suffix}"
    path.write_text(FORMATS[form].write(record))

    start = find_start(f"{path}:{name_of(position, standard).lower()}", standard)

    assert start == GameStart(position, f"{path}:{name_of(position, standard)}")
    assert start.begin(standard).start == position
    assert start.begin(standard).map is standard.map


def test_a_line_of_a_start_is_the_same_start(
    standard: Variant, record_of: Recorded
) -> None:
    """So that a saved game needs no file."""
    for position in record_of(3, turns=40).positions:
        start = GameStart(position, "game.json:F1905R")
        assert find_start(start.as_line(standard), standard) == start


def test_a_file_may_have_positions_as_adjudicate_reads_them(
    tmp_path: Path, standard: Variant
) -> None:
    lines = [LINE, {**LINE, "phase": "F1902M", "orders": {}}, {**LINE, "map": "fva"}]
    path = tmp_path / "positions.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in lines[:2]))
    assert str(find_start(f"{path}:F1902M", standard).position.turn) == "FAL 1902"
    path.write_text("".join(json.dumps(each) + "\n" for each in lines))
    with pytest.raises(FormatError, match="found board 'fva', expected 'standard'"):
        find_start(f"{path}:F1902M", standard)
    path.write_text(2 * (json.dumps(LINE) + "\n"))
    with pytest.raises(FormatError, match="found 2 games with S1901M, expected one"):
        find_start(f"{path}:S1901M", standard)


def test_the_last_position_counts_if_the_game_was_broken_off(
    tmp_path: Path, standard: Variant, record_of: Recorded
) -> None:
    """It is no position to play from if the game was won."""
    record = record_of(3, turns=10, ending=Ending.ABORTED)
    name = name_of(record.last, standard)
    path = tmp_path / "game.json"
    path.write_text(FORMATS["dipcc"].write(record))
    assert find_start(f"{path}:{name}", standard).position == record.last
    path.write_text(FORMATS["dipcc"].write(replace(record, ending=Ending.SOLO)))
    with pytest.raises(FormatError, match=f"no phase '{name}'"):
        find_start(f"{path}:{name}", standard)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("game.json", "found 'game.json', expected FILE:PHASE, such as"),
        (":S1901M", "found ':S1901M', expected FILE:PHASE"),
        ("game.json:", "found 'game.json:', expected FILE:PHASE"),
        ("game.json:COMPLETED", "found 'COMPLETED', expected a phase such as"),
        ("{", "^position: Input data was truncated|truncated"),
        ('{"phase": "S1901M"}', "missing required field `units`"),
        (json.dumps({**LINE, "phase": "F1901R"}), "no 'retreats' found"),
        (json.dumps({**LINE, "units": {}, "centers": {}}), "no unit and no owned"),
        (json.dumps({**LINE, "phase": "S9000M"}), "year 9000, expected 8190 at most"),
    ],
)
def test_what_is_no_start_is_an_error(standard: Variant, text: str, error: str) -> None:
    with pytest.raises(FormatError, match=error):
        find_start(text, standard)


def test_a_game_that_is_won_is_no_start(standard: Variant) -> None:
    names = names_of(standard.map)
    centres = [*names.centres_by_text][:18]
    line = {**LINE, "centers": {"FRANCE": centres}}
    with pytest.raises(FormatError, match="FRANCE has won already"):
        find_start(json.dumps(line), standard)

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daide_server.library.game_files import games_in, read_game
from daide_server.library.variants import load_variant
from daide_server.records.formats.registry import FORMATS
from daide_server.text.difference_text import faults_in
from tests.support.commands import printed, run

GAMES = sorted((Path(__file__).parents[1] / "records" / "games").glob("*.json"))
Change = Callable[[dict[str, Any]], object]


def wrong(game: object, folder: Path) -> str:
    """Return what is told of the faults of a game."""
    path = folder / "wrong.json"
    path.write_text(json.dumps(game), encoding="utf-8")
    result = run("check", path)
    assert result.exit_code == 1
    return result.output


@pytest.mark.parametrize("form", FORMATS)
def test_what_we_write_has_no_fault(form: str, tmp_path: Path) -> None:
    for path in GAMES:
        [found] = games_in(path)
        copy = tmp_path / path.name
        copy.write_text(FORMATS[form].write(read_game(found)), encoding="utf-8")
        assert printed("check", copy) == ""


def orders(game: dict[str, Any], number: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = game["phases"][number]["orders"]
    return found


def without_units(game: dict[str, Any]) -> None:
    """Take the units of France out of the second phase."""
    phase = game["phases"][1]
    phase["state"]["units"]["FRANCE"], phase["orders"]["FRANCE"] = [], []
    phase["results"] = {}


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda g: g.pop("id"), "id: found None, expected a text"),
        (lambda g: orders(g).update(FRANCE=["a par h"]), "expected 'A PAR H'"),
        (lambda g: orders(g).update(FRANCE=["A PAR H"] * 2), "2 orders for A PAR"),
        (lambda g: orders(g).update(FRANCE=["A BUD H"]), "has no such unit there"),
        (lambda g: orders(g).update(FRANCE=["A PAR R BUR"]), "not an order of the"),
        (lambda g: orders(g).update(FRANCE="A PAR H"), "expected an array"),
        (without_units, "F1901M: FRANCE units: recorded []"),
    ],
)
def test_a_fault_is_told_with_its_place(
    change: Change, problem: str, tmp_path: Path
) -> None:
    """Of the file, and of what follows otherwise than it says."""
    game = json.loads(GAMES[0].read_text(encoding="utf-8"))
    change(game)
    assert problem in wrong(game, tmp_path)


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    game = json.loads(GAMES[0].read_text(encoding="utf-8"))
    for number in (0, 1):
        orders(game, number)["FRANCE"] = ["nonsense"]

    assert wrong(game, tmp_path).count("orders.FRANCE[0]") == 2


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(max_examples=60, deadline=None)
@given(data=st.data(), name=st.sampled_from(sorted(FORMATS)))
def test_any_value_anywhere_is_a_fault_or_harmless(
    data: st.DataObject, name: str
) -> None:
    """Whatever is put in the place of a part of a file, nothing breaks."""
    [found] = games_in(GAMES[0])
    text = FORMATS[name].write(read_game(found))
    if name == "transcript":
        lines = text.splitlines()
        lines[data.draw(st.integers(0, len(lines) - 1))] = data.draw(st.text())
        said = "\n".join(lines).encode(errors="replace")
        assert all(each.problem for each in faults_in(said, load_variant))
        return
    game = json.loads(text)
    part: Any = game
    for _ in range(data.draw(st.integers(0, 5))):
        keys = sorted(part) if isinstance(part, dict) else range(len(part))
        key = data.draw(st.sampled_from(keys))
        if not isinstance(part[key], dict | list) or not part[key]:
            break
        part = part[key]
    keys = sorted(part) if isinstance(part, dict) else range(len(part))
    part[data.draw(st.sampled_from(keys))] = data.draw(JSON)
    found_wrong = faults_in(json.dumps(game).encode(), load_variant)
    assert all(each.problem for each in found_wrong)


def test_no_more_than_a_thousand_faults_are_told(tmp_path: Path) -> None:
    game = {"id": "x", "map": "standard", "phases": [[]] * 5000}

    assert len(wrong(game, tmp_path).splitlines()) == 1000

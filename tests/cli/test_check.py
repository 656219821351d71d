import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from daide_server.cli import main
from daide_server.formats.registry import FORMATS
from daide_server.reports.difference_text import faults_in
from daide_server.storage.game_files import games_in, read_game
from daide_server.storage.variants import load_variant

GAMES = sorted((Path(__file__).parents[1] / "records" / "games").glob("*.json"))
Change = Callable[[dict[str, Any]], object]


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(main, ["check", *map(str, args)])


@pytest.mark.parametrize("form", FORMATS)
def test_what_we_write_has_no_fault(form: str, tmp_path: Path) -> None:
    for path in GAMES:
        [found] = games_in(path)
        copy = tmp_path / path.name
        copy.write_text(FORMATS[form].write(read_game(found)), encoding="utf-8")
        result = run(copy)
        assert (result.exit_code, result.output) == (0, "")


def phase(game: dict[str, Any], number: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = game["phases"][number]
    return found


def hello(stamp: int, sender: str = "FRANCE") -> dict[str, Any]:
    return {
        "phase": "S1901M",
        "sender": sender,
        "recipient": "ALL",
        "time_sent": stamp,
        "message": "hello",
    }


FAULTS: list[tuple[Change, str]] = [
    (lambda g: g.pop("id"), "id: found None, expected a text"),
    (lambda g: g.update(is_full_press=1), "is_full_press: found 1, expected true or"),
    (lambda g: g.update(scoring_system="elo"), "scoring_system: found 'elo'"),
    (lambda g: g["metadata"].update(seed=3), "metadata.seed: found 3, expected a text"),
    (lambda g: g.update(phases=[]), "phases: found none"),
    (lambda g: g["phases"].insert(1, 3), "phases[1]: found 3, expected an object"),
    (lambda g: g["phases"].reverse(), "after a later phase, or twice"),
    (lambda g: phase(g).update(name="X1901M"), "found 'X1901M', expected a phase"),
    (lambda g: phase(g).pop("orders"), "orders: found None, expected an object"),
    (
        lambda g: phase(g)["state"].update(name="F1901M"),
        "S1901M.state.name: found 'F1901M'",
    ),
    (
        lambda g: phase(g)["state"]["units"].update(SPAIN=[]),
        "state.units.SPAIN: unknown power 'SPAIN'",
    ),
    (
        lambda g: phase(g)["state"]["units"]["FRANCE"].append("A ECH"),
        "unit 'A ECH' found, expected",
    ),
    (
        lambda g: phase(g)["state"]["units"]["FRANCE"].append("A VIE"),
        "found 2 units in VIE",
    ),
    (
        lambda g: phase(g)["state"]["units"]["FRANCE"].append("*A PIC"),
        "outside of a retreat phase",
    ),
    (
        lambda g: phase(g)["state"]["centers"]["FRANCE"].append("VIE"),
        "found VIE 2 times",
    ),
    (
        lambda g: phase(g)["state"]["centers"]["FRANCE"].append("STP/SC"),
        "not a supply centre: 'STP/SC'",
    ),
    (
        lambda g: phase(g)["state"]["retreats"]["FRANCE"].update({"A PAR": ["PIC"]}),
        "found FRANCE A PAR without its star",
    ),
    (lambda g: phase(g)["orders"].update(FRANCE=["a par h"]), "expected 'A PAR H'"),
    (lambda g: phase(g)["orders"].update(FRANCE=["A PAR"]), "'A PAR'"),
    (
        lambda g: phase(g)["orders"].update(FRANCE=["A PAR H", "A PAR - BUR"]),
        "found 2 orders for A PAR",
    ),
    (
        lambda g: phase(g)["orders"].update(FRANCE=["A BUD H"]),
        "the power has no such unit there",
    ),
    (
        lambda g: phase(g)["orders"].update(FRANCE=["A PAR R BUR"]),
        "not an order of the phase",
    ),
    (
        lambda g: phase(g)["orders"].update(FRANCE="A PAR H"),
        "found 'A PAR H', expected an array",
    ),
    (
        lambda g: phase(g)["results"].update({"A XYZ": []}),
        "results.A XYZ: found A XYZ, which is not there",
    ),
    (
        lambda g: phase(g)["results"].update({"A PAR": ["won"]}),
        "results.A PAR[0]: found 'won', expected one of",
    ),
    (
        lambda g: phase(g).update(messages=[hello(5), hello(5)]),
        "found 2 messages with time_sent 5",
    ),
    (
        lambda g: phase(g).update(messages=[hello(5), hello(4)]),
        "not in order of time_sent",
    ),
    (lambda g: phase(g).update(messages=[hello(5, "ME")]), "sender: found 'ME'"),
    (lambda g: phase(g).update(messages=[3]), "messages[0]: found 3"),
    (
        lambda g: (
            phase(g, 1)["state"]["units"]["FRANCE"].clear(),
            phase(g, 1)["orders"]["FRANCE"].clear(),
            phase(g, 1)["results"].clear(),
        ),
        "F1901M: FRANCE units: recorded []",
    ),
]


@pytest.mark.parametrize(("change", "problem"), FAULTS)
def test_a_fault_is_told_with_its_place(
    change: Change, problem: str, tmp_path: Path
) -> None:
    game = json.loads(GAMES[0].read_text(encoding="utf-8"))
    change(game)
    path = tmp_path / "wrong.json"
    path.write_text(json.dumps(game), encoding="utf-8")

    result = run(path)

    assert result.exit_code == 1
    assert problem in result.output


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    game = json.loads(GAMES[0].read_text(encoding="utf-8"))
    for number in (0, 1):
        phase(game, number)["orders"]["FRANCE"] = ["nonsense"]
    path = tmp_path / "wrong.json"
    path.write_text(json.dumps(game), encoding="utf-8")

    assert run(path).output.count("orders.FRANCE[0]") == 2


DIPLOBN_FAULTS: list[tuple[Change, str]] = [
    (lambda g: g.update(EndedBy="Won"), "EndedBy: found 'Won', expected one of"),
    (lambda g: g.update(GameLabel=3), "GameLabel: found 3, expected a text"),
    (lambda g: g["Players"].update(Spain="x"), "Players.Spain: found 'Spain'"),
    (lambda g: g["GamePhases"].reverse(), "after"),
    (lambda g: g["GamePhases"].append(3), "found 3, expected an object"),
    (
        lambda g: g["GamePhases"][0]["CenterCounts"].update(Austria=9),
        "found 3 centres, CenterCounts has 9",
    ),
    (
        lambda g: g["GamePhases"][0].update(Status="Over"),
        "GamePhases[0].Status: found 'Over'",
    ),
]


@pytest.mark.parametrize(("change", "problem"), DIPLOBN_FAULTS)
def test_a_fault_of_diplobn_is_told_with_its_place(
    change: Change, problem: str, tmp_path: Path
) -> None:
    [found] = games_in(GAMES[0])
    game = json.loads(FORMATS["diplobn"].write(read_game(found)))
    change(game)
    path = tmp_path / "wrong.json"
    path.write_text(json.dumps(game), encoding="utf-8")

    result = run(path)

    assert result.exit_code == 1
    assert problem in result.output


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
    path = tmp_path / "wrong.json"
    game = {"id": "x", "map": "standard", "phases": [[]] * 5000}
    path.write_text(json.dumps(game), encoding="utf-8")

    assert len(run(path).output.splitlines()) == 1000

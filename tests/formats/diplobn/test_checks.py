"""Faults that reading accepts, and the schema or good sense does not."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from daide_server.formats.diplobn import DIPLOBN as DIPLOBN
from daide_server.formats.diplobn.checks import check
from daide_server.records.record import GameRecord
from daide_server.storage.variants import load_variant

Change = Callable[[dict[str, Any]], object]


def faults(file: dict[str, Any]) -> list[str]:
    return [str(each) for each in check(json.dumps(file).encode(), load_variant)]


@pytest.fixture
def file(record_of: Callable[..., GameRecord]) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(DIPLOBN.write(record_of(turns=6)))
    return loaded


def test_our_own_files_have_no_faults(file: dict[str, Any]) -> None:
    assert faults(file) == []


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda file: file.update(Modality="Zoom"), "Modality: found 'Zoom'"),
        (lambda file: file.update(URL=7), "URL: found 7, expected a text"),
        (lambda file: file["Players"].update(Spain="x"), "Players.Spain: found"),
        (lambda file: file["GamePhases"].append(1), "found 1, expected an object"),
        (lambda file: file["GamePhases"].reverse(), "found 19011 after 19012"),
        (
            lambda file: file["GamePhases"][0].update(Status="Over"),
            "GamePhases[0].Status: found 'Over'",
        ),
        (
            lambda file: file["GamePhases"][0]["CenterCounts"].update(Italy=4),
            "found 3 centres, CenterCounts has 4",
        ),
        (
            lambda file: file["GamePhases"][0]["Units"].update(Spain=[]),
            "GamePhases[0].Units.Spain: found 'Spain'",
        ),
        (
            lambda file: file["GamePhases"][0]["CenterCounts"].update(Italy=0),
            "found 3 centres, CenterCounts has 0",
        ),
        (
            lambda file: file["GamePhases"][0]["SupplyCenters"].pop("Italy"),
            "found 0 centres, CenterCounts has 3",
        ),
        (
            lambda file: file["ResultSummary"]["Italy"].update(CenterCount=-1),
            "ResultSummary.Italy.CenterCount: found -1, the last season has ",
        ),
    ],
)
def test_a_fault_is_reported_with_its_place(
    file: dict[str, Any], change: Change, fault: str
) -> None:
    change(file)
    assert any(fault in each for each in faults(file))


@pytest.mark.parametrize(
    "line",
    [
        "Vie",
        ["Vie"],
        ["Vie", "h", "s", "s"],
        ["VIE", "h", "s"],
        ["Vie", "hold", "s"],
        ["Vie", [], "s"],
        ["Vie", ["m"], "s"],
        ["Vie", ["m", "Tri", "VIA"], "s"],
        ["Vie", "h", True],
        ["Vie", "h", "bounce"],
        ["Vie", "h", ["f", 7]],
        ["Vie", "h", ["f", "Dislodged", "again"]],
    ],
)
@pytest.mark.parametrize("table", ["Orders", "RetreatOrders"])
def test_a_line_is_as_the_schema_has_it(
    file: dict[str, Any], table: str, line: object
) -> None:
    file["GamePhases"][0][table] = {"Austria": [line]}

    (found,) = faults(file)

    assert found.startswith(f"GamePhases[0].{table}.Austria[0]")


@pytest.mark.parametrize(
    "line",
    [
        ["Vie", "h"],
        ["Vie", ["h"], ["s"]],
        ["Stp", ["b", ["F", ["Stp", "nc"]]], "s"],
        ["Vie", ["sm", "Bud", "Gal"], ["f", "Support is cut"]],
    ],
)
def test_lines_without_a_fault(file: dict[str, Any], line: object) -> None:
    file["GamePhases"][0]["Orders"] = {"Austria": [line]}
    assert faults(file) == []

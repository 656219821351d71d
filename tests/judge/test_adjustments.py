"""Builds, removals, and what is done for powers that order too little."""

from daide_server.board.variant import Variant
from tests.judge.scenes import listed, play, reported, scene


def test_missing_builds_are_waived_and_reported(standard: Variant) -> None:
    centres = {"FRA": ["BRE", "MAR", "PAR"]}
    position = scene(standard, "WIN 1901", {"FRA": ["A GAS"]}, centres)

    resolution = play(standard, position, {"FRA": ["F BRE B"]})

    assert reported(resolution) == {"F BRE B": "SUC", "WAIVE": "SUC"}
    assert listed(resolution.units) == {"FRA": ["A GAS", "F BRE"]}


def test_each_waived_build_has_a_report(standard: Variant) -> None:
    position = scene(standard, "WIN 1901", {}, {"FRA": ["BRE", "MAR", "PAR"]})

    assert len(play(standard, position, {"FRA": ["WAIVE"]}).reports) == 3


def test_of_too_many_builds_the_first_count(standard: Variant) -> None:
    position = scene(standard, "WIN 1901", {}, {"FRA": ["BRE", "MAR"]})
    orders = {"FRA": ["A MAR B", "A BRE B", "F BRE B"]}

    resolution = play(standard, position, orders)

    assert listed(resolution.units) == {"FRA": ["A BRE", "A MAR"]}
    assert [note.value for _, note in resolution.void] == ["NMB"]


def test_removals_that_are_not_ordered_are_made_in_civil_disorder(
    standard: Variant,
) -> None:
    units = {"FRA": ["A PAR", "A MOS", "A BUR"]}
    position = scene(standard, "WIN 1901", units, {"FRA": ["PAR"]})

    resolution = play(standard, position, {"FRA": ["A BUR D", "A BUR D"]})

    assert reported(resolution) == {"A BUR D": "SUC", "A MOS D": "SUC"}
    assert listed(resolution.units) == {"FRA": ["A PAR"]}


def test_a_power_that_owes_nothing_does_nothing(standard: Variant) -> None:
    position = scene(standard, "WIN 1901", {"FRA": ["A PAR"]}, {"FRA": ["PAR"]})

    resolution = play(standard, position, {"FRA": ["A PAR D", "F BRE B", "WAIVE"]})

    assert resolution.reports == ()
    assert [note.value for _, note in resolution.void] == ["NMR", "NMB", "NMB"]
    assert str(resolution.next.turn) == "SPR 1902"

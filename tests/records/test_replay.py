import json
from collections.abc import Callable
from typing import Any

import pytest
from attrs import evolve
from msgspec.structs import replace

from daide_server.board.results import OrderNote
from daide_server.formats.phase_json.dialects import DIPCC as DIPCC
from daide_server.judge.rules import DAIDE_RULES, EDITIONS, IllegalOrders
from daide_server.records.record import Ending, GameRecord, RecordError
from daide_server.records.replay import replay
from daide_server.reports.difference_text import DifferenceText, difference_text
from daide_server.storage.variants import load_variant
from tests.support.data import GAMES, game

Recorded = Callable[..., GameRecord]
File = dict[str, Any]


def phase(name: str, units: dict[str, list[str]], **more: object) -> File:
    """Return a phase in which only France and Germany play."""
    centers = more.pop("centers", {"FRANCE": ["PAR"], "GERMANY": ["MUN"]})
    retreats = more.pop("retreats", {})
    state = {"name": name, "units": units, "centers": centers, "retreats": retreats}
    return {"name": name, "state": state, **more}


def texts(record: GameRecord) -> list[DifferenceText]:
    """Return the differences of a replay, as a person reads them."""
    return [difference_text(each, record.variant.map) for each in replay(record)]


def lines(*phases: File) -> list[str]:
    """Return what the replay of a foreign file says."""
    record = DIPCC.read(json.dumps({"phases": phases}), load_variant)
    return [f"remark: {each}" if each.remark else str(each) for each in texts(record)]


BOUNCE = phase(
    "S1901M",
    {"FRANCE": ["A PAR"], "GERMANY": ["A MUN"]},
    orders={"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - BUR"]},
)


@pytest.mark.parametrize("seed", range(8))
def test_a_game_of_ours_replays_without_a_difference(
    record_of: Recorded, seed: int
) -> None:
    record = record_of(seed, turns=40)

    assert list(replay(record)) == []
    assert list(replay(DIPCC.read(DIPCC.write(record), load_variant))) == []


def test_a_game_under_another_edition_is_replayed_under_it(
    record_of: Recorded,
) -> None:
    for edition in ("aiserver", "dipcc", "datc"):
        record = record_of(2, turns=40, rules=EDITIONS[edition], edition=edition)

        assert list(replay(record)) == []


@pytest.mark.parametrize("seed", range(4))
def test_illegal_orders_that_were_accepted_are_void_again(
    record_of: Recorded, seed: int
) -> None:
    """In an AOA game the record holds orders that could not be carried out."""
    rules = evolve(DAIDE_RULES, illegal_orders=IllegalOrders.REPORTED)
    record = record_of(seed, turns=30, rules=rules)
    notes = [
        each.result
        for turn in record.turns
        for each in turn.reports
        if isinstance(each.result, OrderNote)
    ]

    assert notes
    assert list(replay(DIPCC.read(DIPCC.write(record), load_variant))) == []


def test_an_unknown_edition_is_named(record_of: Recorded) -> None:
    record = replace(record_of(turns=1), edition="house")

    with pytest.raises(RecordError, match="edition 'house' found, expected one of"):
        list(replay(record))


def test_units_that_went_elsewhere_are_a_difference() -> None:
    wrong = phase("F1901M", {"FRANCE": ["A BUR"], "GERMANY": ["A MUN"]})

    assert lines(BOUNCE, wrong) == [
        "F1901M FRANCE units: recorded [A BUR], adjudicated [A PAR]"
    ]


def test_a_difference_does_not_breed_others() -> None:
    units = {"FRANCE": ["A BUR"], "GERMANY": ["A MUN"]}
    wrong = phase("F1901M", units)
    next_year = phase("S1902M", units)

    assert len(lines(BOUNCE, wrong, next_year)) == 1


def test_centres_that_others_got_are_a_difference() -> None:
    units = {"FRANCE": ["A PAR"], "GERMANY": ["A MUN"]}
    centers = {"FRANCE": ["PAR", "MUN"]}

    assert lines(BOUNCE, phase("F1901M", units, centers=centers)) == [
        "F1901M FRANCE centers: recorded [MUN, PAR], adjudicated [PAR]",
        "F1901M GERMANY centers: recorded [], adjudicated [MUN]",
    ]


def test_another_phase_than_the_next_is_a_difference() -> None:
    units = {"FRANCE": ["A PAR"], "GERMANY": ["A MUN"]}

    assert lines(BOUNCE, phase("S1902M", units)) == [
        "S1901M - next phase: recorded S1902M, adjudicated F1901M"
    ]


DISLODGING = phase(
    "S1901M",
    {"FRANCE": ["A BUR", "A PAR", "A MAR", "A GAS"], "GERMANY": ["A MUN", "A BEL"]},
    centers={"FRANCE": ["PAR", "MAR"], "GERMANY": ["MUN"]},
    orders={"GERMANY": ["A MUN - BUR", "A BEL S A MUN - BUR"]},
)
TAKEN = {
    "FRANCE": ["A PAR", "A MAR", "A GAS", "*A BUR"],
    "GERMANY": ["A BUR", "A BEL"],
}
CENTERS = {"FRANCE": ["PAR", "MAR"], "GERMANY": ["MUN"]}


def test_the_right_retreats_are_no_difference() -> None:
    retreats = {"FRANCE": {"A BUR": ["PIC", "RUH"]}}
    right = phase("S1901R", TAKEN, centers=CENTERS, retreats=retreats)

    assert lines(DISLODGING, right) == []


def test_too_many_retreats_are_a_known_defect() -> None:
    retreats = {"FRANCE": {"A BUR": ["PIC", "RUH", "PAR"]}}
    defect = phase("S1901R", TAKEN, centers=CENTERS, retreats=retreats)

    assert lines(DISLODGING, defect) == [
        (
            "remark: S1901R FRANCE retreats of A BUR: "
            "recorded [PAR, PIC, RUH], adjudicated [PIC, RUH]"
        )
    ]


def test_too_few_retreats_are_nobodys_defect() -> None:
    retreats = {"FRANCE": {"A BUR": ["PIC"]}}
    wrong = phase("S1901R", TAKEN, centers=CENTERS, retreats=retreats)

    assert lines(DISLODGING, wrong) == [
        "S1901R FRANCE retreats of A BUR: recorded [PIC], adjudicated [PIC, RUH]"
    ]


SURROUNDED = phase(
    "S1901M",
    {
        "FRANCE": ["A BRE"],
        "GERMANY": ["A GAS", "A PIC", "A PAR"],
    },
    centers=CENTERS,
    orders={"GERMANY": ["A PAR - BRE", "A PIC S A PAR - BRE"]},
)
LOST = {"GERMANY": ["A GAS", "A PIC", "A BRE"]}


def test_a_retreat_phase_without_retreats_may_be_skipped() -> None:
    """What the `diplomacy` package does; DAIDE and dipcc play it."""
    assert lines(SURROUNDED, phase("F1901M", LOST, centers=CENTERS)) == [
        "remark: S1901R - phase: recorded skipped, adjudicated played"
    ]


def test_it_may_not_be_skipped_when_something_can_retreat() -> None:
    units = {"FRANCE": ["A PAR", "A MAR", "A GAS"], "GERMANY": ["A BUR", "A BEL"]}

    assert lines(DISLODGING, phase("F1901M", units, centers=CENTERS)) == [
        "S1901M - next phase: recorded F1901M, adjudicated S1901R",
        (
            "F1901M FRANCE units: recorded [A GAS, A MAR, A PAR], "
            "adjudicated [*A BUR, A GAS, A MAR, A PAR]"
        ),
    ]


def test_our_own_record_may_not_skip_either() -> None:
    """The same two phases with our key are a difference: we play every phase."""
    record = DIPCC.read(
        json.dumps({"phases": [SURROUNDED, phase("F1901M", LOST, centers=CENTERS)]}),
        load_variant,
    )
    ours = replace(record, foreign=False, edition="daide")

    [skipped] = [each for each in texts(ours) if each.what == "phase"]

    assert skipped.phase == "S1901R"
    assert not skipped.remark


def test_our_own_results_are_compared(record_of: Recorded) -> None:
    file = json.loads(DIPCC.write(record_of(turns=3)))
    unit = next(iter(file["phases"][0]["results"]))
    file["phases"][0]["results"][unit] = ["cut"]
    record = DIPCC.read(json.dumps(file), load_variant)

    [difference] = texts(record)

    assert difference.what == f"result of {unit}"
    assert difference.recorded == "[cut]"


def test_a_solo_that_was_none_is_a_difference(record_of: Recorded) -> None:
    record = record_of(turns=4)
    claimed = replace(record, ending=Ending.SOLO)

    [difference] = texts(claimed)

    assert (difference.power, difference.recorded, difference.adjudicated) == (
        "AUSTRIA",
        "a solo",
        "no solo",
    )


def test_a_game_that_goes_on_after_a_solo_is_a_difference() -> None:
    centers = sorted(load_variant("standard").map.centres - {"GOL", "MUN"})
    won = {"FRANCE": [*centers[:18], "PAR"]}
    fall = phase("F1901M", {"FRANCE": ["A PAR"]}, centers=won)
    spring = phase("W1901A", {"FRANCE": ["A PAR"]}, centers=won)

    assert lines(fall, spring) == [
        "F1901M FRANCE ending: recorded W1901A, adjudicated a solo"
    ]


@pytest.mark.parametrize("name", GAMES)
def test_real_games_replay_without_a_difference(name: str) -> None:
    """Games between people and bots, as three programs recorded them."""
    record = DIPCC.read(game(name), load_variant)

    assert record.turns
    assert [each for each in texts(record) if not each.remark] == []

import json

import pytest
from attrs import evolve
from msgspec.structs import replace

from daide_server.board.map import Position, Variant
from daide_server.board.names import Power
from daide_server.board.orders import Convoy
from daide_server.board.results import OrderNote
from daide_server.judge.adjudication import adjudicate
from daide_server.judge.rules import DAIDE_RULES, EDITIONS, IllegalOrders
from daide_server.library.variants import load_variant
from daide_server.records.consequences import Consequence
from daide_server.records.formats.phase_json.dialects import DIPCC
from daide_server.records.record import Ending, GameRecord, PlayedTurn, RecordError
from daide_server.records.replay import ConsequencesDiffer, is_convention, replay
from daide_server.text.difference_text import DifferenceText, difference_text
from tests.formats.phase_json.files import File, phase, reading
from tests.judge.scenes import orders_in, scene
from tests.support.data import GAMES, record_of_game
from tests.support.random_games import Recorded


def texts(record: GameRecord) -> list[DifferenceText]:
    """Return the differences of a replay, as a person reads them."""
    return [difference_text(each, record.variant.map) for each in replay(record)]


def foreign(*phases: File) -> GameRecord:
    """Return the record of a file that another program wrote."""
    return reading({"phases": phases})


def lines(*phases: File) -> list[str]:
    """Return what the replay of a foreign file says."""
    return [
        f"remark: {each}" if each.remark else str(each)
        for each in texts(foreign(*phases))
    ]


BOUNCE = phase(
    "S1901M",
    "FRANCE: A PAR; GERMANY: A MUN",
    orders="FRANCE: A PAR - BUR; GERMANY: A MUN - BUR",
)


@pytest.mark.parametrize("seed", range(8))
def test_a_game_of_ours_replays_without_a_difference(
    record_of: Recorded, seed: int
) -> None:
    record = record_of(seed, turns=40)

    assert list(replay(record)) == []
    assert list(replay(DIPCC.read(DIPCC.write(record), load_variant))) == []


def test_a_game_under_another_edition_is_replayed_under_it(record_of: Recorded) -> None:
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


HELD = "FRANCE: A PAR; GERMANY: A MUN"
HELD_TOO = "GERMANY: A MUN; FRANCE: A PAR"
WENT = "FRANCE: A BUR; GERMANY: A MUN"


@pytest.mark.parametrize(
    ("following", "differences"),
    [
        # What is wrong in one phase is no difference of the next.
        (
            [phase("F1901M", WENT), phase("S1902M", WENT)],
            ["F1901M FRANCE units: recorded [A BUR], adjudicated [A PAR]"],
        ),
        (
            [phase("F1901M", HELD, centers="FRANCE: PAR, MUN")],
            [
                "F1901M FRANCE centers: recorded [MUN, PAR], adjudicated [PAR]",
                "F1901M GERMANY centers: recorded [], adjudicated [MUN]",
            ],
        ),
        (
            [phase("S1902M", HELD)],
            ["S1901M - next phase: recorded S1902M, adjudicated F1901M"],
        ),
        (
            [phase("COMPLETED", WENT)],
            ["COMPLETED FRANCE units: recorded [A BUR], adjudicated [A PAR]"],
        ),
        # The order of units and centres is no difference.
        ([phase("F1901M", HELD_TOO, "GERMANY: MUN; FRANCE: PAR")], []),
    ],
)
def test_another_position_after_a_turn_is_a_difference(
    following: list[File], differences: list[str]
) -> None:
    assert lines(BOUNCE, *following) == differences


DISLODGING = phase(
    "S1901M",
    "FRANCE: A BUR, A PAR, A MAR, A GAS; GERMANY: A MUN, A BEL",
    centers="FRANCE: PAR, MAR; GERMANY: MUN",
    orders="GERMANY: A MUN - BUR, A BEL S A MUN - BUR",
)
TAKEN = "FRANCE: A PAR, A MAR, A GAS, *A BUR; GERMANY: A BUR, A BEL"
CENTERS = "FRANCE: PAR, MAR; GERMANY: MUN"


@pytest.mark.parametrize(
    ("places", "differences"),
    [
        ("PIC RUH", []),
        # Too many are a known defect, too few are nobody's.
        (
            "PAR PIC RUH",
            [
                (
                    "remark: S1901R FRANCE retreats of A BUR: "
                    "recorded [PAR, PIC, RUH], adjudicated [PIC, RUH]"
                )
            ],
        ),
        (
            "PIC",
            ["S1901R FRANCE retreats of A BUR: recorded [PIC], adjudicated [PIC, RUH]"],
        ),
    ],
)
def test_retreats_are_those_of_the_rules(places: str, differences: list[str]) -> None:
    retreats = {"FRANCE": {"A BUR": places.split()}}
    following = phase("S1901R", TAKEN, centers=CENTERS, retreats=retreats)

    assert lines(DISLODGING, following) == differences


SURROUNDED = phase(
    "S1901M",
    "FRANCE: A BRE; GERMANY: A GAS, A PIC, A PAR",
    centers=CENTERS,
    orders="GERMANY: A PAR - BRE, A PIC S A PAR - BRE",
)
LOST = "GERMANY: A GAS, A PIC, A BRE"


def test_a_phase_with_open_retreats_may_not_be_skipped() -> None:
    units = "FRANCE: A PAR, A MAR, A GAS; GERMANY: A BUR, A BEL"

    assert lines(DISLODGING, phase("F1901M", units, centers=CENTERS)) == [
        "S1901M - next phase: recorded F1901M, adjudicated S1901R",
        (
            "F1901M FRANCE units: recorded [A GAS, A MAR, A PAR], "
            "adjudicated [*A BUR, A GAS, A MAR, A PAR]"
        ),
    ]


def test_a_retreat_phase_without_retreats_may_be_skipped_by_others() -> None:
    """As the `diplomacy` package does; DAIDE, dipcc and we ourselves play it."""
    assert lines(SURROUNDED, phase("F1901M", LOST, centers=CENTERS)) == [
        "remark: S1901R - phase: recorded skipped, adjudicated played"
    ]
    record = foreign(SURROUNDED, phase("F1901M", LOST, centers=CENTERS))
    ours = replace(record, foreign=False, edition="daide")

    [skipped] = [each for each in texts(ours) if each.what == "phase"]

    assert skipped.phase == "S1901R"
    assert not skipped.remark


def test_foreign_files_may_remove_units_without_retreats_early() -> None:
    following = phase("S1901R", LOST, centers=CENTERS)
    assert lines(SURROUNDED, following) == [
        "remark: S1901R FRANCE *A BRE: recorded removed, adjudicated dislodged"
    ]
    ours = replace(foreign(SURROUNDED, following), foreign=False, edition="daide")

    *_, differ = texts(ours)

    assert str(differ) == "S1901R FRANCE units: recorded [], adjudicated [*A BRE]"
    assert not differ.remark


def test_our_own_results_are_compared(record_of: Recorded) -> None:
    file = json.loads(DIPCC.write(record_of(turns=3)))
    unit = next(iter(file["phases"][0]["results"]))
    file["phases"][0]["results"][unit] = ["cut"]
    record = DIPCC.read(json.dumps(file), load_variant)

    [difference] = texts(record)

    assert difference.what == f"result of {unit}"
    assert difference.recorded == "[cut]"


def test_a_recorded_solo_that_nobody_reached_is_a_difference(
    record_of: Recorded,
) -> None:
    record = record_of(turns=4)
    claimed = replace(record, ending=Ending.SOLO)

    [difference] = texts(claimed)

    assert (difference.power, difference.recorded, difference.adjudicated) == (
        "AUSTRIA",
        "a solo",
        "no solo",
    )


def test_a_game_that_continues_after_a_solo_is_a_difference() -> None:
    centers = sorted(load_variant("standard").map.centres - {"GOL", "MUN"})
    won = {"FRANCE": [*centers[:18], "PAR"]}
    fall = phase("F1901M", "FRANCE: A PAR", centers=won)
    spring = phase("W1901A", "FRANCE: A PAR", centers=won)

    assert lines(fall, spring) == [
        "F1901M FRANCE ending: recorded W1901A, adjudicated a solo"
    ]


@pytest.mark.parametrize("name", GAMES)
def test_real_games_replay_without_a_difference(name: str) -> None:
    """Games between people and bots, as three programs recorded them."""
    record = record_of_game(name)

    assert record.turns
    assert [each for each in texts(record) if not each.remark] == []


# Which recorded results are only another program's words


def resolved(variant: Variant, units: str, orders: str) -> tuple[PlayedTurn, Position]:
    """Return a spring in which units that stand so had these orders, and its end."""
    before = scene(variant, "SPR 1901", units)
    given = tuple(orders_in(variant, before, orders))
    found = adjudicate(variant, before, given)
    return PlayedTurn(before, given, found.reports, 0.0), found.next


@pytest.mark.parametrize(
    ("support", "known"),
    [("F RUM S F BLA", True), ("F RUM S F BUL/EC - BLA", True), ("F RUM H", False)],
)
def test_support_of_a_convoying_fleet_is_not_cut_by_a_convoyed_army(
    standard: Variant, support: str, *, known: bool
) -> None:
    convoy = "TUR: F BLA C A ANK - RUM, A ANK - RUM VIA"
    turn, following = resolved(
        standard,
        "TUR: F BLA, A ANK; RUS: F RUM; AUS: F BUL/EC",
        f"{convoy}; RUS: {support}; AUS: F BUL/EC - BLA",
    )
    [fleet] = turn.position.units_of(Power("RUS"))
    contrast = ConsequencesDiffer(fleet, [], [Consequence.CUT])

    assert is_convention(contrast, turn, following) is known


@pytest.mark.parametrize(
    ("army", "known"),
    [("A BUL - GRE", True), ("A BUL - SER", False), ("A BUL H", False)],
)
def test_a_convoy_of_an_army_that_goes_there_by_land_may_have_no_fault(
    standard: Variant, army: str, *, known: bool
) -> None:
    orders = f"TUR: F AEG C A BUL - GRE, {army}"
    turn, following = resolved(standard, "TUR: F AEG, A BUL", orders)
    fleet = next(each.unit for each in turn.orders if isinstance(each, Convoy))
    contrast = ConsequencesDiffer(fleet, [], [Consequence.VOID])

    assert is_convention(contrast, turn, following) is known

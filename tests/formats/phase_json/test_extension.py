"""The keys of ours: tallies, times, metadata, and what a file holds beyond dipcc's."""

import json
from typing import Any

import pytest
from msgspec.structs import replace

from daide_server.board.names import Power, Province
from daide_server.board.results import OrderNote
from daide_server.library.variants import find_variant, load_variant
from daide_server.records.entries import RecordEntry, TurnResolved, TurnTallied, fold
from daide_server.records.formats.errors import FormatError
from daide_server.records.formats.phase_json.dialects import DIPCC, DIPLOMACY
from daide_server.records.record import Ending, GameRecord, PlayerTally, RefusedOrder
from daide_server.scoring.systems import DIPCC_SYSTEMS
from daide_server.text.game_report import game_report
from daide_server.usage import Usage
from tests.formats.phase_json.files import file_of, foreign, reading
from tests.support.data import GAMES, game, record_of_game
from tests.support.random_games import Play, Recorded

# What our own key tells of a game; how one without it is taken to have ended


def test_our_own_key_has_the_exact_points(record_of: Recorded) -> None:
    record = replace(record_of(turns=1), metadata={"scoring_system": "draw_size"})

    given = file_of(record)["daide"]["points"]
    assert (given["AUSTRIA"], given["ENGLAND"]) == ("1/2", "0")


def test_an_unknown_ending_is_refused(record_of: Recorded) -> None:
    file = file_of(record_of(turns=1))
    file["daide"]["ending"] = "earthquake"

    with pytest.raises(FormatError, match="found 'earthquake', expected one of solo"):
        reading(file)


@pytest.mark.parametrize(("centers", "ending"), [(17, Ending.DRAW), (18, Ending.SOLO)])
def test_the_ending_of_a_foreign_game_is_seen_from_its_centres(
    record_of: Recorded, centers: int, ending: Ending
) -> None:
    file = foreign(file_of(record_of(turns=1)))
    everything = sorted(record_of().variant.map.centres - {"GOL"})
    file["phases"][-1]["state"]["centers"] = {
        "FRANCE": everything[:centers],
        "TURKEY": everything[centers:],
    }

    assert reading(file).ending is ending


# The metadata tell people what they look for; what was ours already is read again


def test_a_scoring_system_that_dipcc_cannot_read_is_in_the_metadata(
    record_of: Recorded,
) -> None:
    record = replace(record_of(turns=1), metadata={"scoring_system": "dixie"})

    for form, stored in [("dipcc", "sum_of_squares"), ("dipcc-literal", "dixie")]:
        file = file_of(record, form)
        assert file["scoring_system"] == stored
        assert file["metadata"]["scoring_system"] == "dixie"
    for system in DIPCC_SYSTEMS:
        named = replace(record, metadata={"scoring_system": system})
        assert file_of(named, "dipcc-literal")["scoring_system"] == system


@pytest.mark.parametrize(
    ("variant", "map_name"),
    [
        ("standard", "standard"),
        ("fleet_rome", "standard_fleet_rome"),
        ("shift_around", "standard"),
    ],
)
def test_the_map_is_one_that_the_package_has(
    record_of: Recorded, variant: str, map_name: str
) -> None:
    record = replace(record_of(turns=0), variant=load_variant(variant))
    file = file_of(record, "diplomacy")
    assert (file["map"], file["daide"]["variant"]) == (map_name, variant)


@pytest.mark.parametrize(
    ("stored", "system"), [(0, None), (1, "draw_size"), ("dixie", "dixie")]
)
def test_dipcc_has_numbers_for_two_systems(
    record_of: Recorded, stored: object, system: str | None
) -> None:
    file = {**file_of(record_of(turns=1)), "scoring_system": stored}

    assert reading(file).metadata.get("scoring_system") == system


# How the players did is kept in our own key of a phase, and read back from it


FRANCE, GERMANY = Power("FRA"), Power("GER")
TALLIES = {
    FRANCE: PlayerTally(
        refused_orders=(
            RefusedOrder(
                Province("STP"), "( RUS FLT STP ) HLD", OrderNote.NOT_YOUR_UNIT
            ),
            RefusedOrder(None, "FRA WVE", OrderNote.WRONG_SEASON),
        ),
        refused=7,
        syntax_errors=2,
        last_syntax_error="HUH ( SUB ( ERR FRA ) )",
        late=1,
        think_median=0.25,
        think_longest=1.5,
    ),
    GERMANY: PlayerTally(late=1, silent=True, usage=Usage(model="m", cost=0.25)),
}


@pytest.fixture
def tallied(play: Play) -> GameRecord:
    """Return a record whose first turn was tallied."""
    entries: list[RecordEntry] = []
    for entry in play(turns=3):
        entries.append(entry)
        if isinstance(entry, TurnResolved) and entry.position.turn.year == 1901:
            entries.append(TurnTallied(entry.position.turn, TALLIES, entry.seconds))
    return fold(entries, find_variant("standard"), game="tallied", started=0.0)


@pytest.mark.parametrize("name", ["dipcc", "dipcc-literal", "diplomacy"])
def test_tallies_survive_writing_and_reading(name: str, tallied: GameRecord) -> None:
    read = reading(file_of(tallied, name))
    found = [turn.tallies for turn in read.turns]
    assert found == [turn.tallies for turn in tallied.turns]
    assert found[0] == TALLIES


def test_an_unknown_note_is_named(tallied: GameRecord) -> None:
    file = file_of(tallied)
    file["phases"][0]["daide"]["players"]["FRANCE"]["orders"][0]["note"] = "XXX"
    with pytest.raises(FormatError, match=r"daide\.players\.orders: found 'XXX'"):
        reading(file)


def test_show_says_who_was_refused_or_late(tallied: GameRecord) -> None:
    """A unit that holds because its order was refused says so, with the note."""
    turn = tallied.turns[0]
    unit = turn.position.units_of(FRANCE)[0]
    refused = RefusedOrder(unit.province, "", OrderNote.NOT_ADJACENT)
    tally = replace(TALLIES[FRANCE], refused_orders=(refused,))
    first = replace(turn, orders=(), tallies=TALLIES | {FRANCE: tally})
    lines = list(game_report(replace(tallied, turns=(first, *tallied.turns[1:]))))
    assert any("refused: FAR, it cannot get there; holds" in line for line in lines)
    assert sum("no order: holds" in line for line in lines) >= 21
    assert "  players: FRANCE late, 7 refused, 2 HUH; GERMANY silent" in lines
    where = lines.index("    FRANCE was answered HUH ( SUB ( ERR FRA ) )")
    assert lines[where - 1].startswith("    FRANCE refused: FAR, it cannot get there: ")


def test_show_names_refused_orders_that_a_good_one_replaced(
    tallied: GameRecord,
) -> None:
    """The unit moved in the end; what was refused before is told all the same."""
    lines = list(game_report(tallied))
    order = "( RUS FLT STP ) HLD"
    assert f"    FRANCE refused: NYU, the unit is not that power's: {order}" in lines


def test_show_says_nothing_of_players_that_did_well(record_of: Recorded) -> None:
    assert not any("players:" in line for line in game_report(record_of(turns=2)))


# Times in the files of other programs: theirs, or none


SAVED = [name for name in GAMES if name.startswith("selfplay")]
DIALOGUES = [name for name in GAMES if name.startswith("game_")]


def phases(content: bytes | str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(content)["phases"]
    return found


def since(record: GameRecord) -> list[float | None]:
    return [*(turn.since for turn in record.turns), record.last_since]


@pytest.mark.parametrize("name", SAVED)
def test_a_phase_began_when_the_package_left_the_one_before(name: str) -> None:
    stamps = [phase["state"]["timestamp"] / 1e6 for phase in phases(game(name))]
    record = record_of_game(name)
    first, *others = since(record)

    assert first is None
    assert record.started == stamps[0]
    for found, left in zip(others, stamps, strict=False):
        assert found is not None
        assert record.started + found == pytest.approx(left)


@pytest.mark.parametrize("name", DIALOGUES)
def test_a_phase_without_a_time_has_none(name: str) -> None:
    record = record_of_game(name)

    assert set(since(record)) == {None}
    for form in (DIPCC, DIPLOMACY):
        written = form.write(record)
        assert not any("phase_start_time" in phase for phase in phases(written))
        assert form.read(written, load_variant) == record


@pytest.mark.parametrize("name", DIALOGUES)
def test_press_was_sent_when_the_file_says(name: str) -> None:
    """Cicero's stamps are seconds since 1970, ten thousand times."""
    record = record_of_game(name)
    messages = [each for phase in phases(game(name)) for each in phase["messages"]]
    sent = [each["time_sent"] for each in messages]

    assert len(sent) == len(record.messages)
    for message, stamp in zip(record.messages, sent, strict=True):
        assert message.seconds is not None
        assert record.started + message.seconds == pytest.approx(stamp / 1e4)


def test_a_file_without_times_has_none() -> None:
    state = {"units": {"FRANCE": ["A PAR"]}, "centers": {}}
    said = {"sender": "FRANCE", "recipient": "ITALY", "message": "ciao"}
    phase = {"name": "S1901M", "state": state, "messages": [said]}

    record = DIPCC.read(json.dumps({"phases": [phase]}), load_variant)

    assert (record.started, record.last_since) == (0.0, None)
    assert [message.seconds for message in record.messages] == [None]
    assert DIPCC.read(DIPCC.write(record), load_variant) == record

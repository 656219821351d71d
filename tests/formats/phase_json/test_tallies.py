"""How the players did is kept in our own key of a phase, and read back from it."""

import json
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from daide_server.board.names import Power, Province
from daide_server.board.results import OrderNote
from daide_server.formats.errors import FormatError
from daide_server.formats.phase_json.dialects import DIPCC
from daide_server.formats.registry import FORMATS
from daide_server.records.entries import (
    PlayerTally,
    RecordEntry,
    RefusedOrder,
    TurnResolved,
    TurnTallied,
)
from daide_server.records.folding import fold
from daide_server.records.record import GameRecord
from daide_server.reports.game_report import game_report
from daide_server.storage.variants import find_variant
from daide_server.usage import Usage
from tests.support.random_games import Play

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
    written = FORMATS[name].write(tallied)
    assert isinstance(written, str)
    read = FORMATS[name].read(written, find_variant)
    assert [turn.tallies for turn in read.turns] == [
        turn.tallies for turn in tallied.turns
    ]
    assert read.turns[0].tallies == TALLIES


def test_what_was_not_recorded_is_not_zero(
    record_of: Callable[..., GameRecord],
) -> None:
    """A record of another program, or of an older server, has no tallies."""
    record = record_of(turns=2)
    written = DIPCC.write(record)
    assert isinstance(written, str)
    assert '"players"' not in written
    read = DIPCC.read(written, find_variant)
    assert [turn.tallies for turn in read.turns] == [None, None]


def test_an_unknown_note_is_named(tallied: GameRecord) -> None:
    written = DIPCC.write(tallied)
    assert isinstance(written, str)
    file = json.loads(written)
    file["phases"][0]["daide"]["players"]["FRANCE"]["orders"][0]["note"] = "XXX"
    with pytest.raises(FormatError, match=r"daide\.players\.orders: found 'XXX'"):
        DIPCC.read(json.dumps(file), find_variant)


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


def test_show_says_nothing_of_players_that_did_well(
    record_of: Callable[..., GameRecord],
) -> None:
    assert not any("players:" in line for line in game_report(record_of(turns=2)))

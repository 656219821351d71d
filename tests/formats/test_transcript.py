"""The transcript of a game in DAIDE's messages."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from daide_server.board.map import Variant
from daide_server.board.names import Location, Province
from daide_server.board.orders import Convoy, ConvoyedMove, Order, SupportMove
from daide_server.library.variants import load_variant
from daide_server.records.formats.errors import FormatError
from daide_server.records.formats.registry import recognise
from daide_server.records.formats.transcript import TRANSCRIPT
from daide_server.records.formats.transcript.reading import read
from daide_server.records.formats.transcript.writing import write
from daide_server.records.record import Ending, Message, PlayedTurn
from tests.support.boards import position
from tests.support.random_games import Recorded

# A transcript reads as DAIDE, and is the same game when it is read again


@settings(max_examples=10, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    turns=st.integers(1, 25),
    ending=st.sampled_from([Ending.DRAW, Ending.YEAR_LIMIT, Ending.ABORTED]),
)
def test_the_same_game_is_read_again(
    record_of: Recorded, seed: int, turns: int, ending: Ending
) -> None:
    record = record_of(seed, turns=turns, ending=ending)
    text = TRANSCRIPT.write(record)

    assert recognise(text.encode()) == "transcript"
    found = TRANSCRIPT.read(text, load_variant)
    kept = replace(record, messages=(), turns=tuple(map(plain, record.turns)))
    assert replace(found, messages=()) == kept
    assert [closed(each) for each in found.messages] == list(record.messages)


def plain(turn: PlayedTurn) -> PlayedTurn:
    """Return *turn* without the coasts that DAIDE has no place for in a support."""

    def spoken(order: Order) -> Order:
        if isinstance(order, SupportMove):
            return replace(order, destination=Location(order.destination.province))
        return order

    return replace(
        turn,
        orders=tuple(map(spoken, turn.orders)),
        reports=tuple(replace(each, order=spoken(each.order)) for each in turn.reports),
    )


def closed(message: Message) -> Message:
    """Return *message* without the blanks that tokens are written with."""
    text = message.text.replace("( ", "(").replace(" )", ")")
    return replace(message, text=text)


# Reading a transcript: which lines count, and the place of a fault


def test_comments_and_empty_lines_do_not_matter(record_of: Recorded) -> None:
    text = write(record_of(turns=3))
    spaced = text.replace("\n", "\n\n#a comment\n")
    assert read(spaced.encode(), load_variant) == read(text, load_variant)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("# variant: standard", "# variant: moon", "# variant: "),
        ("# level: ", "# level: x", "# level: found 'x.*expected a number"),
        ("# started: ", "# started: 1e999 ", "# started: found"),
        ("# ending: ", "# ending: un", "# ending: found 'un.*expected one of"),
        ("# winners: ", "# winners: F ", "# winners: found 'F', expected AUS ENG"),
        ("\t-\tMAP", "\tXXX\tMAP", "line \\d+: found 'XXX', expected a power"),
        ("0.000\t", "0.000\tFRA\tSUB ( ( FRA AMY\n", "line \\d+: not understood"),
        ("0.000\t", "0.000\tFRA\t\0\n", "line \\d+: cannot read"),
        ("0.000\t", "0.000\tFRA\n", "line \\d+: not enough values"),
        ("0.000\t", "soon\t", "line \\d+: could not convert"),
        ("0.000\t", '# said: "\\ud800"\n0.000\t', "line \\d+: found .* a JSON text"),
    ],
)
def test_a_fault_is_reported_with_its_line(
    record_of: Recorded, old: str, new: str, problem: str
) -> None:
    text = write(record_of(turns=1))
    assert old in text
    with pytest.raises(FormatError, match=problem):
        read(text.replace(old, new, 1), load_variant)


@pytest.mark.parametrize(
    ("data", "problem"),
    [(b"\xff", "can't decode"), (b"# variant: standard\n", "no entry says that the g")],
)
def test_bytes_that_are_no_transcript_are_refused(data: bytes, problem: str) -> None:
    with pytest.raises(FormatError, match=problem):
        read(b"# daide transcript 1\n" + data, load_variant)


# The lines of a transcript: in order of time, with the routes that DAIDE demands


def test_a_name_with_line_breaks_stays_on_its_line(record_of: Recorded) -> None:
    record = replace(record_of(turns=0), id="two\nlines\t\tand blanks")
    assert "# game: two lines and blanks" in write(record).splitlines()


@pytest.mark.parametrize(
    ("fleets", "written"),
    [
        (["F ENG", "F NTH"], "CTO NWY VIA ( ECH NTH )"),
        (["F NTH"], "MTO NWY"),
        ([], "MTO NWY"),
    ],
)
def test_a_convoyed_army_has_the_route_of_the_fleets(
    record_of: Recorded, standard: Variant, fleets: list[str], written: str
) -> None:
    units = {"ENGLAND": ["A BRE", *fleets]}
    board = position(standard, "S1901M", units, {})
    army, *sea = sorted(board.units, key=lambda unit: unit.type.value)
    goal = Location(Province("NWY"))
    orders: list[Order] = [ConvoyedMove(army, goal, None)]
    orders += (Convoy(fleet, army, goal) for fleet in sea)
    record = record_of(turns=1)
    turn = replace(record.turns[0], position=board, orders=tuple(orders), reports=())
    text = write(replace(record, turns=(turn,)))
    assert f"( ( ENG AMY BRE ) {written} )" in text

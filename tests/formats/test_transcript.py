"""A transcript reads as DAIDE, and is the same game when it is read again."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from daide_server.board.names import Location
from daide_server.board.orders import Order, SupportMove
from daide_server.formats.errors import FormatError
from daide_server.formats.registry import recognise
from daide_server.formats.transcript import TRANSCRIPT as TRANSCRIPT
from daide_server.records.entries import Ending
from daide_server.records.record import GameRecord, Message, PlayedTurn
from daide_server.storage.variants import load_variant

Recorded = Callable[..., GameRecord]


def test_a_bot_author_knows_the_lines(record_of: Recorded) -> None:
    lines = TRANSCRIPT.write(record_of(turns=2)).splitlines()

    assert lines[0] == "# daide transcript 1"
    assert "# game: chance-1" in lines
    assert "0.000\tFRA\tNME ( 'Chance' ) ( '1.0' )" in lines
    assert "0.500\tAUS\tSND ( ENG ) ( PRP ( PCE ( AUS ENG ) ) )" in lines
    assert "1.000\t-\tCCD ( ENG )" in lines
    assert any(line.startswith("2.000\tITA\tSUB ( ( ITA ") for line in lines)
    assert any(line.startswith("2.000\t-\tORD ( SPR 1901 ) ( ( AUS ") for line in lines)
    assert lines[-1].partition("\t-\t")[2].startswith("SMR ( ")


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


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("0.0\tFRA\tSUB ( ( FRA AMY", "line 3: not understood"),
        ("0.0\tSPA\tGOF", "line 3: found 'SPA', expected a power"),
        ("soon\tFRA\tGOF", "line 3: could not convert"),
        ("0.0\tFRA", "line 3: not enough values"),
        ("0.0\tFRA\t\x00", "line 3: cannot read"),
        ("", "no entry says that the game began"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(line: str, problem: str) -> None:
    text = f"# daide transcript 1\n# variant: standard\n{line}\n"

    with pytest.raises(FormatError, match=problem):
        TRANSCRIPT.read(text, load_variant)

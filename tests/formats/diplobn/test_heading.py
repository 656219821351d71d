"""The data of the whole game: the note, the days, who played."""

from collections.abc import Callable

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from daide_server.formats.diplobn.heading import (
    Note,
    heading,
    metadata,
    note_in,
    note_of,
    started,
)
from daide_server.formats.diplobn.shapes import DiplobnGame
from daide_server.records.entries import Ending
from daide_server.records.record import FOREIGN_EDITION, GameRecord

WORD = st.text("abcdefghijklmnopqrstuvwxyz_", min_size=1, max_size=20)


@given(st.builds(Note, WORD, WORD, st.integers(0, 9999), WORD, st.booleans()))
def test_a_note_is_read_as_it_was_written(note: Note) -> None:
    assert note_in(DiplobnGame(Note=str(note))) == note


@pytest.mark.parametrize("text", ["", "a fine game", "variant: standard"])
def test_a_file_without_our_note_is_foreign(text: str) -> None:
    note = note_in(DiplobnGame(Note=text, ScoringSystem="DrawSize"))
    assert note == Note("standard", FOREIGN_EDITION, 0, "draw_size", foreign=True)


@pytest.mark.parametrize(
    ("seconds", "ended", "days"),
    [
        (0.0, 60.0, {}),
        (86400.0, 60.0, {"DatePlayed": "1970-01-02"}),
        (86400.0, None, {"DateBegan": "1970-01-02"}),
        (86400.0, 90000.0, {"DateBegan": "1970-01-02", "DateEnded": "1970-01-03"}),
    ],
)
def test_days_are_written_as_far_as_they_are_known(
    record_of: Callable[..., GameRecord],
    seconds: float,
    ended: float | None,
    days: dict[str, str],
) -> None:
    record = replace(record_of(turns=0), started=seconds, ended=ended)
    found = {k: v for k, v in heading(record).items() if k.startswith("Date")}
    assert found == days


@pytest.mark.parametrize(
    ("text", "seconds"), [("1970-01-02", 86400.0), ("soon", 0.0), ("", 0.0)]
)
def test_the_first_day_is_when_the_game_began(text: str, seconds: float) -> None:
    assert started(DiplobnGame(DateBegan=text)) == seconds


def test_metadata_that_are_not_the_usual_come_back(
    record_of: Callable[..., GameRecord],
) -> None:
    record = replace(record_of(turns=0), metadata={"Language": "French"})
    game = msgspec.convert(heading(record), DiplobnGame)
    assert metadata(game, note_of(record), Ending.DRAW) == {"Language": "French"}

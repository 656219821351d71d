"""A difference in words."""

import pytest

from daide_server.board.map import Season, Turn
from daide_server.board.names import Power
from daide_server.board.notation import reader_of
from daide_server.formats.errors import FormatError
from daide_server.records import replay
from daide_server.reports.difference_text import difference_text
from daide_server.storage.variants import load_variant

STANDARD = load_variant("standard")
READER = reader_of(STANDARD.start, STANDARD.map)
SPRING = Turn(Season.SPRING, 1901)
CHANNEL = READER.unit("F ECH", Power("FRA"))


def test_a_difference_names_its_phase_and_both_sides() -> None:
    """The others are read in `tests/records/test_replay.py`."""
    contrast = replay.UnitRemoved(CHANNEL)
    text = "FRANCE *F ENG: recorded removed, adjudicated dislodged"

    during = difference_text(replay.Difference(SPRING, contrast), STANDARD.map)
    after = difference_text(
        replay.Difference(None, contrast, remark=True), STANDARD.map
    )

    assert (str(during), during.remark) == (f"S1901M {text}", False)
    assert (str(after), after.remark) == (f"COMPLETED {text}", True)


def test_a_year_that_no_phase_name_holds_is_an_error() -> None:
    ancient = replay.Difference(Turn(Season.SPRING, 900), replay.TurnSkipped())

    with pytest.raises(FormatError, match="year 900"):
        difference_text(ancient, STANDARD.map)

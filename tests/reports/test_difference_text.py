"""Each kind of difference in words."""

import pytest

from daide_server.board.map import Season, Turn
from daide_server.board.names import Power, Province
from daide_server.board.notation import reader_of
from daide_server.formats.errors import FormatError
from daide_server.records import replay
from daide_server.records.consequences import Consequence
from daide_server.reports.difference_text import difference_text
from daide_server.storage.variants import load_variant

STANDARD = load_variant("standard")
READER = reader_of(STANDARD.start, STANDARD.map)
FRANCE = Power("FRA")
SPRING, FALL = Turn(Season.SPRING, 1901), Turn(Season.FALL, 1901)
CHANNEL = READER.unit("F ECH", FRANCE)
BURGUNDY = READER.unit("A BUR", FRANCE)


@pytest.mark.parametrize(
    ("contrast", "text"),
    [
        (
            replay.UnitsDiffer(
                FRANCE,
                frozenset({replay.UnitOnBoard(CHANNEL, dislodged=False)}),
                frozenset(
                    {
                        replay.UnitOnBoard(CHANNEL, dislodged=True),
                        replay.UnitOnBoard(BURGUNDY, dislodged=False),
                    }
                ),
            ),
            "FRANCE units: recorded [F ENG], adjudicated [*F ENG, A BUR]",
        ),
        (
            replay.UnitRemoved(CHANNEL),
            "FRANCE *F ENG: recorded removed, adjudicated dislodged",
        ),
        (
            replay.CentresDiffer(FRANCE, (Province("PAR"), Province("BRE")), ()),
            "FRANCE centers: recorded [BRE, PAR], adjudicated []",
        ),
        (
            replay.RetreatsDiffer(BURGUNDY, (), (READER.location("GAS"),)),
            "FRANCE retreats of A BUR: recorded [], adjudicated [GAS]",
        ),
        (
            replay.ConsequencesDiffer(
                CHANNEL, None, [Consequence.DISRUPTED, Consequence.DISLODGED]
            ),
            (
                "FRANCE result of F ENG: recorded [-], "
                "adjudicated [dislodged, disrupted]"
            ),
        ),
        (replay.TurnSkipped(), "- phase: recorded skipped, adjudicated played"),
        (
            replay.NextTurnDiffers(FALL, SPRING),
            "- next phase: recorded F1901M, adjudicated S1901M",
        ),
        (
            replay.SoloNotReached(FRANCE),
            "FRANCE ending: recorded a solo, adjudicated no solo",
        ),
        (
            replay.SoloNotRecorded(FRANCE, FALL),
            "FRANCE ending: recorded F1901M, adjudicated a solo",
        ),
    ],
)
def test_a_difference_names_its_phase_and_both_sides(
    contrast: replay.Contrast, text: str
) -> None:
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

"""What our own key tells of a game; how one without it is taken to have ended."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from daide_server.formats.errors import FormatError
from daide_server.records.entries import Ending
from daide_server.records.record import GameRecord
from tests.formats.phase_json.files import file_of, foreign, reading

Recorded = Callable[..., GameRecord]


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

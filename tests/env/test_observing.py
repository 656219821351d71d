"""The arrays of a board say what stands where."""

from daide_server.board.map import Variant
from daide_server.board.names import Coast, Province
from tests.judge.scenes import scene
from tests.support.needed import need_package

numpy = need_package("numpy")
need_package("gymnasium")

from daide_server.env.observing import BoardObserver  # noqa: E402 - numpy first


def test_the_columns_have_names(standard: Variant) -> None:
    units = {"RUS": ["F STP/SCS"], "FRA": ["A PAR"]}
    dislodged = {"GER": {"F BAL": ["KIE"]}}
    centres = {"RUS": ["STP"], "FRA": ["PAR"]}
    position = scene(standard, "SUM 1905", units, centres, dislodged)
    observer = BoardObserver(standard.map)
    board = observer.array(position)
    index = standard.map.index

    def features(place: str) -> set[str]:
        row = board[index[Province(place)]]
        return {observer.features[at] for at in numpy.flatnonzero(row)}

    common = {"season SUM"}
    assert features("STP") - common == {
        "terrain coastal",
        "centre",
        "home RUS",
        "owner RUS",
        "unit F",
        "unit RUS",
        "unit SCS",
    }
    assert features("PAR") - common == {
        "terrain inland",
        "centre",
        "home FRA",
        "owner FRA",
        "unit A",
        "unit FRA",
    }
    assert features("BAL") - common == {"terrain sea", "dislodged F", "dislodged GER"}
    named = observer.named(position)
    stp = index[Province("STP")]
    power = standard.map.powers.index
    assert named["unit_type"][stp] == 2
    assert named["unit_power"][stp] == power("RUS") + 1
    assert named["unit_coast"][stp] == list(Coast).index(Coast.SOUTH) + 1
    assert named["dislodged_power"][index[Province("BAL")]] == power("GER") + 1
    assert named["owner"][index[Province("PAR")]] == power("FRA") + 1
    assert list(named["year"]) == [1905]

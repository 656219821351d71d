"""What dipcc's reader and the `diplomacy` package demand of a file that is written.

`checks` knows what they refuse; the package is asked itself where it is installed.
"""

import pytest
from msgspec.structs import replace

from daide_server.board.map import Phase, Season, Turn
from daide_server.formats.errors import FormatError
from daide_server.formats.phase_json.dialects import DIPCC
from daide_server.records.record import Ending
from tests.formats.phase_json.files import file_of
from tests.support.needed import need_package
from tests.support.random_games import Recorded


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("begins", [None, *Phase])
def test_the_diplomacy_package_loads_the_same_history(
    record_of: Recorded, seed: int, begins: Phase | None
) -> None:
    """Also if it begins in the middle of another game."""
    export = need_package("diplomacy.utils.export")
    record = record_of(seed, turns=40)
    if begins is not None:
        phases = [turn.position.turn.phase for turn in record.turns]
        later = record.turns[phases.index(begins, 5) :]
        record = replace(record, turns=later, metadata={"daide_start": "x.json:X"})
    file = file_of(record)

    history = export.from_saved_game_format(file).get_phase_history()

    assert [phase.name for phase in history] == [
        phase["name"] for phase in file["phases"][:-1]
    ]
    for theirs, ours in zip(history, file["phases"], strict=False):
        assert theirs.orders == ours["orders"]
        for table in ("units", "centers", "retreats"):
            assert theirs.state[table] == ours["state"][table]


@pytest.mark.parametrize(
    ("ending", "before_the_end"),
    [
        (Ending.SOLO, "W1902A"),
        (Ending.YEAR_LIMIT, "W1902A"),
        (Ending.DRAW, "S1903M"),
        (Ending.ABORTED, "S1903M"),
    ],
)
def test_a_turn_that_was_not_finished_has_a_phase_before_the_end(
    record_of: Recorded, ending: Ending, before_the_end: str
) -> None:
    """A solo and the year limit end a game between two turns."""
    record = record_of(1)
    count = sum(turn.position.turn < Turn(Season.SPRING, 1903) for turn in record.turns)
    position = record.turns[count].position
    short = replace(
        record, turns=record.turns[:count], votes=(), last=position, ending=ending
    )

    names = [phase["name"] for phase in file_of(short)["phases"]]

    assert names[-2:] == [before_the_end, "COMPLETED"]


def test_a_game_that_goes_on_ends_with_its_current_phase(record_of: Recorded) -> None:
    record = replace(record_of(turns=3), ending=None)

    file = file_of(record)

    assert file["phases"][-1]["name"] != "COMPLETED"
    assert not any(file["phases"][-1]["orders"].values())


def test_builds_and_ordered_removals_succeed_in_the_words_of_the_package(
    record_of: Recorded,
) -> None:
    phases = file_of(record_of(5, turns=40))["phases"]
    winters = [phase for phase in phases if phase["name"].startswith("W")]

    built = 0
    for phase in winters:
        for orders in phase["orders"].values():
            for order in orders:
                built += 1
                assert phase["results"][" ".join(order.split()[:2])] == [""]
    assert built > 0


def test_a_year_without_four_digits_cannot_be_written(record_of: Recorded) -> None:
    record = record_of(turns=1)
    turn = record.turns[0]
    late = replace(
        turn, position=replace(turn.position, turn=Turn(Season.SPRING, 10000))
    )

    with pytest.raises(FormatError, match="year 10000"):
        DIPCC.write(replace(record, turns=(late,)))

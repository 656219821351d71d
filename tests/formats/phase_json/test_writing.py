"""What dipcc's reader and the `diplomacy` package demand of a file that is written.

`checks` knows what they refuse; the package is asked itself where it is installed.
"""

from typing import Any

import pytest
from msgspec.structs import replace

from daide_server.board.map import Phase, Season, Turn
from daide_server.board.names import Power
from daide_server.records.record import Ending, GameRecord, Message
from tests.formats.phase_json.files import file_of, reading
from tests.support.needed import need_package
from tests.support.random_games import Recorded

AUS, ENG, FRA = map(Power, ("AUS", "ENG", "FRA"))


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


def test_a_running_game_ends_with_its_current_phase(record_of: Recorded) -> None:
    record = replace(record_of(turns=3), ending=None)

    file = file_of(record)

    assert file["phases"][-1]["name"] != "COMPLETED"
    assert not any(file["phases"][-1]["orders"].values())


def messages(record: GameRecord, *said: Message) -> list[dict[str, Any]]:
    """Return the messages of the file of *record* if this is said in it."""
    talked = replace(record, messages=said, votes=())
    file = file_of(talked)
    assert reading(file).messages == said
    return [message for phase in file["phases"] for message in phase["messages"]]


def test_press_for_all_survivors_is_for_everybody(record_of: Recorded) -> None:
    record = record_of(turns=1)
    first = record.turns[0].position
    alive = {AUS, ENG, FRA}
    few = replace(
        first,
        units=tuple(unit for unit in first.units if unit.power in alive),
        owners={at: power for at, power in first.owners.items() if power in alive},
    )
    short = replace(record, turns=(replace(record.turns[0], position=few),))

    [message] = messages(short, Message(first.turn, AUS, (ENG, FRA), "PRP (DRW)", 1.0))

    assert message["recipient"] == "ALL"


def test_press_after_the_end_is_in_the_last_phase(record_of: Recorded) -> None:
    [message] = messages(record_of(turns=1), Message(None, ENG, (AUS,), "YES (DRW)", 9))

    assert message["phase"] == "COMPLETED"

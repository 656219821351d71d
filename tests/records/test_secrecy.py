"""What of a game is shown: press by the policy, passcodes never."""

import pytest
from msgspec.structs import replace

from daide_server.board.names import Power
from daide_server.board.results import OrderNote
from daide_server.records.record import GameRecord, PlayerTally, RefusedOrder
from daide_server.records.secrecy import PressPolicy, visible
from tests.support.random_games import Recorded

FRANCE = Power("FRA")


def shown(record: GameRecord, policy: str, now: float, *, running: bool) -> int:
    """Return how much press and how many votes are shown."""
    found = visible(record, PressPolicy.read(policy), now, running=running)
    return len(found.press_and_votes)


@pytest.mark.parametrize(
    ("policy", "running", "finished"),
    [("live", 6, 6), ("after", 0, 6), ("never", 0, 0), ("delayed 0.3", 2, 6)],
)
def test_press_is_shown_as_the_policy_says(
    record_of: Recorded, policy: str, running: int, finished: int
) -> None:
    """Two messages were sent at 0.5 s, one at 0.75 s, and three votes at the end."""
    record = record_of()

    assert shown(record, policy, 0.9, running=True) == running
    assert shown(record, policy, 0.9, running=False) == finished


def test_everything_else_stays(record_of: Recorded) -> None:
    record = record_of()
    found = visible(record, PressPolicy.read("never"), 0.0, running=True)

    assert replace(found, messages=record.messages, votes=record.votes) == record


@pytest.mark.parametrize(
    ("policy", "running", "has_orders", "has_error"),
    [
        ("live", True, False, False),
        ("never", False, True, False),
        ("after", False, True, True),
    ],
)
def test_refused_orders_are_shown_when_the_game_is_over(
    record_of: Recorded,
    policy: str,
    *,
    running: bool,
    has_orders: bool,
    has_error: bool,
) -> None:
    """Counts always; what HUH answered may be press, and is shown like it."""
    record = record_of()
    order = RefusedOrder(None, "FRA WVE", OrderNote.WRONG_SEASON)
    tally = PlayerTally(
        refused_orders=(order,), refused=1, syntax_errors=1, last_syntax_error="HUH ( )"
    )
    turns = tuple(replace(turn, tallies={FRANCE: tally}) for turn in record.turns)

    found = visible(
        replace(record, turns=turns), PressPolicy.read(policy), 0.0, running=running
    )

    for turn in found.turns:
        assert turn.tallies is not None
        shown = turn.tallies[FRANCE]
        assert (shown.refused, shown.syntax_errors) == (1, 1)
        assert bool(shown.refused_orders) is has_orders
        assert bool(shown.last_syntax_error) is has_error


def test_metadata_that_name_a_passcode_are_dropped(record_of: Recorded) -> None:
    record = replace(record_of(), metadata={"FRA_Passcode": "4711", "seed": "1"})

    found = visible(record, PressPolicy.read("live"), 0.0, running=False)

    assert found.metadata == {"seed": "1"}


@pytest.mark.parametrize("text", ["live", "delayed 90", "after", "never"])
def test_a_policy_is_read_as_it_is_written(text: str) -> None:
    assert str(PressPolicy.read(text)) == text


@pytest.mark.parametrize(
    "text", ["", "soon", "delayed", "delayed -1", "delayed x", "delayed inf", "live 3"]
)
def test_other_policies_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected 'live', 'delayed SECONDS'"):
        PressPolicy.read(text)

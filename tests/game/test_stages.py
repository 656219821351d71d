"""The life of a game: the table of its stages, and the executor."""

import pytest

from daide_server.game.stages import (
    RUNNING,
    TRANSITIONS,
    Cause,
    Stage,
    StageError,
    enter,
)


def test_every_stage_can_be_reached_and_every_cause_changes_something() -> None:
    """Nothing in the table is there for nothing."""
    reached = {Stage.FORMING}
    for _ in Stage:
        reached.update(*(TRANSITIONS[stage].values() for stage in reached.copy()))
    assert reached == set(Stage)
    assert {cause for row in TRANSITIONS.values() for cause in row} == set(Cause)


@pytest.mark.parametrize("stage", Stage)
@pytest.mark.parametrize("cause", Cause)
def test_the_executor_does_what_the_table_says(stage: Stage, cause: Cause) -> None:
    """Where the table says nothing, the error names the stage and the cause."""
    following = TRANSITIONS[stage].get(cause)
    if following is None:
        with pytest.raises(StageError, match=f"found {cause.name} in .* {stage.name}"):
            enter(stage, cause)
    else:
        assert enter(stage, cause) is following


def test_a_closed_game_stays_closed() -> None:
    """And no game goes back to where seats are taken."""
    assert not TRANSITIONS[Stage.CLOSED]
    assert all(Stage.FORMING not in row.values() for row in TRANSITIONS.values())


def test_what_runs_can_end_or_be_loaded() -> None:
    """Every stage with turns to play can be loaded, and no other."""
    loadable = [stage for stage, row in TRANSITIONS.items() if Cause.LOADED in row]
    assert loadable == list(RUNNING)

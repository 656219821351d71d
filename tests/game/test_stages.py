"""The life of a game: the table of its stages, and the executor."""

import pytest

from daide_server.game.stages import (
    RUNNING,
    TRANSITIONS,
    Cause,
    Stage,
    StageError,
    StageMachine,
)


def machine_in(stage: Stage) -> StageMachine:
    """Return a machine that has come to *stage* by the shortest way."""
    paths: dict[Stage, tuple[Cause, ...]] = {Stage.FORMING: ()}
    while stage not in paths:
        for known, causes in list(paths.items()):
            for cause, following in TRANSITIONS[known].items():
                paths.setdefault(following, (*causes, cause))
    machine = StageMachine()
    for cause in paths[stage]:
        machine.enter(cause)
    return machine


def test_every_stage_can_be_reached_and_every_cause_changes_something() -> None:
    """Nothing in the table is there for nothing."""
    assert all(machine_in(stage).stage is stage for stage in Stage)
    assert {cause for row in TRANSITIONS.values() for cause in row} == set(Cause)


@pytest.mark.parametrize("stage", Stage)
@pytest.mark.parametrize("cause", Cause)
def test_the_executor_does_what_the_table_says(stage: Stage, cause: Cause) -> None:
    """Where the table says nothing, the stage stays and the error names both."""
    machine = machine_in(stage)
    following = TRANSITIONS[stage].get(cause)
    if following is None:
        with pytest.raises(StageError, match=f"found {cause.name} in .* {stage.name}"):
            machine.enter(cause)
        assert machine.stage is stage
    else:
        assert machine.enter(cause) is following
        assert machine.stage is following


def test_a_closed_game_stays_closed() -> None:
    """And no game goes back to where seats are taken."""
    assert not TRANSITIONS[Stage.CLOSED]
    assert all(Stage.FORMING not in row.values() for row in TRANSITIONS.values())


def test_what_runs_can_end_or_be_loaded() -> None:
    """Every stage with turns to play can be loaded, and no other."""
    loadable = [stage for stage, row in TRANSITIONS.items() if Cause.LOADED in row]
    assert loadable == list(RUNNING)

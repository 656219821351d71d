"""Computed results against another judge, on games between people.

The `diplomacy` package adjudicates the same movements. Its words differ where
`records.replay.is_convention` says so, and nowhere else.
"""

import json
from collections.abc import Collection
from typing import Any

import pytest
from msgspec.structs import replace

from daide_server.board.map import Phase
from daide_server.board.names import Unit
from daide_server.library.variants import load_variant
from daide_server.records.consequences import Consequence, consequences_of
from daide_server.records.formats.phase_json.dialects import DIPCC
from daide_server.records.formats.phase_json.map_names import consequences_in, names_of
from daide_server.records.record import GameRecord, PlayedTurn
from daide_server.records.replay import ConsequencesDiffer, is_convention
from daide_server.records.turn_results import turn_results
from tests.support.data import GAMES, game
from tests.support.needed import need_package

EVERY = 4
"""Of so many movements, one is asked of the other judge."""


def peers_results(phase: dict[str, Any]) -> dict[str, Collection[Consequence]]:
    """Return the consequences of *phase* by the other judge, by unit."""
    other = need_package("diplomacy").Game()
    other.set_current_phase(phase["name"])
    other.clear_units()
    other.clear_centers()
    for power in other.powers:
        other.set_units(power, phase["state"]["units"].get(power, []))
        other.set_centers(power, phase["state"]["centers"].get(power, []))
    for power in other.powers:
        other.set_orders(power, phase["orders"].get(power) or [])
    other.process()
    found = other.result_history.last_value()
    return {
        unit: consequences_in(str(word).rpartition(":")[2] for word in words)
        for unit, words in found.items()
    }


def computed(record: GameRecord, turn: PlayedTurn) -> dict[Unit, list[Consequence]]:
    """Return the consequences that are computed when nothing is recorded."""
    number = record.turns.index(turn)
    bare = replace(turn, reports=())
    alone = replace(record, turns=(bare,), last=record.positions[number + 1])
    [(_, found)] = turn_results(alone)
    assert found.recorded == ()
    return consequences_of(found.reports, turn.orders)


# The package leaves its cache open.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("name", GAMES)
def test_computed_results_are_those_of_another_judge(name: str) -> None:
    need_package("diplomacy")
    content = game(name)
    record = DIPCC.read(content, load_variant)
    names = names_of(record.variant.map)
    phases = {phase["name"]: phase for phase in json.loads(content)["phases"]}
    moved = [
        turn for turn in record.turns if turn.position.turn.phase is Phase.MOVEMENT
    ]

    for turn in moved[::EVERY]:
        after = record.positions[record.turns.index(turn) + 1]
        theirs = peers_results(phases[names.phase_text(turn.position.turn)])
        ours = computed(record, turn)
        assert set(map(names.unit_text, ours)) == theirs.keys()
        for unit, found in ours.items():
            expected = theirs[names.unit_text(unit)]
            differ = ConsequencesDiffer(unit, tuple(expected), found)
            assert set(found) == set(expected) or is_convention(differ, turn, after)

"""Results that a record lacks are computed, marked, and never contradict a position."""

import pytest
from msgspec.structs import replace

from daide_server.board.names import Unit
from daide_server.board.orders import Waive
from daide_server.board.results import OrderResult, Report
from daide_server.records.formats.phase_json.map_names import names_of, result_words
from daide_server.records.record import GameRecord, PlayedTurn
from daide_server.records.turn_results import ResultSource, TurnResults, turn_results
from tests.formats.phase_json.files import File, phase, reading
from tests.support.data import GAMES, record_of_game
from tests.support.random_games import Recorded

STOOD = "FRANCE: A BUR; GERMANY: A MUN, A RUH"
ATTACK = "GERMANY: A MUN - BUR, A RUH S A MUN - BUR"
TAKEN = phase("S1901M", STOOD, orders=ATTACK)
TO_PARIS = {"FRANCE": {"A BUR": ["PAR"]}}
FELL = phase("S1901R", "FRANCE: *A BUR; GERMANY: A BUR, A RUH", retreats=TO_PARIS)


def read(*phases: File) -> GameRecord:
    return reading({"phases": phases})


def first(record: GameRecord) -> tuple[PlayedTurn, TurnResults]:
    return next(turn_results(record))


def words(record: GameRecord) -> dict[str, list[str]]:
    """Return the words on the first turn, by unit."""
    turn, found = first(record)
    names = names_of(record.variant.map)
    return {
        names.unit_text(unit): texts
        for unit, texts in result_words(found.reports, turn.orders).items()
    }


def unit_of(report: Report) -> Unit:
    assert not isinstance(report.order, Waive)
    return report.order.unit


def test_a_game_of_ours_is_not_computed(record_of: Recorded) -> None:
    record = record_of(3, turns=30)

    for turn, found in turn_results(record):
        assert found.recorded == turn.reports
        assert found.computed == ()
        assert found.dislodged == {
            unit_of(each) for each in turn.reports if each.dislodged
        }


@pytest.mark.parametrize("name", GAMES)
def test_every_unit_of_a_real_game_has_a_result(name: str) -> None:
    """No file of dipcc has any, the `diplomacy` package all."""
    record = record_of_game(name)
    expected = (
        ResultSource.RECORDED if name.startswith("selfplay") else ResultSource.COMPUTED
    )

    for turn, found in turn_results(record):
        assert {source for _, source in found.sources()} <= {expected}
        units = set(map(unit_of, found.reports))
        assert units >= set(turn.position.dislodged or turn.position.units) or (
            turn.position.turn.phase.name == "ADJUSTMENTS"
        )


def test_what_the_rules_say_is_computed() -> None:
    record = read(TAKEN, FELL)

    assert words(record) == {"A BUR": ["dislodged"], "A MUN": [], "A RUH": []}
    assert [str(unit.province) for unit in first(record)[1].dislodged] == ["BUR"]


def test_a_recorded_position_wins() -> None:
    """All stayed, says the file: nothing is said of Munich's move or Burgundy."""
    record = read(TAKEN, phase("F1901M", STOOD))

    assert words(record) == {"A RUH": []}
    assert first(record)[1].dislodged == frozenset()


def test_a_unit_that_the_file_shows_dislodged_was_dislodged() -> None:
    """Even if the file has no orders that explain it."""
    fell = "FRANCE: *A BUR; GERMANY: A MUN, A RUH"
    record = read(phase("S1901M", STOOD), phase("S1901R", fell, retreats=TO_PARIS))

    assert [str(unit.province) for unit in first(record)[1].dislodged] == ["BUR"]


def test_recorded_results_are_kept_beside_computed_ones() -> None:
    record = read({**TAKEN, "results": {"A RUH": ["cut"]}}, FELL)

    [(recorded, source), *others] = first(record)[1].sources()

    assert (recorded.result, source) == (OrderResult.CUT, ResultSource.RECORDED)
    assert {source for _, source in others} == {ResultSource.COMPUTED}
    assert words(record)["A BUR"] == ["dislodged"]


def test_nothing_is_computed_under_an_unknown_edition() -> None:
    record = replace(read(TAKEN, phase("F1901M", STOOD)), edition="house")

    assert first(record)[1].reports == ()


def test_a_unit_that_stands_was_not_removed() -> None:
    """The `diplomacy` package repeats in winter what it disbanded in the autumn."""
    units = "FRANCE: A PAR; GERMANY: A MUN"
    winter = {**phase("W1901A", units), "results": {"A MUN": ["disband"]}}

    [(turn, found)] = turn_results(read(winter, phase("S1902M", units)))

    assert turn.reports != ()
    assert found.reports == ()

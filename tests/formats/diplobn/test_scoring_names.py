"""Scoring systems under DiploBN's names."""

from daide_server.formats.diplobn.map_names import (
    OUR_SYSTEMS,
    SCHEMA_CHOICES,
    SYSTEM_NAMES,
)
from daide_server.scoring.systems import SYSTEMS


def test_every_name_is_one_of_the_schema() -> None:
    assert set(SYSTEM_NAMES.values()) <= set(SCHEMA_CHOICES)


def test_every_name_is_a_system_that_has_a_formula_here() -> None:
    assert set(SYSTEM_NAMES) <= set(SYSTEMS)


def test_a_name_that_is_read_is_written_again() -> None:
    assert all(SYSTEM_NAMES[ours] == theirs for theirs, ours in OUR_SYSTEMS.items())

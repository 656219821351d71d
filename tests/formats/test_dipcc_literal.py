"""dipcc's JSON as its document has it: every scoring system under its own name."""

import json
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from daide_server.formats.phase_json.dialects import DIPCC_LITERAL as DIPCC_LITERAL
from daide_server.formats.phase_json.metadata import DOCUMENT_SYSTEMS
from daide_server.records.record import GameRecord


@pytest.mark.parametrize("system", DOCUMENT_SYSTEMS)
def test_the_scoring_systems_of_the_document_are_written(
    record_of: Callable[..., GameRecord], system: str
) -> None:
    record = replace(record_of(turns=1), metadata={"scoring_system": system})
    assert json.loads(DIPCC_LITERAL.write(record))["scoring_system"] == system


def test_a_scoring_system_that_the_document_lacks_is_in_the_metadata(
    record_of: Callable[..., GameRecord],
) -> None:
    record = replace(record_of(turns=1), metadata={"scoring_system": "Bangkok"})
    written = json.loads(DIPCC_LITERAL.write(record))
    assert written["scoring_system"] == "sum_of_squares"
    assert written["metadata"]["scoring_system"] == "Bangkok"

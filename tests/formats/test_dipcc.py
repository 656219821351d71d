"""What dipcc wants otherwise than the `diplomacy` package."""

import json
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from daide_server.formats.phase_json.dialects import DIPCC as DIPCC
from daide_server.records.record import GameRecord


@pytest.mark.parametrize(
    ("system", "written"),
    [("draw_size", "draw_size"), ("dixie", "sum_of_squares")],
)
def test_the_file_names_a_scoring_system_that_dipcc_knows(
    record_of: Callable[..., GameRecord], system: str, written: str
) -> None:
    record = replace(record_of(turns=1), metadata={"scoring_system": system})
    file = json.loads(DIPCC.write(record))
    assert file["scoring_system"] == written
    assert file["metadata"]["scoring_system"] == system


def test_messages_are_an_array_with_stamps_in_centiseconds(
    record_of: Callable[..., GameRecord],
) -> None:
    record = record_of(turns=1)
    first = json.loads(DIPCC.write(record))["phases"][0]["messages"][0]
    seconds = record.started + (record.press_and_votes[0].seconds or 0)
    assert first["time_sent"] == pytest.approx(seconds * 100, abs=1)

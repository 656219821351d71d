"""The metadata tell people what they look for; what was ours already is read again."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from daide_server.records.record import GameRecord
from tests.formats.phase_json.files import file_of, reading

Recorded = Callable[..., GameRecord]


def test_the_metadata_tell_who_played_and_how_it_ended(record_of: Recorded) -> None:
    metadata = file_of(record_of(turns=2))["metadata"]

    assert metadata["agent_ENGLAND"] == "Second 2.1"
    assert metadata["end_reason"] == "draw"
    assert metadata["has_draw_votes"] == "True"
    assert metadata["rules_edition"] == "daide"
    assert metadata["seed"] == "1"


def test_what_follows_from_the_record_is_not_read_back(record_of: Recorded) -> None:
    record = record_of(turns=2)

    assert reading(file_of(record)).metadata == record.metadata


def test_a_scoring_system_that_dipcc_cannot_read_is_in_the_metadata(
    record_of: Recorded,
) -> None:
    record = replace(record_of(turns=1), metadata={"scoring_system": "dixie"})

    for form, told in [("dipcc", "sum_of_squares"), ("dipcc-literal", "dixie")]:
        file = file_of(record, form)
        assert file["scoring_system"] == told
        assert file["metadata"]["scoring_system"] == "dixie"


@pytest.mark.parametrize(
    ("told", "system"), [(0, None), (1, "draw_size"), ("dixie", "dixie")]
)
def test_dipcc_has_numbers_for_two_systems(
    record_of: Recorded, told: object, system: str | None
) -> None:
    file = {**file_of(record_of(turns=1)), "scoring_system": told}

    assert reading(file).metadata.get("scoring_system") == system

"""What tells dipcc's files, those of its document and those of the package apart."""

import json
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from daide_server.formats.phase_json.dialects import DIPCC as DIPCC
from daide_server.formats.phase_json.dialects import DIPCC_LITERAL as DIPCC_LITERAL
from daide_server.formats.phase_json.dialects import DIPLOMACY as DIPLOMACY
from daide_server.formats.phase_json.metadata import DOCUMENT_SYSTEMS
from daide_server.records.record import GameRecord
from daide_server.storage.variants import load_variant

# What dipcc wants otherwise than the `diplomacy` package


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


# dipcc's JSON as its document has it: every scoring system under its own name


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


# What the `diplomacy` package wants otherwise than dipcc


@pytest.mark.parametrize(
    ("variant", "map_name"),
    [
        ("standard", "standard"),
        ("fleet_rome", "standard_fleet_rome"),
        ("shift_around", "standard"),
    ],
)
def test_the_map_is_one_that_the_package_has(
    record_of: Callable[..., GameRecord], variant: str, map_name: str
) -> None:
    record = replace(record_of(turns=0), variant=load_variant(variant))
    file = json.loads(DIPLOMACY.write(record))
    assert file["map"] == map_name
    assert file["daide"]["variant"] == variant

"""What tells dipcc's files, those of its document and those of the package apart."""

import json
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from daide_server.formats.phase_json.dialects import DIPCC as DIPCC
from daide_server.formats.phase_json.dialects import DIPCC_LITERAL as DIPCC_LITERAL
from daide_server.formats.phase_json.dialects import DIPLOMACY as DIPLOMACY
from daide_server.formats.phase_json.extension import DOCUMENT_SYSTEMS
from daide_server.records.record import GameRecord
from daide_server.storage.variants import load_variant

# What dipcc wants otherwise than the `diplomacy` package


# dipcc's JSON as its document has it: every scoring system under its own name


@pytest.mark.parametrize("system", DOCUMENT_SYSTEMS)
def test_the_scoring_systems_of_the_document_are_written(
    record_of: Callable[..., GameRecord], system: str
) -> None:
    record = replace(record_of(turns=1), metadata={"scoring_system": system})
    assert json.loads(DIPCC_LITERAL.write(record))["scoring_system"] == system


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

"""Chains of fleets."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daide_server.board.map import Variant
from daide_server.board.names import Province
from daide_server.judge.compiled_orders import tables_of
from daide_server.judge.fleet_chains import is_useful, joined
from daide_server.judge.legality import MovementLegality
from daide_server.storage.variants import load_variant
from tests.judge.random_turns import turn


def places(variant: Variant, text: str) -> list[int]:
    return [variant.map.index[Province(name)] for name in text.split()]


@pytest.mark.parametrize(
    ("start", "end", "seas", "expected"),
    [
        ("LON", "BEL", "NTH", True),
        ("LON", "BEL", "ECH", True),
        ("LON", "TUN", "ECH MAO WES", True),
        ("LON", "TUN", "ECH WES", False),
        ("LON", "PAR", "ECH", False),
        ("LON", "BEL", "", False),
        ("MOS", "BEL", "NTH", False),
    ],
)
def test_joined(
    standard: Variant, start: str, end: str, seas: str, *, expected: bool
) -> None:
    tables = tables_of(standard.map)
    (one,), (other,) = places(standard, start), places(standard, end)
    assert joined(tables, one, other, places(standard, seas)) is expected
    assert joined(tables, other, one, places(standard, seas)) is expected


@pytest.mark.parametrize(
    ("start", "end", "seas", "sea", "expected"),
    [
        ("LON", "BEL", "ECH IRI", "ECH", True),
        ("LON", "BEL", "ECH IRI", "IRI", False),
        ("MAR", "SPA", "GOL WES", "WES", False),
        ("LVP", "EDI", "IRI ECH NTH NAO NWG", "ECH", True),
    ],
)
def test_useful_fleets(  # noqa: PLR0913 - a table
    standard: Variant, start: str, end: str, seas: str, sea: str, *, expected: bool
) -> None:
    one, other, fleet = places(standard, f"{start} {end} {sea}")
    at = places(standard, seas)
    assert is_useful(tables_of(standard.map), one, other, at, fleet) is expected


STANDARD = load_variant("standard")


@given(st.integers(min_value=0))
@settings(deadline=None, max_examples=25)
def test_landings_are_the_coasts_that_a_search_joins(seed: int) -> None:
    """Where a unit supports the army, its own fleet has no part in it (4.A.1)."""
    tables = tables_of(STANDARD.map)
    legality = MovementLegality(tables, turn(STANDARD.map, Random(seed))[0].units)
    coasts = set(range(len(tables.provinces)))
    for army in (unit for unit in legality.at.values() if unit.army):
        start = army.province
        for supporter in (-1, *legality.at):
            left = legality.seas - {supporter}
            assert legality.fleets.landings(start, supporter) == {
                to for to in coasts - {start} if joined(tables, start, to, left)
            }

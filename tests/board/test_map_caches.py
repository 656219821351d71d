"""What is made for each map is kept for a limited number of maps."""

import gc
from collections.abc import Callable
from weakref import ref

import pytest
from attrs import evolve

from daide_server.advice.values import Values
from daide_server.board.map import MAPS_KEPT, Map, Variant
from daide_server.board.names import Power
from daide_server.judge.possible import possible_orders
from daide_server.library.pictures import load_picture
from daide_server.library.variants import load_variant, variant_names
from daide_server.records.formats.diplobn.schema import board_names
from daide_server.records.formats.phase_json.lenient_orders import names_on
from daide_server.records.formats.phase_json.map_names import names_of
from daide_server.records.promises.proposals import negotiation


def test_all_shipped_maps_are_kept() -> None:
    assert len(variant_names()) <= MAPS_KEPT


@pytest.mark.parametrize(
    "ask",
    [
        lambda variant: names_of(variant.map),
        lambda variant: board_names(variant.map),
        lambda variant: negotiation((), variant.map),
        lambda variant: possible_orders(variant.map, variant.start),
        lambda variant: Values(variant.map, variant.start, Power("FRA")).nearby_worth(),
        names_on,
        load_picture,
    ],
)
def test_a_map_that_is_used_no_more_is_forgotten(
    ask: Callable[[Variant], object],
) -> None:
    """So a process that sees ever more maps does not grow."""
    first = _asked_about_a_copy(ask)

    for _ in range(MAPS_KEPT):
        _asked_about_a_copy(ask)
    gc.collect()

    assert first() is None


def _asked_about_a_copy(ask: Callable[[Variant], object]) -> "ref[Map]":
    shipped = load_variant("fva")
    variant = evolve(shipped, map=evolve(shipped.map))
    ask(variant)
    return ref(variant.map)

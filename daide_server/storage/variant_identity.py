"""Variants on the map of a shipped one, under any name."""

from collections.abc import Iterator
from functools import partial

from daide_server.board.position import Position
from daide_server.board.variant import Variant
from daide_server.reports.query_lines import query_line

from .variants import load_variant, variant_names


def start_question(variant: Variant) -> bytes:
    """Return the start as a line that `daide-server adjudicate` reads.

    The line names the shipped variant with the same map, if there is one.
    """
    shipped = start_board(variant)
    if shipped is None:
        return query_line(variant, variant.start)
    return query_line(shipped, _translated(variant, shipped))


def start_board(variant: Variant) -> Variant | None:
    """Return the first shipped variant with the map of *variant*, if there is any."""
    all_shipped = map(load_variant, _shipped_names())
    return next(filter(partial(same_map, variant), all_shipped), None)


def _shipped_names() -> Iterator[str]:
    """Yield the names of the shipped variants, the standard one first."""
    yield "standard"
    yield from variant_names()


def same_map(variant: Variant, shipped: Variant) -> bool:
    """Return whether both have the same map, and *shipped* has all powers of *variant*.

    Powers are compared by their full names: abbreviations may differ.
    """
    titles = {variant.titles[power].casefold() for power in variant.map.powers}
    return (
        variant.map.neighbours.keys() == shipped.map.neighbours.keys()
        and all(
            set(places) == set(shipped.map.neighbours[node])
            for node, places in variant.map.neighbours.items()
        )
        and variant.map.centres == shipped.map.centres
        and titles <= {shipped.titles[power].casefold() for power in shipped.map.powers}
    )


def _translated(variant: Variant, shipped: Variant) -> Position:
    """Return the start of *variant* with the powers of *shipped* of the same names."""
    by_title = {shipped.titles[power].casefold(): power for power in shipped.map.powers}
    powers = {
        power: by_title[variant.titles[power].casefold()]
        for power in variant.map.powers
    }
    units = (
        shipped.map.unit(powers[unit.power], unit.type, unit.location)
        for unit in variant.start.units
    )
    owners = {at: powers[power] for at, power in variant.start.owners.items()}
    return Position(
        turn=variant.start.turn,
        units=tuple(sorted(units, key=shipped.map.sort_key)),
        owners={at: owners[at] for at in shipped.map.provinces if at in owners},
    )

"""Boards on the map of one of ours, whatever they are called."""

from collections.abc import Iterator
from functools import partial

from daide_server.board.position import Position
from daide_server.board.variant import Variant
from daide_server.reports.query_lines import query_line

from .variants import load_variant, variant_names


def start_question(variant: Variant) -> bytes:
    """Return the start as a line that `adjudicate` reads.

    It names the board of ours that has the same map, if there is one.
    """
    ours = next(filter(partial(same_map, variant), map(load_variant, _ours())), None)
    if ours is None:
        return query_line(variant, variant.start)
    return query_line(ours, _moved(variant, ours))


def _ours() -> Iterator[str]:
    """Yield the names of our variants, the standard one first."""
    yield "standard"
    yield from variant_names()


def same_map(variant: Variant, ours: Variant) -> bool:
    """Return whether both have the same places, and *ours* all powers of the other."""
    theirs = {variant.titles[power].casefold() for power in variant.map.powers}
    return (
        variant.map.neighbours.keys() == ours.map.neighbours.keys()
        and all(
            set(places) == set(ours.map.neighbours[standing])
            for standing, places in variant.map.neighbours.items()
        )
        and variant.map.centres == ours.map.centres
        and theirs <= {ours.titles[power].casefold() for power in ours.map.powers}
    )


def _moved(variant: Variant, ours: Variant) -> Position:
    """Return the start of *variant* with the powers of *ours* that are called so."""
    called = {ours.titles[power].casefold(): power for power in ours.map.powers}
    powers = {
        power: called[variant.titles[power].casefold()] for power in variant.map.powers
    }
    units = (
        ours.map.unit(powers[unit.power], unit.type, unit.location)
        for unit in variant.start.units
    )
    owners = {at: powers[power] for at, power in variant.start.owners.items()}
    return Position(
        turn=variant.start.turn,
        units=tuple(sorted(units, key=ours.map.sort_key)),
        owners={at: owners[at] for at in ours.map.provinces if at in owners},
    )

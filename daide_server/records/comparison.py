"""What a record says and what follows from its orders: where they are not the same.

Everything is compared as text, in the words of the file; the order is no difference.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from attrs import frozen

from daide_server.board.names import Power
from daide_server.board.orders import Waive
from daide_server.board.position import Position
from daide_server.board.results import Report
from daide_server.formats.phase_json.map_names import Names
from daide_server.formats.phase_json.result_words import VOID_WORD, results_of

from .record import PlayedTurn

NO_UNIT: Final = "-"
"""In the place of a power, for what concerns the whole board."""


@frozen
class Contrast:
    """One thing of a power that is not recorded as it is adjudicated."""

    power: str
    what: str
    recorded: str
    adjudicated: str
    known: bool = False
    """Whether that is a known way of other recorders."""


def units(
    names: Names, recorded: Position, after: Position, *, removing: bool
) -> Iterator[Contrast]:
    """Yield the powers whose units are not the same, the dislodged included.

    If *removing*, those that have no retreat may be gone at once.
    """
    if _same_units(recorded, after):
        return
    for power, text in names.powers.items():
        here, there = (_unit_texts(names, each, power) for each in (recorded, after))
        gone = _lost(names, after, power) - here if removing else set()
        for unit in sorted(gone):
            yield Contrast(text, unit, "removed", "dislodged", known=True)
        yield from _contrast(text, "units", here, there - gone)


def _same_units(one: Position, other: Position) -> bool:
    return one.units == other.units and one.dislodged.keys() == other.dislodged.keys()


def _unit_texts(names: Names, position: Position, power: Power) -> set[str]:
    standing = {names.unit_text(unit) for unit in position.units_of(power)}
    dislodged = position.dislodged_of(power)
    return standing | {f"*{names.unit_text(unit)}" for unit in dislodged}


def _lost(names: Names, position: Position, power: Power) -> set[str]:
    """Return the dislodged units without a retreat."""
    return {
        f"*{names.unit_text(unit)}"
        for unit in position.dislodged_of(power)
        if not position.dislodged[unit]
    }


def centers(names: Names, recorded: Position, after: Position) -> Iterator[Contrast]:
    """Yield the powers whose centres are not the same."""
    if recorded.owners == after.owners:
        return
    for power, text in names.powers.items():
        here, there = (
            [names.provinces[place] for place in position.centres_of(power)]
            for position in (recorded, after)
        )
        yield from _contrast(text, "centers", here, there)


def retreats(names: Names, recorded: Position, after: Position) -> Iterator[Contrast]:
    """Yield the units, dislodged in both, that may not retreat to the same places."""
    for unit, places in recorded.dislodged.items():
        expected = after.dislodged.get(unit)
        if expected is not None:
            yield from _contrast(
                names.powers[unit.power],
                f"retreats of {names.unit_text(unit)}",
                [names.location_text(place) for place in places],
                [names.location_text(place) for place in expected],
                known=set(places) > set(expected),
            )


def results(
    names: Names, turn: PlayedTurn, reports: Sequence[Report]
) -> Iterator[Contrast]:
    """Yield the units whose results in *turn* are not those of *reports*."""
    recorded = results_of(turn.reports, turn.orders)
    adjudicated = results_of(reports, turn.orders)
    if recorded == adjudicated:
        return
    ordered = {each.unit for each in turn.orders if not isinstance(each, Waive)}
    for unit in {**recorded, **adjudicated}:
        if recorded.get(unit) == [VOID_WORD] and unit not in ordered:
            continue  # The order was one that a file cannot hold.
        yield from _contrast(
            names.powers[unit.power],
            f"result of {names.unit_text(unit)}",
            recorded.get(unit, [NO_UNIT]),
            adjudicated.get(unit, [NO_UNIT]),
        )


def _contrast(
    power: str,
    what: str,
    recorded: Collection[str],
    adjudicated: Collection[str],
    *,
    known: bool = False,
) -> Iterator[Contrast]:
    here, there = sorted(recorded), sorted(adjudicated)
    if here != there:
        yield Contrast(power, what, _listed(here), _listed(there), known)


def _listed(texts: list[str]) -> str:
    return f"[{', '.join(texts)}]"

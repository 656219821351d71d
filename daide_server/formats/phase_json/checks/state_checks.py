"""Checks of the state of a phase: units, owners of centres, retreats."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from daide_server.formats.faults import (
    RecordFault,
    entries,
    fault_if_unparsable,
    members,
    shown,
    wrong_kind,
)

from .raw_phase import RawPhase

TABLES: Final = (
    "units",
    "centers",
    "retreats",
    "builds",
    "homes",
    "influence",
    "civil_disorder",
)
REQUIRED: Final = ("units", "centers")


def state_faults(phase: RawPhase) -> Iterator[RecordFault]:
    """Yield the faults of the state of *phase*."""
    place, state = f"{phase.place}.state", phase.state
    if state.get("name") != phase.held.get("name"):
        yield RecordFault(f"{place}.name", f"found {shown(state.get('name'))}")
    for table in TABLES:
        held = state.get(table)
        if isinstance(held, dict) and all(map(phase.knows, held)):
            continue  # as nearly always
        if table in state or table in REQUIRED:
            yield from wrong_kind(f"{place}.{table}", held, dict)
        for where, power, _ in entries(f"{place}.{table}", state.get(table)):
            if power not in phase.names.absent:
                yield from fault_if_unparsable(where, phase.names.power, power)
    if "rules" in state:
        yield from wrong_kind(f"{place}.rules", state["rules"], list)
    yield from _units(phase)
    yield from _centres(phase)
    yield from _homes(phase)
    yield from _retreats(phase)


def _units(phase: RawPhase) -> Iterator[RecordFault]:
    names = phase.names
    taken: Counter[str] = Counter()
    for at, power, text in phase.unit_texts:
        if phase.knows(power):
            owner = names.power(power)
            yield from fault_if_unparsable(
                at, names.unit, owner, text.removeprefix("*")
            )
        if not text.startswith("*"):
            taken[text[2:5]] += 1
        elif not phase.is_retreat:
            yield RecordFault(at, f"found {text} outside of a retreat phase")
    for province, count in taken.items():
        if count > 1:
            yield RecordFault(
                f"{phase.place}.state.units", f"found {count} units in {province}"
            )


def _centres(phase: RawPhase) -> Iterator[RecordFault]:
    place = f"{phase.place}.state.centers"
    owned: Counter[str] = Counter()
    for where, _, centres in entries(place, phase.state.get("centers")):
        for at, centre in members(where, centres):
            yield from fault_if_unparsable(at, phase.names.centre, str(centre))
            owned[str(centre)] += 1
    for centre, count in owned.items():
        if count > 1:
            yield RecordFault(place, f"found {centre} {count} times")


def _homes(phase: RawPhase) -> Iterator[RecordFault]:
    for where, _, homes in entries(
        f"{phase.place}.state.homes", phase.state.get("homes")
    ):
        if isinstance(homes, list) and all(map(phase.is_centre, homes)):
            continue  # as nearly always
        yield from wrong_kind(where, homes, list)
        for at, home in members(where, homes):
            yield from fault_if_unparsable(at, phase.names.location, str(home))


def _retreats(phase: RawPhase) -> Iterator[RecordFault]:
    """Compare the units in the retreats with those that have a star."""
    starred = {
        (power, text[1:]) for _, power, text in phase.unit_texts if text.startswith("*")
    }
    place = f"{phase.place}.state.retreats"
    listed = set()
    for where, power, retreats in entries(place, phase.state.get("retreats")):
        for at, unit, places in entries(where, retreats):
            listed.add((power, unit))
            for each, location in members(at, places):
                yield from fault_if_unparsable(
                    each, phase.names.location, str(location)
                )
    for power, unit in sorted(starred ^ listed):
        how = "without its star" if (power, unit) in listed else "not at all"
        yield RecordFault(place, f"found {power} {unit} {how}, or the other way round")

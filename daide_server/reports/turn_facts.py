"""What happened to centres and units in a turn, as facts for its headline."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from attrs import frozen

from daide_server.board.names import Power, Province
from daide_server.board.orders import (
    Build,
    ConvoyedMove,
    Disband,
    Move,
    Remove,
    Retreat,
    owner,
)
from daide_server.board.position import Position
from daide_server.board.results import OrderResult, Report
from daide_server.board.turns import Phase
from daide_server.records.record import PlayedTurn
from daide_server.records.turn_results import TurnResults

from .words import BoardWords, counted, listed, number

QUIET: Final = 10
"""The weight up to which a fact is no news."""
MAX_NAMED: Final = 3
"""Places or powers that a fact names; the others are counted."""

Conquests = Mapping[tuple[Power, Power | None], list[Province]]
"""The centres that a power took from another, or from nobody."""


@frozen
class Fact:
    """Something that happened; facts of more weight come first."""

    weight: int
    text: str
    centres: int = 0
    """How many centres changed hands by it."""


def conquests(before: Position, after: Position) -> Conquests:
    """Return the centres that each power took, by their owners before."""
    found: dict[tuple[Power, Power | None], list[Province]] = defaultdict(list)
    if before.owners is not after.owners:
        for province, power in after.owners.items():
            was = before.owners.get(province)
            if was != power:
                found[power, was].append(province)
    return found


def centre_facts(
    words: BoardWords,
    taken: Conquests,
    after: Position,
    broken: Mapping[tuple[Power, Power], str],
) -> Iterator[Fact]:
    """Yield who took what from whom, and whom that eliminated.

    *broken* says how long after which agreement a power broke it.
    """
    alive = set(after.owners.values())
    told: set[Power] = set()
    for (taker, victim), places in sorted(
        taken.items(), key=lambda each: -len(each[1])
    ):
        text = f"{words.power(taker)} takes {words.places(places, MAX_NAMED)}"
        if victim is None:
            yield Fact(30 + len(places), text, len(places))
            continue
        weight, text = 60 + len(places), f"{text} from {words.power(victim)}"
        since = broken.get((taker, victim))
        if since is not None:
            weight, text = weight + 10, f"{text}, {since}"
        if victim not in alive and victim not in told:
            told.add(victim)
            weight, text = weight + 20, f"{text}, which is eliminated"
        yield Fact(weight, text, len(places))


def unit_facts(
    words: BoardWords, turn: PlayedTurn, results: TurnResults, after: Position
) -> Iterator[Fact]:
    """Yield what units did in *turn*; one fact at least."""
    match turn.position.turn.phase:
        case Phase.MOVEMENT:
            yield from _driven_out(words, results, after)
            yield from _entered(words, turn.position, results, after)
            yield from _bounced(words, results.reports)
            yield _moved(turn.position, results.reports)
        case Phase.RETREATS:
            yield from _retreated(words, results.reports)
        case Phase.ADJUSTMENTS:
            yield from _adjusted(words, results.reports)


def _driven_out(
    words: BoardWords, results: TurnResults, after: Position
) -> Iterator[Fact]:
    there = {unit.province: unit.power for unit in after.units}
    found: dict[tuple[Power, Power], list[Province]] = defaultdict(list)
    for unit in sorted(results.dislodged, key=words.variant.map.sort_key):
        taker = there.get(unit.province)
        if taker is not None and taker != unit.power:
            found[taker, unit.power].append(unit.province)
    for (taker, victim), places in found.items():
        text = f"{words.power(taker)} drives {words.power(victim)} out of "
        yield Fact(40 + len(places), text + words.places(places, MAX_NAMED))


def _entered(
    words: BoardWords, before: Position, results: TurnResults, after: Position
) -> Iterator[Fact]:
    """Yield who entered centres of others without a fight."""
    was = {unit.province: unit.power for unit in before.units}
    fallen = {unit.province for unit in results.dislodged}
    found: dict[tuple[Power, Power | None], list[Province]] = defaultdict(list)
    for unit in after.units:
        place, holder = unit.province, after.owners.get(unit.province)
        is_new = was.get(place) != unit.power and place not in fallen
        if is_new and place in words.variant.map.centres and holder != unit.power:
            found[unit.power, holder].append(place)
    for (power, holder), places in found.items():
        text = f"{words.power(power)} enters {words.places(places, MAX_NAMED)}"
        if holder is None:
            yield Fact(15 + len(places), text)
        else:
            yield Fact(35 + len(places), f"{text}, owned by {words.power(holder)}")


def _bounced(words: BoardWords, reports: Iterable[Report]) -> Iterator[Fact]:
    at: dict[Province, set[Power]] = defaultdict(set)
    for report in reports:
        if isinstance(report.order, Move | ConvoyedMove) and (
            report.result is OrderResult.BOUNCED
        ):
            at[report.order.destination.province].add(owner(report.order))
    found: dict[tuple[Power, ...], list[Province]] = defaultdict(list)
    for place, powers in at.items():
        if len(powers) > 1:
            found[tuple(words.in_order(powers))].append(place)
    for between, places in found.items():
        where = words.places(places, MAX_NAMED)
        yield Fact(QUIET, f"{words.powers(between, MAX_NAMED)} bounce in {where}")


def _moved(before: Position, reports: Iterable[Report]) -> Fact:
    count = sum(
        isinstance(report.order, Move | ConvoyedMove)
        and report.result is OrderResult.SUCCEEDED
        for report in reports
    )
    if not count:
        return Fact(0, "no unit moves")
    verb = "moves" if count == 1 else "move"
    return Fact(0, f"{count} of {counted(len(before.units), 'unit')} {verb}")


def _retreated(words: BoardWords, reports: Iterable[Report]) -> Iterator[Fact]:
    fled: dict[Power, list[Province]] = defaultdict(list)
    lost: dict[Power, list[Province]] = defaultdict(list)
    for report in reports:
        order = report.order
        if isinstance(order, Retreat) and report.result is OrderResult.SUCCEEDED:
            fled[order.unit.power].append(order.destination.province)
        elif isinstance(order, Retreat | Disband):
            lost[order.unit.power].append(order.unit.province)
    for power, places in lost.items():
        units = "its unit" if len(places) == 1 else "its units"
        where = words.places(places, MAX_NAMED)
        yield Fact(20, f"{words.power(power)} loses {units} in {where}")
    for power, places in fled.items():
        where = words.places(places, MAX_NAMED)
        yield Fact(12, f"{words.power(power)} retreats to {where}")
    yield Fact(0, "no unit retreats")


def _adjusted(words: BoardWords, reports: Iterable[Report]) -> Iterator[Fact]:
    done = [each for each in reports if each.result is OrderResult.SUCCEEDED]
    for kind, verb, weight in ((Build, "build", 13), (Remove, "remove", 12)):
        counts = Counter(
            owner(each.order) for each in done if isinstance(each.order, kind)
        )
        powers: dict[int, list[Power]] = defaultdict(list)
        for power, count in counts.most_common():
            powers[count].append(power)
        told = [
            f"{words.powers(some)} {verb} {number(count)}"
            if len(some) > 1
            else f"{words.powers(some)} {verb}s {number(count)}"
            for count, some in powers.items()
        ]
        if told:
            yield Fact(weight, listed(told))
    yield Fact(0, "nothing is built")

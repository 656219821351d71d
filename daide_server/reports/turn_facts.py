"""What happened in a turn: to centres and units, and whose word was kept or broken.

The facts of centres and units are for headlines, the promises for reports as well.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from attrs import frozen

from daide_server.board.map import Phase, Position, Turn
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
from daide_server.board.results import OrderResult, Report
from daide_server.formats.phase_json.map_names import Names
from daide_server.promises.arrangements import (
    AllianceAgainst,
    Demilitarised,
    DrawAmong,
    OrderGiven,
    PeaceAmong,
)
from daide_server.promises.findings import Verdict
from daide_server.promises.study import Promise, pair_counts, promises
from daide_server.records.record import GameRecord, PlayedTurn
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


class PromiseFacts:
    """The promises of one game, by turn."""

    def __init__(self, found: Sequence[Promise], words: BoardWords) -> None:
        """Tell the promises *found* in a game."""
        self._words: Final = words
        self._agreed: Final[dict[Turn, dict[str, None]]] = defaultdict(dict)
        self._decided: Final[dict[tuple[Turn, Verdict], list[Promise]]] = defaultdict(
            list
        )
        known: set[str] = set()
        for promise in found:
            agreed, finding = promise.proposal.agreed, promise.finding
            text = self._agreement(promise)
            if agreed is not None and text and text not in known:
                known.add(text)
                self._agreed[agreed][text] = None
            if finding.turn is not None:
                self._decided[finding.turn, finding.verdict].append(promise)

    def _agreement(self, promise: Promise) -> str:
        """Return that powers made peace or an alliance; nothing of all else."""
        names = self._names
        match promise.clause.arrangement:
            case PeaceAmong(powers):
                return f"{names(self._words.in_order(powers))} make peace"
            case AllianceAgainst(allies, enemies):
                who = names(self._words.in_order(allies))
                return f"{who} ally against {names(self._words.in_order(enemies))}"
            case _:
                return ""

    def agreed(self, turn: Turn) -> Iterator[Fact]:
        """Yield the peace and the alliances that were made in *turn*, once each."""
        for text in self._agreed.get(turn, ()):
            yield Fact(50, text)

    def kept(self, turn: Turn) -> Iterator[Fact]:
        """Yield whose orders kept its word in *turn*."""
        kept = self._decided.get((turn, Verdict.KEPT), ())
        given = (each for each in kept if _is_order(each))
        for power, to in dict.fromkeys((each.power, each.to) for each in given):
            yield Fact(11, f"{self._name(power)} keeps its word to {self._names(to)}")

    def broken(self, turn: Turn, taken: Conquests) -> Iterator[Fact]:
        """Yield whose orders broke its word in *turn*, if no conquest tells it."""
        broken = self._decided.get((turn, Verdict.BROKEN), ())
        told: dict[str, int] = {}
        for each in broken:
            if not any((each.power, other) in taken for other in _partners(each)):
                text, weight = self._breach(each)
                told[text] = weight
        orders = Counter((each.power, each.to) for each in broken if _is_order(each))
        for (power, to), count in orders.items():
            what = counted(count, "promised order")
            told[f"{self._name(power)} fails to give {self._names(to)} {what}"] = 44
        told.pop("", None)
        for text, weight in told.items():
            yield Fact(weight, text)

    def _breach(self, each: Promise) -> tuple[str, int]:
        """Return what is said of a broken promise, and its weight."""
        who, whom = self._name(each.power), self._names(each.to)
        match each.clause.arrangement:
            case PeaceAmong():
                return f"{who} breaks its peace with {whom}", 58
            case AllianceAgainst():
                return f"{who} turns on its ally {whom}", 58
            case Demilitarised(_, provinces):
                where = self._words.places(provinces, MAX_NAMED)
                return f"{who} breaks its word to {whom} to stay out of {where}", 45
            case DrawAmong():
                return f"{who} does not vote for the draw that it agreed on", 45
            case OrderGiven():
                return "", 0
            case _:
                return f"{who} breaks its word to {whom}", 44

    def breaches(
        self, turn: Turn, turns: Sequence[PlayedTurn]
    ) -> Mapping[tuple[Power, Power], str]:
        """Return who broke peace with whom in *turn*: how long after it was made."""
        found: dict[tuple[Power, Power], str] = {}
        for each in self._decided.get((turn, Verdict.BROKEN), ()):
            is_peace = isinstance(each.clause.arrangement, PeaceAmong)
            for other in _partners(each):
                assert each.proposal.agreed is not None, "what is broken was agreed"
                since = _since(each.proposal.agreed, turn, turns)
                name = "peace" if is_peace else "alliance"
                found[each.power, other] = f"{since} their {name}"
        return found

    def _name(self, power: Power) -> str:
        return self._words.power(power)

    def _names(self, powers: Sequence[Power]) -> str:
        return self._words.powers(powers, MAX_NAMED)


def _is_order(promise: Promise) -> bool:
    return isinstance(promise.clause.arrangement, OrderGiven)


def _partners(promise: Promise) -> Sequence[Power]:
    """Return the powers with which *promise* makes peace or an alliance."""
    match promise.clause.arrangement:
        case PeaceAmong(powers) | AllianceAgainst(powers):
            return [power for power in powers if power != promise.power]
        case _:
            return ()


def _since(agreed: Turn, now: Turn, turns: Sequence[PlayedTurn]) -> str:
    """Return how many movement turns *now* is after *agreed*."""
    count = sum(
        agreed <= each.position.turn < now
        and each.position.turn.phase is Phase.MOVEMENT
        for each in turns
    )
    return f"{counted(count, 'turn')} after" if count else "in the very turn of"


_COLUMN: Final = 12
_HEADING: Final = "promises of .. to .."


def promise_report(record: GameRecord, names: Names) -> Iterator[str]:
    """Yield the promises of a game line by line; nothing if there were none."""
    found = [each for each in promises(record) if each.proposal.agreed is not None]
    if found:
        yield from ("", "Promises")
        yield from (f"  {_line(each, names)}" for each in found)
        yield from _pairs(found, names)


def _line(promise: Promise, names: Names) -> str:
    finding = promise.finding
    when = names.phase_text(promise.proposal.turn)
    to = ", ".join(names.powers.get(power, power) for power in promise.to)
    power = names.powers.get(promise.power, promise.power)
    decided = f" in {names.phase_text(finding.turn)}" if finding.turn else ""
    why = f": {finding.reason}" if finding.reason else ""
    verdict = f"{finding.verdict.value}{decided}{why}"
    return f"{when} {power} to {to}: {promise.clause.text} - {verdict}"


def _pairs(found: Sequence[Promise], names: Names) -> Iterator[str]:
    counts = pair_counts(found)
    width = max((len(_pair(pair, names)) for pair in counts), default=0)
    width = max(width, len(_HEADING))
    heading = "".join(f"{verdict.value:>{_COLUMN}}" for verdict in Verdict)
    yield ""
    yield f"  {_HEADING:{width}}{heading}"
    for pair, verdicts in counts.items():
        cells = "".join(f"{verdicts[each] or '-':>{_COLUMN}}" for each in Verdict)
        yield f"  {_pair(pair, names):{width}}{cells}"


def _pair(pair: tuple[Power, Power], names: Names) -> str:
    of, to = (names.powers.get(power, power) for power in pair)
    return f"{of} to {to}"

"""The story of a game by rules: a headline for each turn, and one for the game.

A headline has the few most important facts of a turn: how the game ended, who was
eliminated, who took centres from whom, who broke a promise, who made peace, who was
dislodged. Everything follows from the record, with the press that it has; what must not
be shown is removed before (`records.secrecy`).
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from attrs import frozen

from daide_server.board import orders
from daide_server.board.map import Phase, Position, Turn
from daide_server.board.names import Power, Province
from daide_server.board.orders import owner
from daide_server.board.results import OrderResult, Report
from daide_server.records.formats.errors import shortened
from daide_server.records.promises import arrangements
from daide_server.records.promises.study import Promise, promises
from daide_server.records.promises.verdicts import Verdict
from daide_server.records.record import Ending, GameRecord, PlayedTurn
from daide_server.records.turn_results import TurnResults, turn_results

from .words import BoardWords, capital, counted, listed, number, turn_title, words_of

MAX_FACTS = 3
"""Maximum facts in a headline."""
MAX_CHARACTERS = 240
"""Characters of the facts in a headline; a single fact may have twice as many."""
LEADERS_NAMED = 3
"""Powers that are named as leading or winning together; more are counted."""
QUIET = 10
"""The greatest weight of a fact that is not news."""
MAX_NAMED = 3
"""Places or powers that a fact names; the others are counted."""

Conquests = Mapping[tuple[Power, Power | None], list[Province]]
"""The centres that a power took from another, or from nobody."""


@frozen
class Fact:
    """Something that happened; facts of more weight come first."""

    weight: int
    """100: the end; 60 and more: centres taken from a power; 40 to 59: agreements,
    broken promises, units driven out; below: other news; up to `QUIET`: no news."""
    text: str
    centres: int = 0
    """The number of centres that changed hands."""


@frozen
class Headline:
    """The events of a turn; `quiet` if they are not news."""

    turn: Turn
    text: str
    quiet: bool


def headlines(
    record: GameRecord, found: Sequence[Promise] | None = None
) -> tuple[Headline, ...]:
    """Return the headline of each turn that was played.

    *found* are the promises of *record*, if they are known. A last turn in whose middle
    the game ended has a headline, too.
    """
    if found is None:
        found = promises(record) if record.messages else ()
    return tuple(_Story(record, found).told())


def game_headline(record: GameRecord, *, running: bool = False) -> str:
    """Return the state of the game, or how it ended, and when.

    Such as `Turkey leads with 8, Fall 1905`.
    """
    words, last = words_of(record.variant), record.last
    if running:
        led = capital(_leaders(last, words, "lead"))
        return f"{led}, {turn_title(last.turn)}"
    played = record.turns[-1].position.turn if record.turns else last.turn
    return f"{capital(_result(record, words))}, {turn_title(played)}"


def _result(record: GameRecord, words: BoardWords) -> str:
    led = _leaders(record.last, words, "led")
    match record.ending:
        case Ending.SOLO if record.winners:
            return _solo(record, words)
        case Ending.DRAW if record.winners:
            return f"{_draw(record.winners, words)}, {led}"
        case Ending.YEAR_LIMIT:
            return f"{led} at the year limit"
        case Ending.STALEMATE:
            return f"Stalemate, {led}"
        case None:
            return f"Not finished, {led}"
        case _:
            return f"{record.ending.value}, {led}"


def _solo(record: GameRecord, words: BoardWords) -> str:
    count = len(record.last.centres_of(record.winners[0]))
    return f"{words.powers(record.winners)} wins with {count}"


def _draw(winners: Sequence[Power], words: BoardWords) -> str:
    if len(winners) > LEADERS_NAMED:
        return f"{number(len(winners))} powers draw"
    return f"{words.powers(winners)} draw{'s' if len(winners) == 1 else ''}"


def _leaders(position: Position, words: BoardWords, verb: str) -> str:
    """Return who has the most centres, and how many; *verb* is `lead` or `led`."""
    counts = Counter(position.owners.values())
    most = max(counts.values(), default=0)
    first = words.in_order(power for power in counts if counts[power] == most)
    if not first:
        return "nobody owns a centre"
    if len(first) > LEADERS_NAMED:
        return f"{number(len(first))} powers {verb} with {most}"
    third = "s" if verb == "lead" and len(first) == 1 else ""
    return f"{words.powers(first)} {verb}{third} with {most}"


class _Story:
    """Tells one game, turn after turn."""

    def __init__(self, record: GameRecord, found: Sequence[Promise]) -> None:
        self._record: Final = record
        self._words: Final = words_of(record.variant)
        self._promises: Final = PromiseFacts(found, self._words)
        self._broken: dict[tuple[Power, Power], str] = {}
        """The breaches of peace and alliances in this year; the text says how soon."""

    def told(self) -> Iterator[Headline]:
        record, end = self._record, list(self._end())
        positions = record.positions[1:]
        for (turn, results), after in zip(turn_results(record), positions, strict=True):
            facts = list(self._facts(turn, results, after))
            is_last = turn is record.turns[-1] and not record.is_last_turn_open
            yield _headline(turn.position.turn, [*facts, *(end if is_last else ())])
        if record.is_last_turn_open and end:
            turn_of_end = record.last.turn
            yield _headline(turn_of_end, [*end, *self._promises.agreed(turn_of_end)])

    def _facts(
        self, turn: PlayedTurn, results: TurnResults, after: Position
    ) -> Iterator[Fact]:
        before, now, told = turn.position, turn.position.turn, self._promises
        self._broken |= told.breaches(now, self._record.turns)
        taken = conquests(before, after)
        yield from centre_facts(self._words, taken, after, self._broken)
        yield from told.broken(now, taken)
        yield from told.agreed(now)
        yield from told.kept(now)
        yield from unit_facts(self._words, turn, results, after)
        if after.turn.year != now.year:
            self._broken = {}

    def _end(self) -> Iterator[Fact]:
        """Yield how the game ended, if it did."""
        record, words = self._record, self._words
        match record.ending:
            case None:
                return
            case Ending.SOLO if record.winners:
                text = f"{_solo(record, words)} centres"
            case Ending.DRAW if record.winners:
                text = _draw(record.winners, words)
            case Ending.YEAR_LIMIT:
                led = _leaders(record.last, words, "led")
                text = f"the game ends at the year limit, {led}"
            case Ending.STALEMATE:
                led = _leaders(record.last, words, "led")
                text = f"the game ends by stalemate, {led}"
            case _:
                text = f"the game ends: {record.ending.value}"
        yield Fact(100, text)


def _headline(turn: Turn, facts: Iterable[Fact]) -> Headline:
    """Return the headline of the facts that weigh most."""
    ordered = sorted(facts, key=lambda each: -each.weight)
    news = [each for each in ordered if each.weight > QUIET]
    told = news or [each for each in ordered if each.weight] or ordered
    shown = told[:1]
    for each in told[1:MAX_FACTS]:
        if sum(len(fact.text) for fact in (*shown, each)) <= MAX_CHARACTERS:
            shown.append(each)
    texts = [each.text for each in shown]
    rest = sum(each.centres for each in ordered) - sum(each.centres for each in shown)
    if rest:
        change = "changes" if rest == 1 else "change"
        texts.append(f"{counted(rest, 'more centre')} {change} hands")
    text = shortened(capital("; ".join(texts)), 2 * MAX_CHARACTERS)
    return Headline(turn, text, quiet=not news)


# Facts: what happened to centres and units, and whose word was kept or broken


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
    """Yield the centres taken from others, and the eliminations.

    *broken* has the text that follows, such as `two turns after their peace`.
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
    """Yield the foreign centres that were entered without a fight."""
    was = {unit.province: unit.power for unit in before.units}
    fallen = {unit.province for unit in results.dislodged}
    found: dict[tuple[Power, Power | None], list[Province]] = defaultdict(list)
    for unit in after.units:
        place, owning = unit.province, after.owners.get(unit.province)
        is_new = was.get(place) != unit.power and place not in fallen
        if is_new and place in words.variant.map.centres and owning != unit.power:
            found[unit.power, owning].append(place)
    for (power, owning), places in found.items():
        text = f"{words.power(power)} enters {words.places(places, MAX_NAMED)}"
        if owning is None:
            yield Fact(15 + len(places), text)
        else:
            yield Fact(35 + len(places), f"{text}, owned by {words.power(owning)}")


def _bounced(words: BoardWords, reports: Iterable[Report]) -> Iterator[Fact]:
    at: dict[Province, set[Power]] = defaultdict(set)
    for report in reports:
        if isinstance(report.order, orders.Move | orders.ConvoyedMove) and (
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
        isinstance(report.order, orders.Move | orders.ConvoyedMove)
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
        if isinstance(order, orders.Retreat) and report.result is OrderResult.SUCCEEDED:
            fled[order.unit.power].append(order.destination.province)
        elif isinstance(order, orders.Retreat | orders.Disband):
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
    kinds = ((orders.Build, "build", 13), (orders.Remove, "remove", 12))
    for kind, verb, weight in kinds:
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
        """Use the promises *found* in a game."""
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
        """Return in words an agreed peace or alliance; empty for other arrangements."""
        names = self._names
        match promise.clause.arrangement:
            case arrangements.PeaceAmong(powers):
                return f"{names(self._words.in_order(powers))} make peace"
            case arrangements.AllianceAgainst(allies, enemies):
                who = names(self._words.in_order(allies))
                return f"{who} ally against {names(self._words.in_order(enemies))}"
            case _:
                return ""

    def agreed(self, turn: Turn) -> Iterator[Fact]:
        """Yield the peace and the alliances that were made in *turn*, once each."""
        for text in self._agreed.get(turn, ()):
            yield Fact(50, text)

    def kept(self, turn: Turn) -> Iterator[Fact]:
        """Yield the powers whose orders in *turn* kept a promise."""
        kept = self._decided.get((turn, Verdict.KEPT), ())
        given = (each for each in kept if _is_order(each))
        for power, to in dict.fromkeys((each.power, each.to) for each in given):
            yield Fact(11, f"{self._name(power)} keeps its word to {self._names(to)}")

    def broken(self, turn: Turn, taken: Conquests) -> Iterator[Fact]:
        """Yield the promises broken in *turn* that no conquest mentions already."""
        broken = self._decided.get((turn, Verdict.BROKEN), ())
        told: dict[str, int] = {}
        for each in broken:
            if not any((each.power, other) in taken for other in _partners(each)):
                text, weight = self._breach(each)
                told[text] = weight
        given = Counter((each.power, each.to) for each in broken if _is_order(each))
        for (power, to), count in given.items():
            what = counted(count, "promised order")
            told[f"{self._name(power)} fails to give {self._names(to)} {what}"] = 44
        told.pop("", None)
        for text, weight in told.items():
            yield Fact(weight, text)

    def _breach(self, each: Promise) -> tuple[str, int]:
        """Return the text about a broken promise, and its weight."""
        who, whom = self._name(each.power), self._names(each.to)
        match each.clause.arrangement:
            case arrangements.PeaceAmong():
                return f"{who} breaks its peace with {whom}", 58
            case arrangements.AllianceAgainst():
                return f"{who} turns on its ally {whom}", 58
            case arrangements.Demilitarised(_, provinces):
                where = self._words.places(provinces, MAX_NAMED)
                return f"{who} breaks its word to {whom} to stay out of {where}", 45
            case arrangements.DrawAmong():
                return f"{who} does not vote for the draw that it agreed on", 45
            case arrangements.OrderGiven():
                return "", 0
            case _:
                return f"{who} breaks its word to {whom}", 44

    def breaches(
        self, turn: Turn, turns: Sequence[PlayedTurn]
    ) -> Mapping[tuple[Power, Power], str]:
        """Return the breaches of peace and alliances in *turn*, as text after a fact.

        Such as `two turns after their peace`.
        """
        found: dict[tuple[Power, Power], str] = {}
        for each in self._decided.get((turn, Verdict.BROKEN), ()):
            is_peace = isinstance(each.clause.arrangement, arrangements.PeaceAmong)
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
    return isinstance(promise.clause.arrangement, arrangements.OrderGiven)


def _partners(promise: Promise) -> Sequence[Power]:
    """Return the powers with which *promise* makes peace or an alliance."""
    match promise.clause.arrangement:
        case arrangements.PeaceAmong(powers) | arrangements.AllianceAgainst(powers):
            return [power for power in powers if power != promise.power]
        case _:
            return ()


def _since(agreed: Turn, now: Turn, turns: Sequence[PlayedTurn]) -> str:
    """Return in words the number of movement turns from *agreed* to *now*."""
    count = sum(
        agreed <= each.position.turn < now
        and each.position.turn.phase is Phase.MOVEMENT
        for each in turns
    )
    return f"{counted(count, 'turn')} after" if count else "in the very turn of"

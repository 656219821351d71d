"""What powers agreed on in a turn, and whose word they kept or broke."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from daide_server.board.names import Power
from daide_server.board.turns import Phase, Turn
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

from .turn_facts import MAX_NAMED, Conquests, Fact
from .words import BoardWords, counted


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

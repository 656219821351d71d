"""The story of a game by rules: a headline for each turn, and one for the game.

A headline has the few facts of a turn that weigh most: how the game ended, who was
eliminated, who took centres from whom, who broke its word, who made peace, who was
dislodged (`turn_facts`). All of it follows from the record; press
counts as far as the record has it, so what must not be shown is taken out before
(`records.secrecy`).
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from attrs import frozen

from daide_server.board.map import Position, Turn
from daide_server.board.names import Power
from daide_server.formats.errors import shortened
from daide_server.promises.study import Promise, promises
from daide_server.records.entries import Ending
from daide_server.records.record import GameRecord, PlayedTurn
from daide_server.records.turn_results import TurnResults, turn_results

from .turn_facts import QUIET, Fact, PromiseFacts, centre_facts, conquests, unit_facts
from .words import BoardWords, capital, counted, number, turn_title, words_of

MAX_FACTS: Final = 3
"""Facts in a headline, at most."""
MAX_CHARACTERS: Final = 240
"""Characters of the facts in a headline; a single fact may have twice as many."""
LEADERS_NAMED: Final = 3
"""Powers that are named as leading or winning together; more are counted."""


@frozen
class Headline:
    """What happened in a turn; `quiet` if that is no news."""

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
    """Return what happens in the game, or how it ended, and when.

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
    """Return who has most centres, and how many; *verb* is `lead` or `led`."""
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
        """Who broke peace with whom in this year, and how long after it was made."""

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

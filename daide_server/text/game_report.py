"""A recorded game as text: turn by turn, with reasons, and a table of centres.

The results of orders are adjudicated again, by the rules that the record names.
"""

from collections.abc import Iterable, Iterator, Sequence

from attrs import evolve

from daide_server.board.map import Phase, Position, Season, Turn
from daide_server.board.names import Power
from daide_server.judge.adjudication import adjudicate
from daide_server.judge.rules import DAIDE_RULES, EDITIONS, IllegalOrders
from daide_server.records import record as records
from daide_server.records.formats.errors import shortened
from daide_server.records.formats.phase_json.map_names import Names, names_of
from daide_server.records.promises.study import Promise, pair_counts, promises
from daide_server.records.promises.verdicts import Verdict
from daide_server.records.standings import eliminations
from daide_server.usage import total_usage, usage_text

from .headlines import game_headline, headlines
from .press_words import press_words
from .turn_report import refusal_text, turn_report
from .words import game_name, turn_title

FIRST_COLUMN = 8
"""Characters of the years in the table of centres."""
MAX_NAME_SHOWN = 210
"""Characters of a name that are shown, at most; the server accepts a hundred."""


def game_report(record: records.GameRecord, *, press: bool = False) -> Iterator[str]:
    """Yield the report of *record* line by line; *press* adds press and promises."""
    names = names_of(record.variant.map)
    said = record.press_and_votes if press else ()
    yield from _beginning(record, names)
    rules = EDITIONS.get(record.edition, DAIDE_RULES)
    rules = evolve(rules, illegal_orders=IllegalOrders.REPORTED)
    for turn in record.turns:
        yield from ("", turn_title(turn.position.turn))
        yield from _said(said, names, turn.position.turn)
        result = adjudicate(record.variant, turn.position, turn.orders, rules)
        yield from turn_report(names, turn.position, result, turn.tallies)
        yield from _players(names, turn)
    yield from _unplayed_press(record, said, names)
    yield from ("", _ending(record, names), "")
    yield from centre_table(record)
    if press:
        yield from promise_report(record, names)


def story_report(record: records.GameRecord, *, press: bool = False) -> Iterator[str]:
    """Yield the story of *record* line by line: the headlines of the turns with news.

    *press* adds the press of each turn, in plain English.
    """
    said = record.press_and_votes if press else ()
    words = press_words(record.variant)
    yield f"{game_name(record.id)}: {printable(game_headline(record))}"
    width = max(
        (len(turn_title(each.position.turn)) for each in record.turns), default=0
    )
    for told in headlines(record):
        spoken = [each for each in said if each.turn == told.turn]
        if not told.quiet or spoken:
            yield f"{turn_title(told.turn):{width}}  {printable(told.text)}"
        for each in spoken:
            yield f"{'':{width}}  - {printable(words.sentence(each))}"


def centre_table(record: records.GameRecord) -> Iterator[str]:
    """Yield the centres of each power at the beginning and after each year."""
    powers = record.variant.map.powers
    yield " ".join(["year".ljust(FIRST_COLUMN), *(f"{power:>4}" for power in powers)])
    for year, position in positions_by_year(record).items():
        counts = (len(position.centres_of(power)) for power in powers)
        yield " ".join([year.ljust(FIRST_COLUMN), *(f"{n or '-':>4}" for n in counts)])


def positions_by_year(record: records.GameRecord) -> dict[str, Position]:
    """Return the position that shows the centres after each year that ended."""
    found = {"start": record.positions[0]}
    for turn, after in zip(record.turns, record.positions[1:], strict=True):
        year = turn.position.turn.year
        last = turn.position.turn.season is not Season.SPRING
        if last and turn.position.turn.phase is not Phase.ADJUSTMENTS:
            found[str(year)] = after
    return found


def _beginning(record: records.GameRecord, names: Names) -> Iterator[str]:
    name = _short(record.id) or "without a name"
    yield f"Game {name}, {record.variant.name}"
    yield f"Rules: {_short(record.edition)}; level {record.level}"
    for power, text in names.powers.items():
        sitting = record.sitting(power)
        if sitting is not None:
            player = f"{_short(sitting.name)} {_short(sitting.version)}"
            yield f"  {text:8} {player}".rstrip()
        used = total_usage(
            turn.tallies[power].usage
            for turn in record.turns
            if turn.tallies is not None and power in turn.tallies
        )
        if used is not None:
            yield f"  {'':8} used {printable(usage_text(used))}"
        for each in record.sittings:
            if each.power == power and each.forfeit is not None:
                yield f"  {'':8} forfeited, {_short(each.forfeit)}"


def _short(name: str) -> str:
    return shortened(name, MAX_NAME_SHOWN)


def _players(names: Names, turn: records.PlayedTurn) -> Iterator[str]:
    """Yield lines on players who were late, silent or had orders refused, if any."""
    found = [
        f"{names.powers[power]} {', '.join(words)}"
        for power, tally in (turn.tallies or {}).items()
        if (words := list(_conduct(tally)))
    ]
    if found:
        yield f"  players: {'; '.join(found)}"
    for power, tally in (turn.tallies or {}).items():
        for each in _refusals(tally):
            yield f"    {names.powers[power]} {each}"


def _refusals(tally: records.PlayerTally) -> Iterator[str]:
    """Yield the refused orders that the record has, and the last syntax error."""
    for refused in tally.refused_orders:
        yield f"{refusal_text(refused.note)}: {printable(refused.text)}"
    if tally.last_syntax_error:
        yield f"was answered {printable(tally.last_syntax_error)}"


def _conduct(tally: records.PlayerTally) -> Iterator[str]:
    if tally.silent:
        yield "silent"
    elif tally.late:
        yield "late"
    if tally.refused:
        yield f"{tally.refused} refused"
    if tally.syntax_errors:
        yield f"{tally.syntax_errors} HUH"


def _said(
    said: Iterable[records.PressOrVote], names: Names, turn: Turn | None
) -> Iterator[str]:
    for each in said:
        if each.turn == turn:
            yield f"  {_speech(each, names)}"


def _unplayed_press(
    record: records.GameRecord, said: Sequence[records.PressOrVote], names: Names
) -> Iterator[str]:
    """Yield the press and the votes after the last turn that was played."""
    for turn in (record.last.turn, None):
        lines = list(_said(said, names, turn))
        if lines:
            yield from ("", turn_title(turn) if turn else "After the game", *lines)


def _speech(each: records.PressOrVote, names: Names) -> str:
    if isinstance(each, records.Message):
        to = ", ".join(names.powers[power] for power in each.recipients)
        return f"{names.powers[each.sender]} to {to}: {printable(each.text)}"
    wish = "no longer wants a draw" if each.withdrawn else "wants a draw"
    shared = ", ".join(names.powers[power] for power in each.powers or ())
    return f"{names.powers[each.power]} {wish} {shared}".rstrip()


def printable(text: str) -> str:
    """Return *text* without control characters, which could command a terminal."""
    return "".join(each if each.isprintable() else " " for each in text)


def _ending(record: records.GameRecord, names: Names) -> str:
    if record.ending is None:
        return f"The game goes on: {turn_title(record.last.turn)}"
    powers = ", ".join(names.powers[power] for power in record.winners)
    dead = ", ".join(
        f"{names.powers[power]} {year}" for power, year in eliminations(record).items()
    )
    out = f"; eliminated: {dead}" if dead else ""
    return f"Ended: {record.ending.value} {powers}".rstrip() + out


# Promises

_COLUMN = 12
_HEADING = "promises of .. to .."


def promise_report(record: records.GameRecord, names: Names) -> Iterator[str]:
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
    width = max([len(_HEADING), *(len(_pair(pair, names)) for pair in counts)])
    heading = "".join(f"{verdict.value:>{_COLUMN}}" for verdict in Verdict)
    yield ""
    yield f"  {_HEADING:{width}}{heading}"
    for pair, verdicts in counts.items():
        cells = "".join(f"{verdicts[each] or '-':>{_COLUMN}}" for each in Verdict)
        yield f"  {_pair(pair, names):{width}}{cells}"


def _pair(pair: tuple[Power, Power], names: Names) -> str:
    of, to = (names.powers.get(power, power) for power in pair)
    return f"{of} to {to}"

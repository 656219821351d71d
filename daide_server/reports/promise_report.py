"""Promises for a person: each that was agreed on, and sums for pairs of powers."""

from collections.abc import Iterator, Sequence
from typing import Final

from daide_server.board.names import Power
from daide_server.formats.phase_json.map_names import Names
from daide_server.promises.findings import Verdict
from daide_server.promises.study import Promise, pair_counts, promises
from daide_server.records.record import GameRecord

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

"""The table of promises: what powers agreed on by press, and whether they kept it."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from daide_server.board.names import Power
from daide_server.board.turns import Turn
from daide_server.formats.phase_json.map_names import Names
from daide_server.promises.study import promises
from daide_server.records.record import GameRecord


class PromiseRow(Struct, frozen=True):
    """A promise of one power.

    `number` is that of the proposal among the messages, `phase` when it was proposed
    and `agreed` when the last power accepted it. `state` is what became of the
    proposal, `verdict` of the promise, and `decided` the phase that decided it.
    """

    game: str
    phase: str
    number: int
    proposer: str
    recipients: str
    state: str
    agreed: str
    promiser: str
    to: str
    promise: str
    verdict: str
    decided: str
    reason: str


def promise_rows(record: GameRecord, names: Names) -> Iterator[PromiseRow]:
    """Yield the promises, in order of their proposals."""
    for each in promises(record):
        proposal, finding = each.proposal, each.finding
        yield PromiseRow(
            game=record.id,
            phase=names.phase_text(proposal.turn),
            number=proposal.number,
            proposer=_power(names, proposal.proposer),
            recipients=_powers(names, proposal.recipients),
            state=proposal.state.value,
            agreed=_phase(names, proposal.agreed),
            promiser=_power(names, each.power),
            to=_powers(names, each.to),
            promise=each.clause.text,
            verdict=finding.verdict.value,
            decided=_phase(names, finding.turn),
            reason=finding.reason,
        )


def _phase(names: Names, turn: Turn | None) -> str:
    return names.phase_text(turn) if turn else ""


def _power(names: Names, power: Power) -> str:
    return names.powers.get(power, power)


def _powers(names: Names, powers: Iterable[Power]) -> str:
    return " ".join(_power(names, power) for power in powers)

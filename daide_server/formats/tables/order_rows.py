"""The tables of orders, of messages and of promises."""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Final

from msgspec import Struct

from daide_server.board.map import Turn
from daide_server.board.names import Power, Unit
from daide_server.board.orders import (
    Build,
    Convoy,
    ConvoyedMove,
    Disband,
    Hold,
    Move,
    Order,
    Remove,
    Retreat,
    SupportHold,
    SupportMove,
    Waive,
    owner,
)
from daide_server.board.results import OrderNote, OrderResult, Report
from daide_server.formats.phase_json.map_names import COMPLETED_PHASE, Names
from daide_server.formats.phase_json.order_texts import words_of
from daide_server.promises.study import promises
from daide_server.records.consequences import consequences_of
from daide_server.records.record import GameRecord, Message, PlayedTurn, PressOrVote
from daide_server.records.turn_results import ResultSource, TurnResults, turn_results

ORDER_KINDS: Final[Mapping[type, str]] = {
    Hold: "hold",
    Move: "move",
    ConvoyedMove: "move via convoy",
    SupportHold: "support hold",
    SupportMove: "support move",
    Convoy: "convoy",
    Retreat: "retreat",
    Disband: "disband",
    Build: "build",
    Remove: "remove",
    Waive: "waive",
}
_SUCCEEDED: Final = OrderResult.SUCCEEDED
RESULT_TEXTS: Final[Mapping[OrderResult | OrderNote | None, str]] = {
    **{each: each.value for each in (*OrderResult, *OrderNote)},
    None: "",
}
REMEMBERED_CELLS: Final = 1 << 14
"""Orders whose texts are made once for all games."""
REMEMBERED_RESULTS: Final = 1024

TurnCells = tuple[str, str, int, str]
"""The cells from `game` to `season`."""
OrderCells = tuple[str, str, str, str, str, str]
"""The cells from `power` to `destination`."""
ResultCells = tuple[bool, str, bool, str, str]
"""The cells from `ordered` to `source`."""


class OrderRow(Struct, frozen=True):
    """One order, or the result of a unit without one (`ordered` is false then).

    `target` is the unit that is supported or convoyed. `result` has DAIDE's words,
    `words` those of the `diplomacy` package; `source` says whether these are recorded
    or computed, and is empty without a result.
    """

    game: str
    phase: str
    year: int
    season: str
    power: str
    unit: str
    kind: str
    order: str
    target: str
    destination: str
    ordered: bool
    result: str
    dislodged: bool
    words: str
    source: str


def order_rows(record: GameRecord, names: Names) -> Iterator[OrderRow]:
    """Yield the rows of all turns, in order of time."""
    for turn, order, result in order_cells(record, names):
        yield OrderRow(*(*turn, *order, *result))


def order_cells(
    record: GameRecord, names: Names
) -> Iterator[tuple[TurnCells, OrderCells, ResultCells]]:
    """Yield the cells of `order_rows`, in groups that rows share."""
    for turn, results in turn_results(record):
        yield from _TurnRows(record.id, names, turn, results).cells()


class _TurnRows:
    """The rows of one turn."""

    def __init__(
        self, game: str, names: Names, turn: PlayedTurn, results: TurnResults
    ) -> None:
        at = turn.position.turn
        self._names = names
        self._turn = turn
        self._results = results
        self._of_turn = game, names.phase_text(at), at.year, at.season.value
        self._ordered = frozenset(turn.orders)
        self._words: Mapping[Unit | None, str] = {
            unit: " ".join(words_of(found))
            for unit, found in consequences_of(results.reports, turn.orders).items()
            # Most orders succeed, which has no words.
            if found
        }

    def cells(self) -> Iterator[tuple[TurnCells, OrderCells, ResultCells]]:
        """Yield the reported orders, and then those without a report."""
        results = self._results
        yield from self._reported(results.recorded, ResultSource.RECORDED.value)
        yield from self._reported(results.computed, ResultSource.COMPUTED.value)
        reported = {each.order for each in results.reports}
        if reported.issuperset(self._turn.orders):
            return  # as in most turns
        for order in self._turn.orders:
            if order not in reported:
                is_dislodged = getattr(order, "unit", None) in results.dislodged
                result = _result_cells(True, "", is_dislodged, "", "")
                yield self._of_turn, _of_order(self._names, order), result

    def _reported(
        self, reports: Iterable[Report], source: str
    ) -> Iterator[tuple[TurnCells, OrderCells, ResultCells]]:
        of_turn, names, ordered = self._of_turn, self._names, self._ordered
        words, dislodged = self._words, self._results.dislodged
        succeeded = _result_cells(True, RESULT_TEXTS[_SUCCEEDED], False, "", source)
        for report in reports:
            order = report.order
            unit = getattr(order, "unit", None)
            if report.result is _SUCCEEDED and unit not in words and order in ordered:
                # As most do; what is dislodged has words.
                yield of_turn, _of_order(names, order), succeeded
                continue
            result = _result_cells(
                order in ordered,
                RESULT_TEXTS[report.result],
                unit in dislodged,
                words.get(unit, ""),
                source,
            )
            yield of_turn, _of_order(names, order), result


@lru_cache(REMEMBERED_RESULTS)
def _result_cells(*cells: *ResultCells) -> ResultCells:
    """Return *cells* as one object for all rows that have them."""
    return cells


@lru_cache(REMEMBERED_CELLS)
def _of_order(names: Names, order: Order) -> OrderCells:
    target = getattr(order, "supported", None) or getattr(order, "convoyed", None)
    place = getattr(order, "destination", None)
    return (
        names.powers[owner(order)],
        "" if isinstance(order, Waive) else names.unit_text(order.unit),
        ORDER_KINDS[type(order)],
        # Not `order_text`: what is forgotten here is forgotten there as well.
        names.write_order(order),
        names.unit_text(target) if target else "",
        names.location_text(place) if place else "",
    )


HEAD_TOKENS: Final = 2


class MessageRow(Struct, frozen=True):
    """Press or a vote: `kind` is press, draw or nodraw; `head` its first tokens.

    `seconds` count from `started` in the table of games; they are empty if unknown.
    """

    game: str
    phase: str
    number: int
    seconds: float | None
    sender: str
    recipients: str
    kind: str
    head: str
    text: str


def message_rows(record: GameRecord, names: Names) -> Iterator[MessageRow]:
    """Yield the press and the votes, in order of time."""
    for number, each in enumerate(record.press_and_votes):
        sender, recipients, kind, text = _described(each)
        yield MessageRow(
            game=record.id,
            phase=_phase(names, each.turn),
            number=number,
            seconds=each.seconds,
            sender=names.powers[sender],
            recipients=" ".join(names.powers[power] for power in recipients),
            kind=kind,
            head=_head(text),
            text=text,
        )


def _described(each: PressOrVote) -> tuple[Power, Iterable[Power], str, str]:
    """Return sender, recipients, kind and text."""
    if isinstance(each, Message):
        return each.sender, each.recipients, "press", each.text
    return each.power, each.powers or (), "nodraw" if each.withdrawn else "draw", ""


def _phase(names: Names, turn: Turn | None) -> str:
    return names.phase_text(turn) if turn else COMPLETED_PHASE


def _head(text: str) -> str:
    """Return the first words of DAIDE press, such as `PRP PCE`."""
    words = text.replace("(", " ").replace(")", " ").split()
    if text[:1] == "'" or not all(word.isupper() for word in words[:1]):
        return ""
    return " ".join(words[:HEAD_TOKENS])


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
            agreed=_phase_if_any(names, proposal.agreed),
            promiser=_power(names, each.power),
            to=_powers(names, each.to),
            promise=each.clause.text,
            verdict=finding.verdict.value,
            decided=_phase_if_any(names, finding.turn),
            reason=finding.reason,
        )


def _phase_if_any(names: Names, turn: Turn | None) -> str:
    return names.phase_text(turn) if turn else ""


def _power(names: Names, power: Power) -> str:
    return names.powers.get(power, power)


def _powers(names: Names, powers: Iterable[Power]) -> str:
    return " ".join(_power(names, power) for power in powers)

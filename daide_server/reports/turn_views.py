"""The view of a turn: board, orders with the judge's reasons, press and promises.

What became of the orders is adjudicated anew, for the reasons. Where the record says
otherwise, the record's result is shown, and the reason says so.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from attrs import frozen

from daide_server.board.names import Location, Power, Unit
from daide_server.board.position import Position
from daide_server.board.turns import Turn
from daide_server.formats.phase_json.map_names import PHASE_LETTERS, Names
from daide_server.judge.resolution import Resolution
from daide_server.promises.study import Promise
from daide_server.records.entries import PlayerTally
from daide_server.records.record import GameRecord, Message, PressOrVote
from daide_server.records.unit_ids import UnitNumbers

from .order_views import OrderViewer, TurnAndAfter
from .press_words import press_words
from .turn_report import TurnExplainer
from .views import (
    AfterView,
    CentreChange,
    ConductView,
    PressView,
    PromiseView,
    TurnView,
    UnitView,
)
from .words import turn_title

MAX_PROMISES: Final = 500
"""Promises of one game, at most; the latest are kept."""


def press_views(record: GameRecord) -> Iterator[PressView]:
    """Yield the messages and votes of *record*, in order of time."""
    words = press_words(record.variant)
    said: list[tuple[int, PressOrVote]] = list(enumerate(record.messages, 1))
    said += [(0, vote) for vote in record.votes]
    for number, each in sorted(said, key=lambda found: found[1].seconds or 0.0):
        turn = "" if each.turn is None else turn_id(each.turn)
        told = words.sentence(each)
        if isinstance(each, Message):
            yield PressView(
                turn=turn,
                seconds=each.seconds,
                sender=each.sender,
                recipients=each.recipients,
                text=each.text,
                words=told,
                number=number,
            )
        else:
            shared = each.powers or ()
            vote = f"DRW ( {' '.join(shared)} )" if shared else "DRW"
            yield PressView(
                turn=turn,
                seconds=each.seconds,
                sender=each.power,
                recipients=shared,
                text=f"NOT ( {vote} )" if each.withdrawn else vote,
                words=told,
                vote=True,
            )


def promise_views(found: Sequence[Promise]) -> tuple[PromiseView, ...]:
    """Return what was agreed on, in order of the proposals."""
    agreed = [each for each in found if each.proposal.agreed is not None]
    return tuple(
        PromiseView(
            turn=turn_id(each.proposal.turn),
            power=each.power,
            to=each.to,
            text=each.clause.text,
            message=each.proposal.number + 1,
            verdict=each.finding.verdict.value,
            decided=turn_id(each.finding.turn) if each.finding.turn else "",
            why=each.finding.reason,
        )
        for each in agreed[-MAX_PROMISES:]
    )


UNTOLD: Final = ConductView()


def turn_id(turn: Turn) -> str:
    """Return such as `F1905M`, for a year of any length."""
    season, phase = PHASE_LETTERS[turn.season]
    return f"{season}{turn.year}{phase}"


@frozen
class TurnViewer:
    """Makes the views of the turns of games on one map."""

    names: Names
    titles: Mapping[Power, str]

    def played(self, played: TurnAndAfter, resolution: Resolution) -> TurnView:
        """Return the view of a turn, of which *resolution* knows the reasons."""
        turn, before = played.turn, played.turn.position
        explainer = TurnExplainer(self.names, resolution, turn.tallies, self.titles)
        orders = OrderViewer(self.names, played, resolution)
        return TurnView(
            id=turn_id(before.turn),
            title=turn_title(before.turn),
            phase=before.turn.phase.value,
            units=self._units(before, played.numbers),
            dislodged=self._retreats(before, played.numbers),
            owners=self._owners(before),
            since=turn.since,
            orders=tuple(orders.views(explainer)),
            after=self._after(played),
            players=dict(_conduct(turn.tallies or {})),
        )

    def open(
        self, position: Position, numbers: UnitNumbers, since: float | None
    ) -> TurnView:
        """Return the view of the turn that is being played."""
        return TurnView(
            id=turn_id(position.turn),
            title=turn_title(position.turn),
            phase=position.turn.phase.value,
            units=self._units(position, numbers),
            dislodged=self._retreats(position, numbers),
            owners=self._owners(position),
            since=since,
            open=True,
        )

    def _units(self, position: Position, numbers: UnitNumbers) -> tuple[UnitView, ...]:
        units = (*position.units, *position.dislodged)
        return tuple(map(partial(self._unit, numbers), units))

    def _unit(self, numbers: UnitNumbers, unit: Unit) -> UnitView:
        number = str(numbers.numbers[unit])
        return UnitView(number, unit.power, unit.type.value, self._at(unit.location))

    def _at(self, location: Location) -> str:
        return self.names.location_text(location)

    def _retreats(
        self, position: Position, numbers: UnitNumbers
    ) -> dict[str, tuple[str, ...]]:
        return {
            str(numbers.numbers[unit]): tuple(map(self._at, places))
            for unit, places in position.dislodged.items()
        }

    def _owners(self, position: Position) -> dict[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for province, power in position.owners.items():
            found[power] = (*found.get(power, ()), self.names.provinces[province])
        return found

    def _after(self, played: TurnAndAfter) -> AfterView:
        was = {number: unit for unit, number in played.numbers.numbers.items()}
        now = {number: unit for unit, number in played.later.numbers.items()}
        return AfterView(
            moved={
                str(number): self._at(unit.location)
                for number, unit in now.items()
                if number in was and was[number].location != unit.location
            },
            dislodged=self._retreats(played.after, played.later),
            gone=tuple(str(number) for number in was if number not in now),
            built=tuple(
                self._unit(played.later, unit)
                for number, unit in now.items()
                if number not in was
            ),
            centres=tuple(self._changes(played.turn.position, played.after)),
        )

    def _changes(self, before: Position, after: Position) -> Iterator[CentreChange]:
        for province, name in self.names.provinces.items():
            was, now = before.owners.get(province), after.owners.get(province)
            if was != now:
                yield CentreChange(name, was or "", now or "")


def _conduct(
    tallies: Mapping[Power, PlayerTally],
) -> Iterator[tuple[str, ConductView]]:
    """Yield how the player of each power did, of those that have anything to say."""
    for power, tally in tallies.items():
        view = ConductView(
            refused=tally.refused,
            syntax_errors=tally.syntax_errors,
            late=tally.late,
            silent=tally.silent,
            think_median=tally.think_median,
            think_longest=tally.think_longest,
        )
        if view != UNTOLD:
            yield power, view

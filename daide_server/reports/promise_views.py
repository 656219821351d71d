"""The promises of a game as the page shows them."""

from typing import Final

from daide_server.promises.study import promises
from daide_server.records.record import GameRecord

from .turn_views import turn_id
from .views import PromiseView

MAX_PROMISES: Final = 500
"""Of one game, the latest ones."""


def promise_views(record: GameRecord) -> tuple[PromiseView, ...]:
    """Return what was agreed on in *record*, in order of the proposals."""
    if not record.messages:
        return ()
    agreed = (each for each in promises(record) if each.proposal.agreed is not None)
    found = tuple(
        PromiseView(
            turn=turn_id(each.proposal.turn),
            power=each.power,
            to=each.to,
            text=each.clause.text,
            verdict=each.finding.verdict.value,
            decided=turn_id(each.finding.turn) if each.finding.turn else "",
            why=each.finding.reason,
        )
        for each in agreed
    )
    return found[-MAX_PROMISES:]

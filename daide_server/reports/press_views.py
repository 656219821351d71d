"""The press and the promises of a game as the page shows them."""

from collections.abc import Iterator, Sequence
from typing import Final

from daide_server.promises.study import Promise
from daide_server.records.record import GameRecord, Message, PressOrVote

from .press_words import press_words
from .turn_views import turn_id
from .views import PressView, PromiseView

MAX_PROMISES: Final = 500
"""Of one game, the latest ones."""


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

"""The table of press and votes."""

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from daide_server.board.names import Power
from daide_server.board.turns import Turn
from daide_server.formats.phase_json.map_names import COMPLETED_PHASE, Names
from daide_server.records.record import GameRecord, Message, PressOrVote

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

"""Who proposed what to whom, and whether all of them accepted.

Message Syntax, level 10: an arrangement is agreed when each power that received it has
answered YES. The sender may cancel it (CCL) before, and so may a receiver its YES.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Final

from attrs import define, evolve, frozen

from daide_server.board.identity_enum import IdentityEnum
from daide_server.board.map import MAPS_KEPT, Map
from daide_server.board.names import Power
from daide_server.board.turns import Turn
from daide_server.language.press_grammar import PressGrammar
from daide_server.language.syntax import OrderReader, bracketed, parts
from daide_server.language.text import TextError, from_text
from daide_server.language.tokens import (
    BWX,
    CCL,
    FCT,
    FOR,
    NAR,
    REJ,
    SND,
    YES,
    Tokens,
)
from daide_server.language.vocabulary import Vocabulary
from daide_server.records.record import Message

from .arrangements import Arrangement, Clause, Opposite
from .offers import offer, read_arrangement

HIGHEST_LEVEL: Final = 8000
"""Free text, which is the highest."""
REMEMBERED_PRESS: Final = 1024
"""Short press that is read once for all games: bots say the same again and again."""
SHORT_PRESS: Final = 100
"""Characters."""


class ProposalState(IdentityEnum):
    """What became of a proposal."""

    AGREED = "agreed"
    REJECTED = "rejected"
    CANCELLED = "cancelled"
    UNANSWERED = "unanswered"


@frozen
class PressProposal:
    """An arrangement that a power proposed, and what became of it.

    `number` is the place of its message in the record. `turn` is when it was proposed,
    `agreed` when the last power accepted it (`None`: not at all).
    """

    number: int
    turn: Turn
    proposer: Power
    recipients: tuple[Power, ...]
    clause: Clause
    state: ProposalState = ProposalState.UNANSWERED
    agreed: Turn | None = None

    @property
    def parties(self) -> tuple[Power, ...]:
        """The proposer and those who received it."""
        return (self.proposer, *self.recipients)


@frozen
class Renunciation:
    """FCT (NOT ...): a power no longer keeps to an arrangement, from *turn* on."""

    power: Power
    turn: Turn
    of: Arrangement


@define
class _OpenProposal:
    """A proposal that may still be answered."""

    proposal: PressProposal
    content: Tokens
    accepted: set[Power]


class PressReader:
    """Reads the press of one board; any press that is not DAIDE's is no press."""

    def __init__(self, board_map: Map) -> None:
        self.vocabulary: Final = Vocabulary.of(board_map)
        self.orders: Final = OrderReader(self.vocabulary, board_map)
        self._grammar: Final = PressGrammar(
            HIGHEST_LEVEL, self.vocabulary, partial_draws=True
        )
        self._remembered: Final = lru_cache(REMEMBERED_PRESS)(self._read)

    def tokens(self, message: Message) -> Tokens | None:
        """Return the content of *message*; `None` if it is not DAIDE's."""
        read = self._remembered if len(message.text) <= SHORT_PRESS else self._read
        return read(message.text, message.recipients)

    def _read(self, text: str, recipients: tuple[Power, ...]) -> Tokens | None:
        try:
            content = from_text(text, self.vocabulary)
        except TextError:
            return None
        receivers = tuple(map(self.vocabulary.power_token, recipients))
        sent = (SND, *bracketed(receivers), *bracketed(content))
        return content if self._grammar.error_index(sent) is None else None


class Negotiation:
    """The press of one game, in order of time; `add` each message."""

    def __init__(self, reader: PressReader) -> None:
        self._reader: Final = reader
        self._open: list[_OpenProposal] = []
        self._closed: list[PressProposal] = []
        self.renunciations: Final[list[Renunciation]] = []

    def add(self, number: int, message: Message) -> None:
        """Add the message that has this place in the record."""
        content = self._reader.tokens(message)
        if content is None or message.turn is None:
            return
        head = _HEADS.get(content[0], content[0])
        if head in _ANSWERS:
            self._answer(head, parts(content)[0], message)
        elif head == FCT:
            self._renounce(content, message, message.turn)
        elif (found := offer(content, self._reader.orders)) is not None:
            proposal = PressProposal(
                number=number,
                turn=message.turn,
                proposer=message.sender,
                recipients=message.recipients,
                clause=found,
            )
            self._open.append(_OpenProposal(proposal, content, set()))

    @property
    def proposals(self) -> tuple[PressProposal, ...]:
        """All proposals, in order of time."""
        found = chain(self._closed, (each.proposal for each in self._open))
        return tuple(sorted(found, key=lambda each: each.number))

    def _answer(self, head: int, quoted: Tokens, message: Message) -> None:
        """Take YES, REJ, BWX or CCL for the newest open proposal that it quotes."""
        if head == CCL and quoted[0] == YES:
            for found in self._quoted(parts(quoted)[0], message):
                found.accepted.discard(message.sender)
            return
        for found in self._quoted(quoted, message):
            if head == CCL:
                self._close(found, ProposalState.CANCELLED)
            elif head != YES:
                self._close(found, ProposalState.REJECTED)
            else:
                self._accept(found, message)
            return

    def _quoted(self, content: Tokens, message: Message) -> Iterator[_OpenProposal]:
        """Yield the open proposals of that content between these, newest first."""
        between = {message.sender, *message.recipients}
        for each in reversed(self._open):
            proposal = each.proposal
            takes_part = message.sender in proposal.parties
            if each.content == content and takes_part and proposal.proposer in between:
                yield each

    def _accept(self, found: _OpenProposal, message: Message) -> None:
        found.accepted.add(message.sender)
        if found.accepted.issuperset(found.proposal.recipients):
            found.proposal = evolve(found.proposal, agreed=message.turn)
            self._close(found, ProposalState.AGREED)

    def _close(self, found: _OpenProposal, state: ProposalState) -> None:
        self._open.remove(found)
        self._closed.append(evolve(found.proposal, state=state))

    def _renounce(self, content: Tokens, message: Message, turn: Turn) -> None:
        stated = read_arrangement(parts(content)[0], self._reader.orders)
        if isinstance(stated, Opposite):
            self.renunciations.append(Renunciation(message.sender, turn, stated.of))


@lru_cache(MAPS_KEPT)
def press_reader(board_map: Map) -> PressReader:
    """Return the reader of one board, made once for all its games."""
    return PressReader(board_map)


def negotiation(messages: Sequence[Message], board_map: Map) -> Negotiation:
    """Return the negotiation of a game with these messages, in order of time."""
    found = Negotiation(press_reader(board_map))
    for number, message in enumerate(messages):
        found.add(number, message)
    return found


_ANSWERS: Final = {YES, REJ, BWX, CCL}
_HEADS: Final = {NAR: CCL, FOR: FCT}
"""Some programs have other codes for CCL and FCT; see `language.dialects`."""

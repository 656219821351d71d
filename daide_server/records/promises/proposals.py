"""Proposals, read from the tokens of press, and whether they were agreed.

Message Syntax, levels 10 to 130: PRP and INS with an arrangement, IFF with two of them.
Level 10: an arrangement is agreed when each power that received it has answered YES.
The sender may cancel it (CCL) before, and so may a receiver its YES.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Final

from attrs import define, evolve, frozen

from daide_server.board.map import MAPS_KEPT, Map, Turn
from daide_server.board.names import IdentityEnum, Power
from daide_server.daide import syntax
from daide_server.daide.commands import FREE_TEXT_LEVEL
from daide_server.daide.press import PressGrammar
from daide_server.daide.tokens import BRA, MNEMONICS, SND, UNO, Tokens, value_of
from daide_server.daide.vocabulary import TextError, Vocabulary, from_text, to_text
from daide_server.records.record import Message

from . import arrangements as forms
from .arrangements import Arrangement, Clause


def offer(content: Tokens, reader: syntax.OrderReader) -> Clause | None:
    """Return the proposal in press; `None` if it can form no agreement."""
    match _head(content):
        case "PRP" | "INS":
            return read_clause(syntax.parts(content)[0], reader)
        case "IFF":
            return _conditional(content, reader)
        case _:
            return None


def _head(tokens: Tokens) -> str:
    """Return the name of the first of *tokens*; a number or a character has none."""
    return MNEMONICS.get(tokens[0], "")


def read_clause(tokens: Tokens, reader: syntax.OrderReader) -> Clause:
    """Return the arrangement in *tokens*, its brackets excluded."""
    text = to_text(tokens, reader.vocabulary)
    return Clause(text, read_arrangement(tokens, reader))


def read_arrangement(tokens: Tokens, reader: syntax.OrderReader) -> Arrangement:
    """Return the value of the arrangement in *tokens*."""
    read = _READERS.get(_head(tokens))
    return (read(reader, syntax.parts(tokens)) if read else None) or forms.Undecidable()


def _conditional(content: Tokens, reader: syntax.OrderReader) -> Clause | None:
    condition, *press = syntax.parts(content)
    then, *otherwise = (offer(each, reader) for each in press)
    if then is None:
        return None
    return Clause(
        to_text(content, reader.vocabulary),
        forms.Conditional(
            read_clause(condition, reader), then, otherwise[0] if otherwise else None
        ),
    )


# Readers of what is in the brackets of a form


def _zone(reader: syntax.OrderReader, found: list[Tokens]) -> Arrangement:
    powers, provinces = found
    named = map(reader.vocabulary.province, provinces)
    return forms.Demilitarised(reader.powers(powers), tuple(named))


def _shares(reader: syntax.OrderReader, found: list[Tokens]) -> Arrangement:
    return forms.CentresShared(
        tuple(
            (
                None if owner == UNO else reader.vocabulary.power(owner),
                tuple(map(reader.vocabulary.province, centres)),
            )
            for owner, *centres in found
        )
    )


def _placed(reader: syntax.OrderReader, found: list[Tokens]) -> Arrangement:
    return forms.UnitsPlaced(
        tuple(
            forms.PlacedUnitWanted(
                reader.vocabulary.power(power),
                syntax.UNIT_TYPES_BY_TOKEN.get(kind),
                reader.locations(tuple(where))[0].province,
            )
            for power, kind, *where in found
        )
    )


def _lifted(reader: syntax.OrderReader, found: list[Tokens]) -> Arrangement:
    return forms.Lifted(read_arrangement(found[0], reader))


def _listed(reader: syntax.OrderReader, found: list[Tokens]) -> tuple[Clause, ...]:
    return tuple(read_clause(part, reader) for part in found)


def _chosen(reader: syntax.OrderReader, found: list[Tokens]) -> Arrangement:
    bounds, *offered = found
    least, most = map(value_of, bounds)
    return forms.SomeParts(least, most, _listed(reader, offered))


def _in_turns(reader: syntax.OrderReader, found: list[Tokens]) -> Arrangement | None:
    when, *offered = found
    turns = tuple(_turns(when))
    if not turns:
        return None  # It is FWD, whose code Parlance uses for FOR.
    return forms.InTurns(turns[0], turns[-1], read_clause(offered[0], reader))


def _turns(when: Tokens) -> Iterator[Turn]:
    """Yield the turn, or the first and the last turn of a period."""
    for found in syntax.parts(when) if when[0] == BRA else (when,):
        if syntax.is_turn(found):
            yield syntax.read_turn(found)


_Reader = Callable[[syntax.OrderReader, list[Tokens]], Arrangement | None]
_READERS: Mapping[str, _Reader] = {
    "PCE": lambda reader, found: forms.PeaceAmong(reader.powers(found[0])),
    "ALY": lambda reader, found: forms.AllianceAgainst(*map(reader.powers, found)),
    "DRW": lambda reader, found: forms.DrawAmong(*map(reader.powers, found)),
    "SLO": lambda reader, found: forms.SoloFor(*reader.powers(found[0])),
    "XDO": lambda reader, found: forms.OrderGiven(reader.order(found[0])),
    "DMZ": _zone,
    "SCD": _shares,
    "OCC": _placed,
    "NOT": lambda reader, found: forms.Opposite(read_arrangement(found[0], reader)),
    "NAR": _lifted,
    # Some programs have swapped the codes of CCL and NAR.
    "CCL": _lifted,
    "AND": lambda reader, found: forms.AllParts(_listed(reader, found)),
    "ORR": lambda reader, found: forms.SomeParts(1, len(found), _listed(reader, found)),
    "CHO": _chosen,
    "FOR": _in_turns,
    "FWD": _in_turns,
}

REMEMBERED_PRESS = 1024
"""Maximum number of short texts whose tokens are cached; bots repeat themselves."""
SHORT_PRESS = 100
"""Maximum characters of a text that is cached."""


class ProposalState(IdentityEnum):
    """The state of a proposal."""

    AGREED = "agreed"
    REJECTED = "rejected"
    CANCELLED = "cancelled"
    UNANSWERED = "unanswered"


@frozen
class PressProposal:
    """A proposed arrangement, and its state.

    `number` is the place of its message in the record. `turn` is when it was proposed,
    `agreed` when the last power accepted it (`None`: it was not).
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
        """The proposer and the recipients."""
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
    """Reads the press of one board; press that is not DAIDE is left out."""

    def __init__(self, board_map: Map) -> None:
        self.vocabulary: Final = Vocabulary.of(board_map)
        self.orders: Final = syntax.OrderReader(self.vocabulary, board_map)
        self._grammar: Final = PressGrammar(
            FREE_TEXT_LEVEL, self.vocabulary, partial_draws=True
        )
        self._remembered: Final = lru_cache(REMEMBERED_PRESS)(self._read)

    def tokens(self, message: Message) -> Tokens | None:
        """Return the content of *message* as tokens; `None` if it is not DAIDE."""
        read = self._remembered if len(message.text) <= SHORT_PRESS else self._read
        return read(message.text, message.recipients)

    def _read(self, text: str, recipients: tuple[Power, ...]) -> Tokens | None:
        try:
            content = from_text(text, self.vocabulary)
        except TextError:
            return None
        receivers = tuple(map(self.vocabulary.power_token, recipients))
        sent = (SND, *syntax.bracketed(receivers), *syntax.bracketed(content))
        return content if isinstance(self._grammar.parts(sent), list) else None


class Negotiation:
    """The press of one game, in order of time; `add` each message."""

    def __init__(self, reader: PressReader) -> None:
        self._reader: Final = reader
        self._open: list[_OpenProposal] = []
        self._closed: list[PressProposal] = []
        self.renunciations: Final[list[Renunciation]] = []

    def add(self, number: int, message: Message) -> None:
        """Add the message with this *number* in the record."""
        content = self._reader.tokens(message)
        if content is None or message.turn is None:
            return
        head = _HEADS.get(_head(content), _head(content))
        if head in _ANSWERS:
            self._answer(head, syntax.parts(content)[0], message)
        elif head == "FCT":
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

    def _answer(self, head: str, quoted: Tokens, message: Message) -> None:
        """Take YES, REJ, BWX or CCL for the newest open proposal that it quotes."""
        if head == "CCL" and _head(quoted) == "YES":
            for found in self._quoted(syntax.parts(quoted)[0], message):
                found.accepted.discard(message.sender)
            return
        for found in self._quoted(quoted, message):
            if head == "CCL":
                self._close(found, ProposalState.CANCELLED)
            elif head != "YES":
                self._close(found, ProposalState.REJECTED)
            else:
                self._accept(found, message)
            return

    def _quoted(self, content: Tokens, message: Message) -> Iterator[_OpenProposal]:
        """Yield the open proposals that *message* may answer, the newest first."""
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
        stated = read_arrangement(syntax.parts(content)[0], self._reader.orders)
        if isinstance(stated, forms.Opposite):
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


_ANSWERS = {"YES", "REJ", "BWX", "CCL"}
_HEADS = {"NAR": "CCL", "FOR": "FCT"}
"""Some programs have other codes for CCL and FCT; see `vocabulary.DIALECTS`."""

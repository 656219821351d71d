"""Press in plain English: `Turkey proposes to Italy: both stay out of Galicia`.

Every form of the press levels of DAIDE has words. Press that is not DAIDE, or is very
long or very deeply nested, is quoted unchanged.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import accumulate
from typing import Final, TypeVar

from attrs import frozen

from daide_server.board.map import MAPS_KEPT, Variant
from daide_server.board.names import Power
from daide_server.daide.syntax import UNIT_TYPES_BY_TOKEN, is_turn, parts, read_turn
from daide_server.daide.tokens import (
    BRA,
    CCL,
    FCT,
    FOR,
    FWD,
    KET,
    NAR,
    TOKENS_BY_NAME,
    Token,
    Tokens,
    is_text,
    text_of,
    value_of,
)
from daide_server.daide.vocabulary import to_text
from daide_server.records.promises.proposals import PressReader, press_reader
from daide_server.records.record import DrawVote, Message, PressOrVote

from .words import BoardWords, listed, number, turn_title, unit_kind, words_of

ValueT = TypeVar("ValueT")
MAX_TOKENS = 400
"""Tokens of press that is put into words; longer press is quoted."""
MAX_DEPTH = 24
"""Depth of press that is put into words; deeper press is quoted."""
PRESS_REMEMBERED = 4096
"""Messages whose words are cached: bots repeat themselves."""


@frozen
class _Parties:
    """The sender and the recipients; in quoted press there may be no recipients."""

    sender: Power
    recipients: tuple[Power, ...] = ()

    def are(self, powers: tuple[Power, ...]) -> bool:
        """Return whether *powers* are the sender and all recipients."""
        return set(powers) == {self.sender, *self.recipients}


class PressWords:
    """Puts the press of games on one board into words."""

    def __init__(self, variant: Variant) -> None:
        """Use the names of *variant*."""
        self._words: Final[BoardWords] = words_of(variant)
        self._reader: Final[PressReader] = press_reader(variant.map)
        self._vocabulary: Final = self._reader.vocabulary
        self._orders: Final = self._reader.orders
        self._message: Final = lru_cache(PRESS_REMEMBERED)(self._told)

    def sentence(self, said: PressOrVote) -> str:
        """Return a message or a vote as a sentence without a full stop."""
        if isinstance(said, DrawVote):
            return self._vote(said)
        return self._message(said.sender, said.recipients, said.text)

    def _vote(self, vote: DrawVote) -> str:
        wish = "no longer votes" if vote.withdrawn else "votes"
        shared = f" between {self._words.powers(vote.powers)}" if vote.powers else ""
        return f"{self._words.power(vote.power)} {wish} for a draw{shared}"

    def _told(self, sender: Power, recipients: tuple[Power, ...], text: str) -> str:
        tokens = self._reader.tokens(Message(None, sender, recipients, text, None))
        who, parties = self._words.power(sender), _Parties(sender, recipients)
        if tokens is None or not _is_short(tokens):
            return f"{who} writes{self._to(parties)}: {text}"
        return f"{who} {self._speech(tokens, parties)}"

    # The words that follow the name of the sender.

    def _speech(self, tokens: Tokens, parties: _Parties) -> str:
        if is_text(tokens[0]):
            return f"writes{self._to(parties)}: {text_of(tokens)}"
        head = _PRESS_CODES.get(tokens[0], tokens[0])
        tell = _SPEECHES.get(head)
        if tell is not None:
            return tell(self, tokens, parties)
        verb = _VERBS[head].format(to=self._to(parties), whom=self._whom(parties))
        inner = parts(tokens)[0]
        if head in _OF_ARRANGEMENTS:
            return f"{verb}: {self._stated(inner, parties)}"
        return f"{verb}: {self._quoted(inner, parties)}"

    def _to(self, parties: _Parties) -> str:
        return f" to{self._whom(parties)}" if parties.recipients else ""

    def _whom(self, parties: _Parties) -> str:
        if not parties.recipients:
            return ""
        others = len(self._words.variant.map.powers) - 1
        is_public = len(parties.recipients) >= others > 1
        return " all" if is_public else f" {self._words.powers(parties.recipients)}"

    def _quoted(self, tokens: Tokens, parties: _Parties) -> str:
        """Return the press that an answer is about, such as a proposal."""
        head = _PRESS_CODES.get(tokens[0], tokens[0])
        if is_text(tokens[0]):
            return f"“{text_of(tokens)}”"
        if head in _PROPOSALS:
            return self._stated(parts(tokens)[0], parties)
        told = self._speech(tokens, _Parties(parties.sender))
        asked = told.removeprefix("asks ")
        if asked == told:
            return told
        return f"the {'request' if asked.startswith('to ') else 'question'} {asked}"

    def _stated(self, tokens: Tokens, parties: _Parties) -> str:
        """Return an arrangement, or a query that is answered."""
        if tokens[0] == _NOT and parts(tokens)[0][0] == _QRY:
            asked = parts(parts(tokens)[0])[0]
            return f"this is not so: {self.arrangement(asked, parties)}"
        if tokens[0] == _QRY:
            return f"this is so: {self.arrangement(parts(tokens)[0], parties)}"
        return self.arrangement(tokens, parties)

    def _try(self, tokens: Tokens, parties: _Parties) -> str:
        named = to_text(parts(tokens)[0], self._vocabulary).split()
        understood = listed(named) if named else "no press"
        return f"tells{self._whom(parties)} that it understands {understood}"

    def _huh(self, tokens: Tokens, parties: _Parties) -> str:
        what = to_text(parts(tokens)[0], self._vocabulary)
        return f"tells{self._whom(parties)} that it does not understand: {what or '-'}"

    def _what(self, tokens: Tokens, parties: _Parties) -> str:
        unit = self._words.unit(self._orders.unit(parts(tokens)[0]))
        return f"asks{self._whom(parties)} what {unit} should do"

    def _how(self, tokens: Tokens, parties: _Parties) -> str:
        (target,) = parts(tokens)[0]
        if target in self._vocabulary.powers:
            against = self._name(target)
        else:
            against = self._words.place(self._vocabulary.province(target))
        return f"asks{self._whom(parties)} how to attack {against}"

    def _explain(self, tokens: Tokens, parties: _Parties) -> str:
        when, about = parts(tokens)
        said = self._quoted(about, _Parties(parties.sender))
        of = turn_title(read_turn(when))
        return f"asks{self._whom(parties)} to explain its moves of {of} after: {said}"

    def _forward(self, tokens: Tokens, parties: _Parties) -> str:
        return f"forwards{self._to(parties)}: {self._letter(parts(tokens))}"

    def _if(self, tokens: Tokens, parties: _Parties) -> str:
        condition, then, *otherwise = parts(tokens)
        holds = self.arrangement(condition, parties)
        told = f"says{self._to(parties)}: if this holds ({holds}), it "
        told += self._without_recipients(then, parties)
        for each in otherwise:
            told += f"; otherwise it {self._without_recipients(each, parties)}"
        return told

    def _without_recipients(self, tokens: Tokens, parties: _Parties) -> str:
        """Return the text under a condition, without repeating its recipients."""
        head = tokens[0]
        if head in _PROPOSALS:
            verb = _VERBS[head].format(to="", whom="")
            return f"{verb}: {self._stated(parts(tokens)[0], parties)}"
        return self._speech(tokens, _Parties(parties.sender))

    def _letter(self, found: list[Tokens]) -> str:
        """Return a message from a power to powers, as FRM and SND have it."""
        sender, recipients, content = found
        (power,) = self._orders.powers(sender)
        parties = _Parties(power, self._orders.powers(recipients))
        return f"{self._words.power(power)} {self._speech(content, parties)}"

    # Arrangements

    def arrangement(self, tokens: Tokens, parties: _Parties) -> str:
        """Return an arrangement as a clause or as a noun."""
        head = _ARRANGEMENT_CODES.get(tokens[0], tokens[0])
        if head == FOR and not any(map(is_turn, _times(parts(tokens)[0]))):
            head = FWD  # whose code some programs use for FOR
        found = parts(tokens)
        if head in _OF_POWERS:
            return self._of_powers(head, found)
        if head in _BOUNDS:
            return self._worth(head, found)
        return _ARRANGEMENTS[head](self, found, parties)

    def _who(self, powers: tuple[Power, ...], parties: _Parties) -> str:
        if not parties.recipients or not parties.are(powers):
            return self._words.powers(powers)
        return "both" if len(parties.recipients) == 1 else "all of them"

    def _peace(self, found: list[Tokens], parties: _Parties) -> str:
        return f"peace{self._others('between', found[0], parties)}"

    def _others(self, word: str, named: Tokens, parties: _Parties) -> str:
        """Return *word* and powers; empty if they are the sender and the recipients."""
        powers = self._orders.powers(named)
        if parties.recipients and parties.are(powers):
            return ""
        return f" {word} {self._words.powers(powers)}"

    def _alliance(self, found: list[Tokens], parties: _Parties) -> str:
        allies, enemies = found
        against = self._words.powers(self._orders.powers(enemies))
        return f"an alliance{self._others('of', allies, parties)} against {against}"

    def _draw(self, found: list[Tokens], parties: _Parties) -> str:
        return f"a draw{self._others('between', found[0], parties) if found else ''}"

    def _of_powers(self, head: Token, found: list[Tokens]) -> str:
        """Return an arrangement that says nothing but powers."""
        named = (self._words.powers(self._orders.powers(each)) for each in found)
        return _OF_POWERS[head].format(*named)

    def _zone(self, found: list[Tokens], parties: _Parties) -> str:
        powers = self._orders.powers(found[0])
        stay = "stays" if len(powers) == 1 else "stay"
        where = self._words.places(map(self._vocabulary.province, found[1]))
        return f"{self._who(powers, parties)} {stay} out of {where}"

    def _shares(self, found: list[Tokens], _: _Parties) -> str:
        return listed(
            f"{self._owner(owner)} owns "
            + self._words.places(map(self._vocabulary.province, centres))
            for owner, *centres in found
        )

    def _owner(self, token: Token) -> str:
        return "nobody" if token == _UNO else self._name(token)

    def _name(self, token: Token) -> str:
        return self._words.power(self._vocabulary.power(token))

    def _placed(self, found: list[Tokens], _: _Parties) -> str:
        return listed(
            f"{self._name(power)} has {unit_kind(UNIT_TYPES_BY_TOKEN.get(kind))} in "
            + self._words.location(self._orders.locations(tuple(where))[0])
            for power, kind, *where in found
        )

    def _orr(self, found: list[Tokens], parties: _Parties) -> str:
        return f"one of these: {'; or '.join(self._several(found, parties))}"

    def _choose(self, found: list[Tokens], parties: _Parties) -> str:
        bounds, *choices = found
        least, most = map(value_of, bounds)
        many = number(least) if least == most else f"{number(least)} to {number(most)}"
        return f"{many} of these: {'; or '.join(self._several(choices, parties))}"

    def _several(self, found: list[Tokens], parties: _Parties) -> list[str]:
        """Return arrangements, in brackets those that have several parts."""
        return [
            f"({told})" if each[0] in _JOINING else told
            for each in found
            for told in [self.arrangement(each, parties)]
        ]

    def _not(self, found: list[Tokens], parties: _Parties) -> str:
        inner = found[0]
        if inner[0] == _XDO:
            order = self._orders.order(parts(inner)[0])
            return self._words.order(order, opposite=True)
        told = self.arrangement(inner, parties)
        if inner[0] in _NOUNS:
            return f"no {told.removeprefix('an ').removeprefix('a ')}"
        return f"not this: {told}"

    def _lifted(self, found: list[Tokens], parties: _Parties) -> str:
        return f"nobody is bound to this: {self.arrangement(found[0], parties)}"

    def _in_turns(self, found: list[Tokens], parties: _Parties) -> str:
        when, what = found
        turns = [turn_title(read_turn(each)) for each in _times(when)]
        told = f"in {turns[0]}" if len(turns) == 1 else f"from {' to '.join(turns)}"
        return f"{told}: {self.arrangement(what, parties)}"

    def _commands(self, found: list[Tokens], _: _Parties) -> str:
        power, *units = found
        who = self._words.powers(self._orders.powers(power))
        led = listed(self._words.unit(self._orders.unit(each)) for each in units)
        return f"{who} decides the orders of {led}"

    def _worth(self, head: Token, found: list[Tokens]) -> str:
        power, *rest = found[0]
        worth = text_of(tuple(rest)) if is_text(rest[0]) else str(value_of(rest[0]))
        return f"this is worth {_BOUNDS[head]} {worth} to {self._name(power)}"


@lru_cache(MAPS_KEPT)
def press_words(variant: Variant) -> PressWords:
    """Return the words for press in games on *variant*, created once for it."""
    return PressWords(variant)


def _is_short(tokens: Tokens) -> bool:
    depths = accumulate((token == BRA) - (token == KET) for token in tokens)
    return 0 < len(tokens) <= MAX_TOKENS and max(depths) <= MAX_DEPTH


def _times(when: Tokens) -> list[Tokens]:
    """Return the turn, or the first and the last one of a period."""
    return parts(when) if when[0] == BRA else [when]


def _tokens(names: str) -> frozenset[Token]:
    return frozenset(TOKENS_BY_NAME[name] for name in names.split())


def _by_token(**named: ValueT) -> Mapping[Token, ValueT]:
    return {TOKENS_BY_NAME[name]: value for name, value in named.items()}


_NOT = TOKENS_BY_NAME["NOT"]
_QRY = TOKENS_BY_NAME["QRY"]
_UNO = TOKENS_BY_NAME["UNO"]
_XDO = TOKENS_BY_NAME["XDO"]
_PROPOSALS = _tokens("PRP INS SUG")
_OF_ARRANGEMENTS = _tokens("PRP INS SUG QRY THK FCT")
_NOUNS = _tokens("PCE ALY DRW SLO ROF")
_JOINING = _tokens("AND ORR CHO")
_PRESS_CODES: Mapping[Token, Token] = {NAR: CCL, FOR: FCT}
_ARRANGEMENT_CODES: Mapping[Token, Token] = {CCL: NAR, FWD: FOR, FCT: FWD}
"""Tokens of arrangements; codes differ between programs, see `vocabulary.DIALECTS`."""

_BOUNDS = _by_token(ULB="at least", UUB="at most")
_OF_POWERS = _by_token(
    SLO="a solo of {}",
    XOY="{} owes {} a favour",
    FWD="{1} forwards to {2} what it receives from {0}",
    BCC="{0} sends {2} a copy of what it sends to {1}",
    ROF="an offer",
)
"""Arrangements of which each part is a list of powers."""
_VERBS = _by_token(
    PRP="proposes{to}",
    INS="insists{to}",
    SUG="suggests{to}",
    QRY="asks{whom} whether this is so",
    THK="says{to} what it believes",
    FCT="states{to}",
    YES="says yes{to}",
    REJ="says no{to}",
    BWX="refuses{whom} an answer",
    CCL="takes back what it said{to}",
    IDK="tells{whom} that it does not know",
    SRY="tells{whom} that it is sorry",
    WHY="asks{whom} why",
    POB="tells{whom} that the position on the board is the reason",
    UHY="tells{whom} that it is unhappy with this",
    HPY="tells{whom} that it is happy with this",
    ANG="tells{whom} that it is angry about this",
)
"""Verbs for other press, or for an arrangement, which follows a colon."""

_Told = Callable[[PressWords, Tokens, _Parties], str]
_Arranged = Callable[[PressWords, list[Tokens], _Parties], str]
# ruff: noqa: SLF001 - the tables of the class above
_SPEECHES: Mapping[Token, _Told] = _by_token(
    TRY=PressWords._try,
    HUH=PressWords._huh,
    WHT=PressWords._what,
    HOW=PressWords._how,
    EXP=PressWords._explain,
    FRM=PressWords._forward,
    IFF=PressWords._if,
)
_ARRANGEMENTS: Mapping[Token, _Arranged] = _by_token(
    PCE=PressWords._peace,
    ALY=PressWords._alliance,
    DRW=PressWords._draw,
    XDO=lambda words, found, _: words._words.order(words._orders.order(found[0])),
    DMZ=PressWords._zone,
    SCD=PressWords._shares,
    OCC=PressWords._placed,
    AND=lambda words, found, parties: "; and ".join(words._several(found, parties)),
    ORR=PressWords._orr,
    CHO=PressWords._choose,
    NOT=PressWords._not,
    NAR=PressWords._lifted,
    FOR=PressWords._in_turns,
    YDO=PressWords._commands,
    SND=lambda words, found, _: f"this message: {words._letter(found)}",
)

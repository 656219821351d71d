"""The grammar of press (SND), level by level, and press as a server forwards it.

Message Syntax, appendix, with its misprints corrected: this is all that a strict server
accepts. A lenient server also accepts what the document's prose or the original
server's grammar allows: forwarding too much does less harm than refusing press that a
bot author found in the document.
"""

from collections.abc import Container, Mapping
from functools import cached_property
from typing import Final

from .commands import TERMINALS, TERMS
from .grammar import Grammar, Level, Terminals, levels, rules_up_to
from .tokens import AND, BRA, HUH, KET, ORR, TRY, Token, Tokens, named, text_tokens
from .vocabulary import Vocabulary

APPENDIX = levels("""
    10 Peace and Alliances
    send_message = SND (power_list) (message)
    send_message = SND (turn) (power_list) (message)
    message = press_message
    message = reply
    press_message = PRP (arrangement)
    press_message = TRY ([try_token try_token ...])
    press_message = CCL (message)
    press_message = FCT (arrangement)
    reply = YES (press_message)
    reply = REJ (press_message)
    reply = BWX (press_message)
    reply = HUH (any_token_sequence)
    arrangement = plain_arrangement
    arrangement = NOT (arrangement)
    arrangement = NAR (arrangement)
    plain_arrangement = PCE (power power_list)
    plain_arrangement = ALY (power_list) VSS (power_list)
    plain_arrangement = DRW
    plain_arrangement = SLO (power)

    20 Order proposals
    plain_arrangement = XDO (order)
    plain_arrangement = DMZ (power_list) (province_list)

    30 Multipart Arrangements
    press_message = PRP (logical_operator)
    logical_operator = AND (arrangement) (arrangement) (arrangement) ...
    logical_operator = ORR (arrangement) (arrangement) (arrangement) ...

    40 Sharing out the Supply Centres
    plain_arrangement = SCD (sc_ownership_list) (sc_ownership_list) ...
    plain_arrangement = OCC (occ_unit_with_location) (occ_unit_with_location) ...
    occ_unit_with_location = unit_with_location
    occ_unit_with_location = power UNT province
    sc_ownership_list = power province_list
    sc_ownership_list = UNO province_list

    50 Nested Multipart Arrangements
    arrangement = AND (arrangement) (arrangement) (arrangement) ...
    arrangement = ORR (arrangement) (arrangement) (arrangement) ...
    arrangement = CHO (number number) (arrangement) (arrangement) ...

    60 Queries and Insistencies
    press_message = INS (arrangement)
    press_message = QRY (arrangement)
    press_message = SUG (arrangement)
    press_message = THK (arrangement)
    reply = THK (negatable_query)
    reply = FCT (negatable_query)
    reply = IDK (query)
    negatable_query = query
    negatable_query = NOT (query)
    query = QRY (arrangement)

    70 Requests for Suggestions
    press_message = WHT (unit_with_location)
    press_message = HOW (province)
    press_message = HOW (power)

    80 Accusations
    press_message = explanation
    reply = IDK (explanation)
    reply = SRY (explanation)
    explanation = EXP (turn) (message)

    90 Future Discussions
    arrangement = FOR (turn) (future_offer)
    arrangement = FOR (period) (future_offer)
    period = (turn) (turn)
    future_offer = plain_arrangement
    future_offer = NOT (future_offer)
    future_offer = AND (future_offer) (future_offer) (future_offer) ...
    future_offer = ORR (future_offer) (future_offer) (future_offer) ...
    future_offer = CHO (number number) (future_offer) (future_offer) ...

    100 Conditionals
    press_message = IFF (arrangement) THN (press_message)
    press_message = IFF (arrangement) THN (press_message) ELS (press_message)

    110 Puppets and Favours
    plain_arrangement = XOY (power) (power)
    plain_arrangement = YDO (power) (unit_with_location) (unit_with_location) ...

    120 Forwarding Press
    press_message = FRM (power) (power_list) (message)
    plain_arrangement = SND (power) (power_list) (message)
    plain_arrangement = FWD (power_list) (power) (power)
    plain_arrangement = BCC (power) (power_list) (power)

    130 Explanations
    reply = why_sequence
    reply = POB (why_sequence)
    reply = WHY (proposal)
    reply = IDK (proposal)
    why_sequence = WHY (think_and_fact)
    think_and_fact = THK (arrangement)
    think_and_fact = FCT (arrangement)
    proposal = SUG (arrangement)
    proposal = PRP (arrangement)
    proposal = INS (arrangement)

    140 Sending Emotional State
    reply = UHY (press_message)
    reply = HPY (press_message)
    reply = ANG (press_message)

    150 Requesting and Demanding Offer
    plain_arrangement = ROF

    160 Utility Bounds
    plain_arrangement = ULB (power float)
    plain_arrangement = UUB (power float)
    float = number
    float = [sign] mantissa [exponent]
    mantissa = [digit digit ...] point digit digit ...
    mantissa = digit digit ... [point]
    exponent = letter_e [sign] digit digit ...

    8000 Free Text
    press_message = string
""")
"""The rules of the appendix; levels 140 to 160 follow the prose."""

PRESS_BEYOND_APPENDIX = levels("""
    10 the original server does not separate press from replies
    reply = YES (message)
    reply = REJ (message)
    reply = BWX (message)

    10 the prose allows HUH and TRY; some clients list removed tokens
    press_message = TRY ([listed listed ...])
    listed = try_token
    listed = HUH
    listed = TRY
    listed = IOU
    listed = PPT
    listed = UOM
    listed = PRB

    30 the prose allows AND and ORR wherever an arrangement may stand
    arrangement = AND (arrangement) (arrangement) (arrangement) ...
    arrangement = ORR (arrangement) (arrangement) (arrangement) ...

    70 the prose allows the answer that one has no suggestion
    reply = IDK (WHT (unit_with_location))
    reply = IDK (HOW (province))
    reply = IDK (HOW (power))

    90 the prose, Level 10: NAR may precede all arrangements
    future_offer = NAR (future_offer)

    100 the original server allows conditions before replies
    press_message = IFF (arrangement) THN (message)
    press_message = IFF (arrangement) THN (message) ELS (message)

    130 the prose allows WHY after all proposals
    why_sequence = WHY (proposal)
""")
"""Press that a strict server refuses; each title names the source."""

PRESS_LEVELS = (*APPENDIX, *PRESS_BEYOND_APPENDIX)
"""The rules of a lenient server."""

PARTIAL_DRAWS = Level(
    10, "Peace and Alliances, PDA", "plain_arrangement = DRW (power power_list)"
)


# TRY

_TRY_WORDS: Mapping[int, str] = {
    10: "PRP PCE ALY VSS DRW SLO NOT NAR YES REJ BWX CCL FCT HUH TRY",
    20: "XDO DMZ",
    30: "AND ORR",
    40: "SCD OCC UNT",
    50: "CHO",
    60: "INS QRY THK IDK SUG",
    70: "WHT HOW",
    80: "EXP SRY",
    90: "FOR",
    100: "IFF THN ELS",
    110: "XOY YDO",
    120: "FRM FWD BCC SND",
    130: "WHY POB",
    140: "UHY HPY ANG",
    150: "ROF",
    160: "ULB UUB",
}

TRY_LEVELS: Mapping[Token, int] = {
    **{token: level for level, words in _TRY_WORDS.items() for token in named(words)},
    # Parlance and its bots use the code of FOR for FCT, and that of FWD for FOR.
    **dict.fromkeys(named("FOR"), 10),
    **dict.fromkeys(named("FWD"), 90),
}
"""The lowest level at which a server forwards each token in TRY."""


def forwarded(content: Tokens, level: int) -> Tokens:
    """Return *content* as forwarded: without the tokens above *level* in TRY.

    Message Syntax, "TRY".
    """
    if content[0] != TRY:
        return content
    _, _, *listed, _ = content
    allowed = (token for token in listed if TRY_LEVELS.get(token, level + 1) <= level)
    return TRY, BRA, *allowed, KET


# Eliminated powers: Message Syntax, Level 10

RESTRICTED_PRESS = frozenset(named("PRP INS QRY SUG THK FCT HOW"))
"""The kinds of press that the document restricts."""

_QUERIES = (named("( QRY"), named("( NOT ( QRY"))


def eliminated_index(content: Tokens, eliminated: Container[Token]) -> int | None:
    """Return the index of the first eliminated power that *content* must not name.

    Answers quote what they answer, so they may name any power.
    """
    answers = any(content[1 : 1 + len(query)] == query for query in _QUERIES)
    if content[0] not in RESTRICTED_PRESS or answers:
        return None
    indices = (index for index, token in enumerate(content) if token in eliminated)
    return next(indices, None)


# The grammar of SND

_VARIANT_CODES: Terminals = {
    # Their codes differ (see `vocabulary.DIALECTS`); the context shows which is meant.
    "CCL": frozenset(named("CCL NAR")),
    "NAR": frozenset(named("CCL NAR")),
    "FCT": frozenset(named("FCT FOR")),
    "FOR": frozenset(named("FOR FWD")),
    "FWD": frozenset(named("FWD FCT")),
}

_AMBIGUOUS = frozenset().union(*_VARIANT_CODES.values())


_TERMINALS: Terminals = {
    **TERMINALS,
    "try_token": frozenset(TRY_LEVELS) - {HUH, TRY},
    "sign": frozenset(text_tokens("+-")),
    "digit": frozenset(text_tokens("0123456789")),
    "point": frozenset(text_tokens(".")),
    "letter_e": frozenset(text_tokens("Ee")),
}


class PressGrammar:
    """Checks the syntax of SND at one level, for one variant."""

    def __init__(
        self,
        level: int,
        vocabulary: Vocabulary,
        *,
        partial_draws: bool,
        strict: bool = False,
    ) -> None:
        levels = APPENDIX if strict else PRESS_LEVELS
        drawn = (PARTIAL_DRAWS,) if partial_draws else ()
        self._rules: Final = rules_up_to(level, (TERMS, *levels, *drawn))
        self._terminals: Final = {
            **_TERMINALS,
            # Unlike in orders, powers and provinces must be those of the variant.
            "power": frozenset(vocabulary.powers),
            "province": frozenset(vocabulary.provinces),
        }
        self._grammar: Final = self._grammar_with(_VARIANT_CODES)
        # From multipart arrangements to nested ones.
        self._combines_once: Final = level in range(30, 50)

    def parts(self, tokens: Tokens) -> list[Tokens] | int:
        """Return the recipients, the content and the turn, if any.

        Returns the index as `Grammar.error_index` does if *tokens* are no press.
        """
        found = self._grammar.parts(tokens)
        if isinstance(found, int) and _is_first_inside_ambiguous(tokens, found):
            # In the codes of the original server, that token may itself be wrong.
            usual = self._norman.error_index(tokens)
            found = usual if usual == found - 2 else found
        if self._combines_once:
            checked = tokens[:found] if isinstance(found, int) else tokens
            second = _second_combination(checked)
            return found if second is None else second
        return found

    @cached_property
    def _norman(self) -> Grammar:
        """The same grammar, for the codes of the original server only."""
        return self._grammar_with({})

    def _grammar_with(self, codes: Terminals) -> Grammar:
        return Grammar(self._rules, {**self._terminals, **codes}, "send_message")


def _is_first_inside_ambiguous(tokens: Tokens, index: int) -> bool:
    """Return whether *index* is the first token inside an ambiguous one's brackets."""
    before = tokens[max(index - 2, 0) : index]
    return before[1:] == (BRA,) and before[0] in _AMBIGUOUS


def _second_combination(tokens: Tokens) -> int | None:
    """Return the index of the second AND or ORR, which levels below 50 forbid.

    Those inside HUH and TRY do not count.
    """
    found = depth = 0
    quoted_at: int | None = None
    for index, token in enumerate(tokens):
        depth += (token == BRA) - (token == KET)
        if quoted_at is not None:
            quoted_at = None if depth == quoted_at else quoted_at
        elif token in (HUH, TRY):
            quoted_at = depth
        elif token in (AND, ORR):
            found += 1
            if found > 1:
                return index
    return None

"""Press: what SND may carry, level by level.

The appendix of the Message Syntax document, with its damage repaired. Where its
prose, its tables and the original server's grammar differ, whatever one of them
allows is allowed: the server is a filter, and passing on too much does less harm
than refusing what a bot was told it may say. So a reply may stand wherever a
press message may.
"""

from collections.abc import Mapping
from functools import cached_property
from typing import Final

from .commands import TERMINALS, TERMS
from .grammar import Grammar, Terminals
from .notation import Level, rules_up_to
from .strict_press import STRICT_LEVELS
from .tokens import (
    ALY,
    AND,
    ANG,
    BCC,
    BRA,
    BWX,
    CCL,
    CHO,
    DMZ,
    DRW,
    ELS,
    EXP,
    FCT,
    FOR,
    FRM,
    FWD,
    HOW,
    HPY,
    HUH,
    IDK,
    IFF,
    INS,
    IOU,
    KET,
    NAR,
    NOT,
    OCC,
    ORR,
    PCE,
    POB,
    PPT,
    PRB,
    PRP,
    QRY,
    REJ,
    ROF,
    SCD,
    SLO,
    SND,
    SRY,
    SUG,
    TEXT,
    THK,
    THN,
    TRY,
    UHY,
    ULB,
    UNT,
    UOM,
    UUB,
    VSS,
    WHT,
    WHY,
    XDO,
    XOY,
    YDO,
    YES,
    Token,
    Tokens,
)
from .vocabulary import Vocabulary

MULTIPART: Final = 30
NESTED: Final = 50

LEVELS: Final = (
    Level(
        10,
        "Peace and Alliances",
        """
        send_message = SND (power_list) (message)
        send_message = SND (turn) (power_list) (message)
        message = press_message
        message = reply
        press_message = PRP (arrangement)
        press_message = TRY ([try_token try_token ...])
        press_message = CCL (message)
        press_message = FCT (arrangement)
        reply = YES (message)
        reply = REJ (message)
        reply = BWX (message)
        reply = HUH (any_token_sequence)
        arrangement = plain_arrangement
        arrangement = NOT (arrangement)
        arrangement = NAR (arrangement)
        plain_arrangement = PCE (power power_list)
        plain_arrangement = ALY (power_list) VSS (power_list)
        plain_arrangement = DRW
        plain_arrangement = SLO (power)
        """,
    ),
    Level(
        20,
        "Order proposals",
        """
        plain_arrangement = XDO (order)
        plain_arrangement = DMZ (power_list) (province_list)
        """,
    ),
    Level(
        MULTIPART,
        "Multipart Arrangements",
        """
        arrangement = AND (arrangement) (arrangement) (arrangement) ...
        arrangement = ORR (arrangement) (arrangement) (arrangement) ...
        """,
    ),
    Level(
        40,
        "Sharing out the Supply Centres",
        """
        plain_arrangement = SCD (sc_ownership_list) (sc_ownership_list) ...
        plain_arrangement = OCC (occ_unit_with_location) (occ_unit_with_location) ...
        occ_unit_with_location = unit_with_location
        occ_unit_with_location = power UNT province
        sc_ownership_list = power province_list
        sc_ownership_list = UNO province_list
        """,
    ),
    Level(
        NESTED,
        "Nested Multipart Arrangements",
        """
        arrangement = CHO (number number) (arrangement) (arrangement) ...
        """,
    ),
    Level(
        60,
        "Queries and Insistencies",
        """
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
        """,
    ),
    Level(
        70,
        "Requests for Suggestions",
        """
        press_message = request
        reply = IDK (request)
        request = WHT (unit_with_location)
        request = HOW (province)
        request = HOW (power)
        """,
    ),
    Level(
        80,
        "Accusations",
        """
        press_message = explanation
        reply = IDK (explanation)
        reply = SRY (explanation)
        explanation = EXP (turn) (message)
        """,
    ),
    Level(
        90,
        "Future Discussions",
        """
        arrangement = FOR (turn) (future_offer)
        arrangement = FOR (period) (future_offer)
        period = (turn) (turn)
        future_offer = plain_arrangement
        future_offer = NOT (future_offer)
        future_offer = NAR (future_offer)
        future_offer = AND (future_offer) (future_offer) (future_offer) ...
        future_offer = ORR (future_offer) (future_offer) (future_offer) ...
        future_offer = CHO (number number) (future_offer) (future_offer) ...
        """,
    ),
    Level(
        100,
        "Conditionals",
        """
        press_message = IFF (arrangement) THN (message)
        press_message = IFF (arrangement) THN (message) ELS (message)
        """,
    ),
    Level(
        110,
        "Puppets and Favours",
        """
        plain_arrangement = XOY (power) (power)
        plain_arrangement = YDO (power) (unit_with_location) (unit_with_location) ...
        """,
    ),
    Level(
        120,
        "Forwarding Press",
        """
        press_message = FRM (power) (power_list) (message)
        plain_arrangement = SND (power) (power_list) (message)
        plain_arrangement = FWD (power_list) (power) (power)
        plain_arrangement = BCC (power) (power_list) (power)
        """,
    ),
    Level(
        130,
        "Explanations",
        """
        reply = why_sequence
        reply = POB (why_sequence)
        reply = IDK (proposal)
        why_sequence = WHY (think_and_fact)
        why_sequence = WHY (proposal)
        think_and_fact = THK (arrangement)
        think_and_fact = FCT (arrangement)
        proposal = PRP (arrangement)
        proposal = INS (arrangement)
        proposal = SUG (arrangement)
        """,
    ),
    Level(
        140,
        "Sending Emotional State",
        """
        reply = UHY (press_message)
        reply = HPY (press_message)
        reply = ANG (press_message)
        """,
    ),
    Level(
        150,
        "Requesting and Demanding Offer",
        """
        plain_arrangement = ROF
        """,
    ),
    Level(
        160,
        "Utility Bounds",
        """
        plain_arrangement = ULB (power float)
        plain_arrangement = UUB (power float)
        float = number
        float = [sign] mantissa [exponent]
        mantissa = [digit digit ...] point digit digit ...
        mantissa = digit digit ... [point]
        exponent = letter_e [sign] digit digit ...
        """,
    ),
    Level(
        8000,
        "Free Text",
        """
        press_message = string
        """,
    ),
)

PARTIAL_DRAWS: Final = Level(
    10, "Peace and Alliances, PDA", "plain_arrangement = DRW (power power_list)"
)

TRY_LEVELS: Final[Mapping[Token, int]] = {
    **dict.fromkeys((PRP, PCE, ALY, VSS, DRW, SLO, NOT, NAR, YES, REJ, BWX, CCL), 10),
    **dict.fromkeys((FCT, HUH, TRY), 10),
    **dict.fromkeys((XDO, DMZ), 20),
    **dict.fromkeys((AND, ORR), 30),
    **dict.fromkeys((SCD, OCC, UNT), 40),
    **dict.fromkeys((CHO,), 50),
    **dict.fromkeys((INS, QRY, THK, IDK, SUG), 60),
    **dict.fromkeys((WHT, HOW), 70),
    **dict.fromkeys((EXP, SRY), 80),
    # Some programs say FCT with the code of FOR, and FOR with that of FWD.
    FOR: 10,
    FWD: 90,
    **dict.fromkeys((IFF, THN, ELS), 100),
    **dict.fromkeys((XOY, YDO), 110),
    **dict.fromkeys((FRM, BCC, SND), 120),
    **dict.fromkeys((WHY, POB), 130),
    **dict.fromkeys((UHY, HPY, ANG), 140),
    **dict.fromkeys((ROF,), 150),
    **dict.fromkeys((ULB, UUB), 160),
}
"""The level from which each token is passed on in TRY."""

REMOVED: Final = frozenset({IOU, PPT, UOM, PRB})
"""What clients list in TRY and is never passed on."""

_READINGS: Final[Terminals] = {
    # Programs differ in these codes; what heads what tells the readings apart.
    "CCL": frozenset({CCL, NAR}),
    "NAR": frozenset({CCL, NAR}),
    "FCT": frozenset({FCT, FOR}),
    "FOR": frozenset({FOR, FWD}),
    "FWD": frozenset({FWD, FCT}),
}


_DOUBTFUL: Final = frozenset().union(*_READINGS.values())


def _spelt(characters: str) -> frozenset[int]:
    return frozenset(Token(TEXT << 8 | ord(character)) for character in characters)


_TERMINALS: Final[Terminals] = {
    **TERMINALS,
    "try_token": REMOVED.union(TRY_LEVELS),
    "strict_try_token": frozenset(TRY_LEVELS) - {HUH, TRY},
    "sign": _spelt("+-"),
    "digit": _spelt("0123456789"),
    "point": _spelt("."),
    "letter_e": _spelt("Ee"),
}


class PressGrammar:
    """Tells whether SND, and what it carries, is syntax of a level of one variant."""

    def __init__(
        self,
        level: int,
        vocabulary: Vocabulary,
        *,
        partial_draws: bool,
        strict: bool = False,
    ) -> None:
        drawn = (PARTIAL_DRAWS,) if partial_draws else ()
        levels = (*(STRICT_LEVELS if strict else LEVELS), *drawn)
        own = {
            # Here, unlike in orders, powers and provinces must be of the map.
            "power": frozenset(vocabulary.powers),
            "province": frozenset(vocabulary.provinces),
        }
        self._rules: Final = rules_up_to(level, (TERMS, *levels))
        self._terminals: Final = {**_TERMINALS, **own}
        self._grammar: Final = self._grammar_with(_READINGS)
        self._is_nested: Final = not MULTIPART <= level < NESTED

    def fault(self, tokens: Tokens) -> int | None:
        """Return the place of the first token that is wrong, as `Grammar.fault`."""
        place = self._grammar.fault(tokens)
        if place is not None and _is_right_after_doubtful(tokens, place):
            # It began like another word of that code; what it says itself counts.
            usual = self._usual.fault(tokens)
            place = usual if usual == place - 2 else place
        if self._is_nested:
            return place
        second = _second_combination(tokens[:place])
        return place if second is None else second

    @cached_property
    def _usual(self) -> Grammar:
        """The same grammar for the usual dialect alone."""
        return self._grammar_with({})

    def _grammar_with(self, readings: Terminals) -> Grammar:
        return Grammar(self._rules, {**self._terminals, **readings}, "send_message")


def forwarded(content: Tokens, level: int) -> Tokens:
    """Return press as its recipients get it: TRY without tokens above *level*."""
    if content[:1] != (TRY,):
        return content
    _, _, *listed, _ = content
    kept = (token for token in listed if TRY_LEVELS.get(token, level + 1) <= level)
    return TRY, BRA, *kept, KET


def _is_right_after_doubtful(tokens: Tokens, place: int) -> bool:
    """Return whether *place* begins what a word of several readings encloses."""
    word, bracket = (*tokens[max(place - 2, 0) : place], BRA, BRA)[:2]
    return bracket == BRA and word in _DOUBTFUL


def _second_combination(tokens: Tokens) -> int | None:
    """Return the place of the second AND or ORR: level 30 has no place for it.

    Those that HUH quotes and TRY lists do not count.
    """
    found = depth = 0
    quoted_at: int | None = None
    for place, token in enumerate(tokens):
        depth += (token == BRA) - (token == KET)
        if quoted_at is not None:
            quoted_at = None if depth == quoted_at else quoted_at
        elif token in (HUH, TRY):
            quoted_at = depth
        elif token in (AND, ORR):
            found += 1
            if found > 1:
                return place
    return None

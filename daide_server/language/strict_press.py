"""Press by the letter: the appendix alone, with its damage repaired.

What `press` allows beyond it, because the prose or the original server did, is
refused here: replies to replies, AND and ORR at level 30 outside PRP, NAR within
FOR, HUH and TRY listed in TRY. The levels 140 to 160 stand in no appendix; they
are what the prose says.
"""

from collections.abc import Container
from typing import Final

from .notation import Level
from .tokens import (
    BRA,
    FCT,
    HOW,
    INS,
    NOT,
    PRP,
    QRY,
    SUG,
    THK,
    Token,
    Tokens,
)

STRICT_LEVELS: Final = (
    Level(
        10,
        "Peace and Alliances",
        """
        send_message = SND (power_list) (message)
        send_message = SND (turn) (power_list) (message)
        message = press_message
        message = reply
        press_message = PRP (arrangement)
        press_message = TRY ([strict_try_token strict_try_token ...])
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
        30,
        "Multipart Arrangements",
        """
        press_message = PRP (logical_operator)
        logical_operator = AND (arrangement) (arrangement) (arrangement) ...
        logical_operator = ORR (arrangement) (arrangement) (arrangement) ...
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
        50,
        "Nested Multipart Arrangements",
        """
        arrangement = logical_operator
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
        press_message = WHT (unit_with_location)
        press_message = HOW (province)
        press_message = HOW (power)
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
        future_offer = AND (future_offer) (future_offer) (future_offer) ...
        future_offer = ORR (future_offer) (future_offer) (future_offer) ...
        future_offer = CHO (number number) (future_offer) (future_offer) ...
        """,
    ),
    Level(
        100,
        "Conditionals",
        """
        press_message = IFF (arrangement) THN (press_message)
        press_message = IFF (arrangement) THN (press_message) ELS (press_message)
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
        reply = WHY (proposal)
        reply = IDK (proposal)
        why_sequence = WHY (think_and_fact)
        think_and_fact = THK (arrangement)
        think_and_fact = FCT (arrangement)
        proposal = SUG (arrangement)
        proposal = PRP (arrangement)
        proposal = INS (arrangement)
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

ABOUT_THE_LIVING: Final = frozenset({PRP, INS, QRY, SUG, THK, FCT, HOW})
"""Press about which the document says that it must not name eliminated powers."""

_QUERIES: Final = ((BRA, QRY), (BRA, NOT, BRA, QRY))


def eliminated_place(content: Tokens, eliminated: Container[Token]) -> int | None:
    """Return the place in press of the first power that it must not name.

    Answers have to repeat what they answer, and may name anybody.
    """
    if content[0] not in ABOUT_THE_LIVING or _answers_query(content):
        return None
    places = (place for place, token in enumerate(content) if token in eliminated)
    return next(places, None)


def _answers_query(content: Tokens) -> bool:
    return any(content[1 : 1 + len(query)] == query for query in _QUERIES)

"""The grammar of press, the content of SND, level by level.

Message Syntax, appendix, with its misprints corrected: this is all that a strict server
accepts. A lenient server also accepts what the document's prose or the original
server's grammar allows: forwarding too much does less harm than refusing press that a
bot author found in the document.
"""

from typing import Final

from .grammar import Level

MULTIPART: Final = 30
NESTED: Final = 50

APPENDIX: Final = (
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
        MULTIPART,
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
        NESTED,
        "Nested Multipart Arrangements",
        """
        arrangement = AND (arrangement) (arrangement) (arrangement) ...
        arrangement = ORR (arrangement) (arrangement) (arrangement) ...
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
    Level(150, "Requesting and Demanding Offer", "plain_arrangement = ROF"),
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
    Level(8000, "Free Text", "press_message = string"),
)
"""The rules of the appendix; levels 140 to 160 follow the prose."""

PRESS_BEYOND_APPENDIX: Final = (
    Level(
        10,
        "the original server does not separate press from replies",
        """
        reply = YES (message)
        reply = REJ (message)
        reply = BWX (message)
        """,
    ),
    Level(
        10,
        "the prose allows HUH and TRY; some clients list removed tokens",
        """
        press_message = TRY ([listed listed ...])
        listed = try_token
        listed = HUH
        listed = TRY
        listed = IOU
        listed = PPT
        listed = UOM
        listed = PRB
        """,
    ),
    Level(
        MULTIPART,
        "the prose allows AND and ORR wherever an arrangement may stand",
        """
        arrangement = AND (arrangement) (arrangement) (arrangement) ...
        arrangement = ORR (arrangement) (arrangement) (arrangement) ...
        """,
    ),
    Level(
        70,
        "the prose allows the answer that one has no suggestion",
        """
        reply = IDK (WHT (unit_with_location))
        reply = IDK (HOW (province))
        reply = IDK (HOW (power))
        """,
    ),
    Level(
        90,
        "the prose, Level 10: NAR may precede all arrangements",
        "future_offer = NAR (future_offer)",
    ),
    Level(
        100,
        "the original server allows conditions before replies",
        """
        press_message = IFF (arrangement) THN (message)
        press_message = IFF (arrangement) THN (message) ELS (message)
        """,
    ),
    Level(
        130,
        "the prose allows WHY after all proposals",
        "why_sequence = WHY (proposal)",
    ),
)
"""Press that a strict server refuses; each title names the source."""

PRESS_LEVELS: Final = (*APPENDIX, *PRESS_BEYOND_APPENDIX)
"""The rules of a lenient server."""

PARTIAL_DRAWS: Final = Level(
    10, "Peace and Alliances, PDA", "plain_arrangement = DRW (power power_list)"
)

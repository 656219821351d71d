"""What press each level allows: the appendix, and the tables 5.2 to 5.5 and 6.3."""

import pytest

from daide_server.daide import press
from daide_server.daide.commands import LANGUAGE_LEVELS
from daide_server.daide.vocabulary import Vocabulary, from_text, to_text
from tests.daide.conftest import Answers, lines

PRESS = """
    10: PRP (PCE (ENG FRA))
    10: PRP (ALY (ENG FRA) VSS (GER))
    10: PRP (DRW)
    10: PRP (SLO (ENG))
    10: PRP (NOT (PCE (ENG FRA)))
    10: PRP (NAR (PCE (ENG FRA)))
    10: PRP (NOT (NOT (DRW)))
    10: CCL (PRP (DRW))
    10: CCL (YES (PRP (DRW)))
    10: FCT (DRW)
    10: TRY ()
    10: TRY (PRP PCE)
    10: TRY (PRP POB ULB UNT HUH TRY IOU PPT UOM 0x4E05)
    10: YES (PRP (DRW))
    10: REJ (PRP (DRW))
    10: BWX (PRP (DRW))
    10: HUH (ERR PRP (0x4AFE (ULB (ENG))))
    10: HUH ()
    10: YES (YES (PRP (DRW)))
    20: PRP (ERR XDO ((ENG FLT LON) MTO NTH))
    20: PRP (ERR XDO ((RUS FLT (STP NCS)) SUP (ENG FLT LON) MTO NTH))
    20: PRP (ERR XDO (RUS WVE))
    20: PRP (ERR DMZ (ENG FRA) (ECH PIC))
    30: PRP (ERR AND (DRW) (SLO (ENG)))
    30: PRP (ERR ORR (DRW) (SLO (ENG)) (PCE (ENG FRA)))
    30: PRP (NOT (ERR AND (DRW) (SLO (ENG))))
    40: PRP (ERR SCD (ENG LON NWY) (FRA PAR) (UNO SPA))
    40: PRP (ERR OCC (ENG UNT BEL) (RUS FLT (STP NCS)))
    50: PRP (ORR (ERR AND (DRW) (SLO (ENG))) (AND (DRW) (SLO (FRA))))
    50: PRP (ERR CHO (2 2) (SCD (ENG NWY)) (SCD (ENG DEN)) (SCD (ENG SWE)))
    50: PRP (ERR CHO (1 1) (DRW))
    60: ERR INS (DRW)
    60: ERR QRY (DRW)
    60: ERR SUG (DRW)
    60: ERR THK (DRW)
    60: ERR THK (QRY (DRW))
    60: ERR THK (NOT (QRY (DRW)))
    60: FCT (ERR QRY (DRW))
    60: FCT (NOT (ERR QRY (DRW)))
    60: ERR IDK (QRY (DRW))
    60: ERR INS (ORR (AND (DRW) (DRW)) (CHO (1 1) (DRW) (DRW)))
    70: ERR WHT (ENG FLT LON)
    70: ERR WHT (RUS FLT (STP NCS))
    70: ERR HOW (LON)
    70: ERR HOW (ENG)
    70: IDK (ERR WHT (ENG FLT LON))
    70: IDK (ERR HOW (ENG))
    70: REJ (ERR HOW (LON))
    80: ERR EXP (SPR 1901) (PRP (DRW))
    80: ERR EXP (SPR 1901) (YES (PRP (DRW)))
    80: YES (ERR EXP (SPR 1901) (PRP (DRW)))
    80: IDK (ERR EXP (SPR 1901) (YES (PRP (DRW))))
    80: ERR SRY (EXP (SPR 1901) (PRP (DRW)))
    90: PRP (ERR FOR (SPR 1902) (DRW))
    90: PRP (ERR FOR ((SPR 1902) (FAL 1903)) (DRW))
    90: PRP (NOT (ERR FOR (SPR 1902) (NOT (XDO ((ENG FLT LON) HLD)))))
    90: PRP (ERR FOR (SPR 1902) (NAR (AND (DRW) (SLO (ENG)))))
    90: PRP (AND (ERR FOR (SPR 1902) (DRW)) (FOR (FAL 1902) (DRW)))
    90: PRP (ERR FOR ((SPR 1902) (FAL 1903)) (AND (DRW) (NOT (DRW))))
    90: PRP (ERR FOR (SPR 1902) (ORR (DRW) (CHO (1 1) (DRW))))
    100: ERR IFF (DRW) THN (PRP (DRW))
    100: ERR IFF (NOT (DRW)) THN (PRP (DRW)) ELS (INS (DRW))
    100: ERR IFF (DRW) THN (YES (PRP (DRW)))
    110: PRP (ERR XOY (ENG) (FRA))
    110: PRP (ERR YDO (ENG) (FRA FLT BRE) (FRA AMY PAR))
    120: PRP (ERR SND (ENG) (FRA GER) (PRP (DRW)))
    120: PRP (FOR (SPR 1901) (ERR SND (ENG) (FRA) (PRP (FOR (FAL 1901) (DRW)))))
    120: PRP (ERR FWD (ENG FRA) (GER) (ITA))
    120: PRP (NOT (ERR BCC (ENG) (FRA GER) (ITA)))
    120: ERR FRM (ENG) (FRA GER) (PRP (DRW))
    120: ERR FRM (ENG) (FRA GER) (YES (PRP (DRW)))
    120: PRP (ERR SND (ENG) (FRA GER) (REJ (PRP (DRW))))
    130: ERR WHY (THK (DRW))
    130: ERR WHY (FCT (DRW))
    130: ERR WHY (SUG (DRW))
    130: ERR WHY (PRP (DRW))
    130: ERR WHY (INS (DRW))
    130: ERR POB (WHY (THK (DRW)))
    130: ERR POB (WHY (PRP (DRW)))
    130: IDK (ERR PRP (DRW))
    130: BWX (ERR WHY (THK (DRW)))
    140: ERR UHY (PRP (DRW))
    140: ERR HPY (PRP (DRW))
    140: ERR ANG (THK (DRW))
    150: PRP (ERR ROF)
    150: INS (ERR ROF)
    160: PRP (ERR ULB (GER 0.8))
    160: INS (ERR UUB (GER '-1.5e+3'))
    160: PRP (ERR ULB (GER 1))
    160: PRP (ERR ULB (GER '1'))
    160: PRP (ERR ULB (GER .5))
    160: PRP (ERR ULB (GER 5.))
    160: IFF (DRW) THN (PRP (ERR ULB (GER 0.8))) ELS (INS (UUB (GER 0.1)))
    8000: ERR 'Shall we talk?'
    8000: YES (ERR 'Shall we talk?')
"""

BEYOND = """
    10: YES (ERR YES (PRP (DRW)))
    10: REJ (ERR BWX (PRP (DRW)))
    10: TRY (PRP POB ULB UNT ERR HUH TRY IOU PPT UOM 0x4E05)
    10: TRY (PRP ERR TRY)
    10: TRY (PRP ERR IOU)
    10: TRY (PRP ERR PPT)
    10: TRY (PRP ERR UOM)
    10: TRY (PRP ERR 0x4E05)
    30: PRP (NOT (ERR AND (DRW) (SLO (ENG))))
    30: FCT (ERR ORR (DRW) (SLO (ENG)))
    70: IDK (ERR WHT (ENG FLT LON))
    70: IDK (ERR HOW (LON))
    70: IDK (ERR HOW (ENG))
    90: PRP (FOR (SPR 1902) (ERR NAR (AND (DRW) (SLO (ENG)))))
    100: IFF (DRW) THN (ERR YES (PRP (DRW)))
    100: IFF (DRW) THN (PRP (DRW)) ELS (ERR BWX (PRP (DRW)))
    130: BWX (ERR WHY (THK (DRW)))
    130: POB (WHY (ERR PRP (DRW)))
"""


def below(level: int) -> int:
    """Return the level before *level*."""
    return max(
        (each.number for each in press.APPENDIX if each.number < level), default=0
    )


@pytest.mark.parametrize(("level", "marked"), lines(PRESS))
def test_press_is_allowed_from_its_level_on(
    answer: Answers, vocabulary: Vocabulary, level: int, marked: str
) -> None:
    """ERR is where the level below stops understanding: at SND, below level 10.

    A strict server understands at its level what is in the appendix.
    """
    said = marked if level == 10 else marked.replace("ERR ", "")
    message = f"SND (FRA GER) ({said})"
    refused = f"SND (FRA GER) ({marked})" if level > 10 else f"ERR {message}"
    tokens = from_text(f"HUH ({refused})", vocabulary)

    assert answer(message, level) == ""
    assert answer(message, 8000) == ""
    assert answer(message, below(level)) == to_text(tokens, vocabulary)
    is_refused = (level, said) in lines(BEYOND.replace("ERR ", ""))
    assert bool(answer(message, level, strict=True)) is is_refused


@pytest.mark.parametrize(("level", "marked"), lines(BEYOND))
def test_what_is_beyond_the_appendix_is_understood_unless_the_server_is_strict(
    answer: Answers, vocabulary: Vocabulary, level: int, marked: str
) -> None:
    message = f"SND (FRA) ({marked.replace('ERR ', '')})"
    tokens = from_text(f"HUH (SND (FRA) ({marked}))", vocabulary)

    assert answer(message, level) == ""
    assert answer(message, level, strict=True) == to_text(tokens, vocabulary)


@pytest.mark.parametrize(
    ("level", "sent", "received"),
    [
        (10, "TRY (PRP XDO PCE IOU 0x4E05 POB)", "TRY (PRP PCE)"),
        (10, "TRY (ULB)", "TRY ()"),
        (40, "TRY (UNT SCD CHO)", "TRY (UNT SCD)"),
        (10, "TRY (0x4A06 0x4A07 0x4A08 0x4A25 0x4A26)", "TRY (FCT FOR CCL NAR)"),
        (90, "TRY (FWD FOR)", "TRY (FWD FOR)"),
        (160, "TRY (ULB UOM)", "TRY (ULB)"),
        (10, "YES (TRY (ULB))", "YES (TRY (ULB))"),
        (10, "PRP (DRW)", "PRP (DRW)"),
    ],
)
def test_try_is_passed_on_without_the_tokens_of_higher_levels(
    vocabulary: Vocabulary, level: int, sent: str, received: str
) -> None:
    """Only a TRY that is itself the press, not one that is quoted."""
    assert press.forwarded(from_text(sent, vocabulary), level) == (
        from_text(received, vocabulary)
    )


def test_tokens_are_passed_on_from_a_level_that_there_is() -> None:
    """Every token of TRY is understood at some level, and from there on."""
    assert set(press.TRY_LEVELS.values()) <= set(LANGUAGE_LEVELS)


WRONG = """
    10: PRP (PCE (ENG ERR))
    10: PRP (PCE (ENG ERR 0x4109))
    10: PRP (ALY (ENG FRA) ERR)
    10: PRP (DRW ERR (ENG FRA))
    10: PRP (ERR)
    10: ERR DRW
    10: ERR UHY (PRP (DRW))
    10: PRP (SLO (ENG)) ERR (DRW)
    10: TRY (PRP ERR LON)
    10: TRY (PRP ERR 0x4AFE)
    20: PRP (XDO ((ENG FLT ERR 0x50FE) HLD))
    20: PRP (DMZ (ENG) (ECH ERR (STP NCS)))
    20: PRP (ERR AND (DRW) (DRW))
    30: PRP (AND (DRW) ERR)
    30: PRP (AND (DRW) (ERR ORR (DRW) (DRW)))
    30: PRP (NOT (AND (DRW) (NOT (ERR AND (DRW) (DRW)))))
    30: PRP (AND (DRW) (ERR ORR))
    30: PRP (AND (ERR 0x4AFE) (ORR (DRW) (DRW)))
    50: PRP (CHO (1 ERR) (DRW))
    50: PRP (CHO (1 2) ERR)
    90: PRP (FOR (SPR 1902) (ERR FOR (SPR 1903) (DRW)))
    90: PRP (FOR (SPR 1902) (NOT (ERR FOR (SPR 1903) (DRW))))
    100: IFF (DRW) ERR
    100: IFF (DRW) THN (PRP (DRW)) ERR THN
    160: PRP (ULB (GER ERR))
    160: PRP (ULB (GER 0x4B31 ERR 0x4B78))
    160: PRP (ULB (GER 0x4B2D 0x4B2E ERR))
    160: PRP (ULB (GER 0x4B31 0x4B65 ERR))
    120: PRP (ERR FCT (DRW))
    120: ERR FOR (SPR 1902) (DRW)
    120: PRP (FWD (ENG) (FRA) ERR)
    130: ERR 'Shall we talk?'
    8000: PRP (ERR 'Shall we talk?')
"""


@pytest.mark.parametrize(("level", "marked"), lines(WRONG))
def test_err_stands_before_the_first_wrong_token(
    answer: Answers, vocabulary: Vocabulary, level: int, marked: str
) -> None:
    """Until level 50 combinations are not nested, nor two of them in one message."""
    message = f"SND (SPR 1901) (FRA) ({marked})"
    tokens = from_text(f"HUH ({message})", vocabulary)

    assert answer(message.replace("ERR", ""), level) == to_text(tokens, vocabulary)


def test_a_strict_server_has_combinations_at_level_30_only_in_proposals(
    answer: Answers,
) -> None:
    said = "SND (FRA) (PRP (AND (DRW) (ORR (DRW) (DRW))))"

    assert answer(said, 30, strict=True) == (
        "HUH ( SND ( FRA ) ( PRP ( AND ( DRW ) ( ERR ORR ( DRW ) ( DRW ) ) ) ) )"
    )


def test_combinations_that_huh_quotes_or_try_lists_do_not_count(
    answer: Answers,
) -> None:
    assert answer("SND (FRA) (HUH (ERR PRP (AND (AND) (ORR))))", 30) == ""
    assert answer("SND (FRA) (TRY (AND ORR AND))", 30) == ""


def test_a_draw_of_some_powers_is_press_of_games_with_partial_draws(
    answer: Answers,
) -> None:
    said = "SND (FRA) (PRP (DRW (ENG FRA)))"

    assert answer(said, 10, partial_draws=True) == ""
    assert answer(said, 10) == ("HUH ( SND ( FRA ) ( PRP ( DRW ERR ( ENG FRA ) ) ) )")


@pytest.mark.parametrize("recipients", ["0x4107", "FRA 0x41FF"])
def test_recipients_must_be_powers_of_the_game(
    answer: Answers, recipients: str
) -> None:
    marked = recipients.replace("0x", "ERR 0x")

    assert answer(f"SND ({recipients}) (PRP (DRW))", 10) == (
        f"HUH ( SND ( {marked} ) ( PRP ( DRW ) ) )"
    )


@pytest.mark.parametrize(
    "said",
    [
        "0x4A26 (PRP (DRW))",
        "PRP (0x4A25 (DRW))",
        "0x4A07 (DRW)",
        "PRP (0x4A08 (SPR 1901) (DRW))",
        "PRP (0x4A06 (ENG) (FRA) (GER))",
    ],
)
def test_codes_that_programs_disagree_on_are_told_apart_by_their_place(
    answer: Answers, said: str
) -> None:
    """CCL or NAR, FCT, FOR or FWD: only one of them fits where it stands."""
    assert answer(f"SND (FRA) ({said})", 120) == ""


WORDS = Vocabulary.standard()


@pytest.mark.parametrize(
    ("content", "place"),
    [
        ("PRP (PCE (FRA ENG))", None),
        ("PRP (PCE (FRA TUR ENG))", 5),
        ("THK (NOT (SLO (TUR)))", 6),
        ("HOW (TUR)", 2),
        ("YES (PRP (PCE (FRA TUR)))", None),
        ("THK (QRY (SLO (TUR)))", None),
        ("FCT (NOT (QRY (SLO (TUR))))", None),
    ],
)
def test_new_press_must_not_name_who_is_out(content: str, place: int | None) -> None:
    """An answer repeats what it answers."""
    out = {WORDS.tokens["TUR"]}
    assert press.eliminated_index(from_text(content, WORDS), out) == place

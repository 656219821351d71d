"""What clients may say, by level: the appendix, and the tables 6.1 and 6.2."""

from collections.abc import Callable

import pytest

Answers = Callable[..., str]

LEVEL_0 = """
    NME ('Albert') ('v6.0.1')
    OBS
    IAM (FRA) (1234)
    MAP
    MDF
    YES (MAP ('standard'))
    REJ (MAP ('standard'))
    YES (SVE ('game1'))
    REJ (SVE ('game1'))
    REJ (LOD ('game1'))
    NOW
    SCO
    HST (SPR 1901)
    HST
    TME (60)
    TME
    ADM ('Me') ('Hello')
    PRN (NOW ()
    HUH (ERR NOW)
    HLO
    SUB ((ENG AMY LVP) HLD)
    SUB ((ENG FLT LON) MTO NTH)
    SUB ((ENG FLT BAR) MTO (STP NCS))
    SUB ((ENG FLT EDI) SUP (ENG FLT LON))
    SUB ((ENG FLT NWY) SUP (ENG FLT BAR) MTO STP)
    SUB ((ITA FLT ION) CVY (ITA AMY TUN) CTO SYR)
    SUB ((ITA AMY TUN) CTO SYR VIA (ION EAS))
    SUB ((RUS FLT (STP SCS)) RTO GOB)
    SUB ((RUS FLT (STP SCS)) DSB)
    SUB ((ITA FLT NAP) BLD)
    SUB ((RUS FLT GOB) REM)
    SUB (RUS WVE)
    SUB (SPR 1901) ((ENG AMY LVP) HLD) ((ENG FLT LON) MTO NTH)
    NOT (SUB)
    NOT (SUB ((ENG AMY LVP) HLD))
    NOT (GOF)
    NOT (DRW)
    NOT (TME)
    NOT (TME (60))
    MIS
    GOF
    ORD
    DRW
"""

LEVEL_10 = """
    DRW (ENG FRA)
    NOT (DRW (ENG FRA GER))
    SND (FRA) (PRP (PCE (ENG FRA)))
    SND (SPR 1901) (FRA GER) (PRP (DRW))
"""

UNPAIRED = """
    IAM ( NOT
    IAM ) NOT (
    SUB ( ( ENG FLT LON ) HLD
    GOF )
    ) GOF (
    YES ( ( MAP
"""

WRONG = """
    0: ERR WHT ( YES )
    0: NME ( 'a' ) ERR
    0: NME ( 'a' ) ( ERR -3 )
    10: DRW ( ENG ERR )
    40: SND ( FRA ) ( PRP ( SCD ( ENG ERR ) ) )
    40: SND ( ENG ) ( PRP ( ORR ( NOT ( DRW ) ) ( ERR AND ( SLO ( ENG ) ) ( DRW ) ) ) )
    10: SND ( FRA ) ( PRP ( ERR XDO ( ( ENG FLT LON ) HLD ) ) )
    0: ERR ( ENG FLT LON ) HLD
    0: SUB ERR
    0: SUB ( ( ENG FLT LON ) MTO ERR )
    0: MAP ERR ( 'standard' )
    0: ERR 0x4AFE
    0: ERR ENG FLT LON WVE
    0: SUB ( SPR 1901 ) ERR
    0: SUB ( ERR ) ( ENG WVE )
    0: SUB ( ENG WVE ) ( ERR SPR 1901 )
    0: SUB ( ENG WVE ) ERR HLD
    0: ERR SND ( FRA ) ( PRP ( DRW ) )
    0: DRW ERR ( ENG FRA )
    0: NOT ( DRW ERR ( ENG FRA ) )
    0: YES ( ERR NME ( 'a' ) ( 'b' ) )
    0: YES ( ERR LOD ( 'game1' ) )
    0: OBS ERR ( 'a' ) ( 'b' )
    0: NME ( ERR ) ( 'b' )
    0: NME ( 'a' ERR 1 ) ( 'b' )
    0: HST ( ERR 1901 )
    0: HST ( SPR ERR )
    0: HST ( ERR 0x4705 1901 )
    0: TME ( ERR SPR )
    0: IAM ( ERR LON ) ( 1 )
    0: SUB ( ( ENG FLT LON ) SUP ( ENG AMY LVP ) MTO ERR ( STP NCS ) )
    0: SUB ( ( ENG AMY LVP ) CTO NWY ERR )
    0: SUB ( ( ENG ERR UNT LVP ) HLD )
    0: ERR THX ( ( ENG FLT LON ) HLD ) ( MBV )
    0: ERR OFF
"""


def lines(text: str) -> list[str]:
    return [line.strip() for line in text.strip().splitlines()]


@pytest.mark.parametrize("text", lines(LEVEL_0))
@pytest.mark.parametrize("level", [0, 130])
def test_level_0_is_understood_at_every_level(
    answer: Answers, text: str, level: int
) -> None:
    assert answer(text, level) == ""


@pytest.mark.parametrize("text", lines(LEVEL_10))
def test_level_10_is_understood_from_level_10(answer: Answers, text: str) -> None:
    assert answer(text, 10) == ""
    assert answer(text, 0).startswith("HUH (")


@pytest.mark.parametrize("text", lines(UNPAIRED))
def test_brackets_that_do_not_pair_are_answered_with_prn(
    answer: Answers, text: str
) -> None:
    """Section 6.1: PRN, open, the message as it came, close."""
    assert answer(text) == f"PRN ( {text} )"


@pytest.mark.parametrize("line", lines(WRONG))
def test_err_stands_before_the_first_wrong_token(answer: Answers, line: str) -> None:
    """Section 6.2: what is missing in a part makes its close bracket wrong."""
    level, _, marked = line.partition(": ")
    said = marked.replace("ERR ", "").removesuffix(" ERR")

    assert answer(said, int(level)) == f"HUH ( {marked} )"


@pytest.mark.parametrize(
    "text", ["PRN ( ( )", "PRN ) (", "PRN", "HUH ( ) )", "HUH ERR"]
)
def test_prn_and_huh_are_never_answered(answer: Answers, text: str) -> None:
    assert answer(text) == ""

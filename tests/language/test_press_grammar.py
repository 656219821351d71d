"""Where ERR stands in press that is wrong, and what hangs on the game or the sender."""

import pytest

from daide_server.language.press_grammar import eliminated_place
from daide_server.language.text import from_text, to_text
from daide_server.language.vocabulary import Vocabulary
from tests.language.conftest import Answers, lines

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
    message = f"SND (SPR 1901) (FRA) ({marked})"
    tokens = from_text(f"HUH ({message})", vocabulary)

    assert answer(message.replace("ERR", ""), level) == to_text(tokens, vocabulary)


@pytest.mark.parametrize(
    "marked",
    [
        "PRP (AND (DRW) (ERR ORR (DRW) (DRW)))",
        "PRP (NOT (AND (DRW) (NOT (ERR AND (DRW) (DRW)))))",
        "PRP (AND (DRW) (ERR ORR))",
        "PRP (AND (ERR XXX) (ORR (DRW) (DRW)))",
    ],
)
def test_at_level_30_a_second_combination_is_one_too_many(
    answer: Answers, vocabulary: Vocabulary, marked: str
) -> None:
    """They must not be nested, nor both be in one message, until level 50."""
    message = f"SND (FRA) ({marked})".replace("XXX", "0x4AFE")
    tokens = from_text(f"HUH ({message})", vocabulary)

    assert answer(message.replace("ERR ", ""), 30) == to_text(tokens, vocabulary)


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
    assert eliminated_place(from_text(content, WORDS), out) == place

"""What a strict server does not understand, and where it says so."""

import pytest

from daide_server.board.variant import Variant
from daide_server.language.errors import LanguageError
from daide_server.language.press import LEVELS
from daide_server.language.reading import ClientReader
from daide_server.language.strict_press import STRICT_LEVELS, eliminated_place
from daide_server.language.text import from_text
from daide_server.language.tokens import ERR
from daide_server.language.vocabulary import Vocabulary

REFUSED = """
    10: YES (ERR YES (PRP (DRW)))
    10: TRY (PRP ERR TRY)
    10: TRY (PRP ERR IOU)
    30: PRP (NOT (ERR AND (DRW) (SLO (ENG))))
    30: PRP (AND (DRW) (ERR ORR (DRW) (DRW)))
    70: IDK (ERR WHT (ENG FLT LON))
    90: PRP (FOR (SPR 1902) (ERR NAR (DRW)))
    100: IFF (DRW) THN (ERR YES (PRP (DRW)))
    100: IFF (DRW) THN (PRP (DRW)) ELS (ERR BWX (PRP (DRW)))
    130: BWX (ERR WHY (THK (DRW)))
    130: POB (WHY (ERR PRP (DRW)))
"""

ALLOWED = """
    10: CCL (YES (PRP (DRW)))
    10: PRP (NAR (DRW))
    10: TRY (PRP ULB)
    30: PRP (AND (DRW) (SLO (ENG)))
    60: INS (ORR (AND (DRW) (DRW)) (CHO (1 1) (DRW) (DRW)))
    60: FCT (NOT (QRY (DRW)))
    80: YES (EXP (SPR 1901) (YES (PRP (DRW))))
    90: PRP (FOR ((SPR 1902) (FAL 1903)) (AND (DRW) (NOT (DRW))))
    120: FRM (ENG) (FRA GER) (YES (PRP (DRW)))
    120: PRP (SND (ENG) (FRA GER) (REJ (PRP (DRW))))
    130: WHY (SUG (DRW))
    130: POB (WHY (FCT (DRW)))
    140: HPY (PRP (DRW))
    150: INS (ROF)
    160: PRP (ULB (GER 0.8))
    8000: YES ('Shall we talk?')
"""

WORDS = Vocabulary.standard()
LINES = [line.strip().partition(": ") for line in REFUSED.strip().splitlines()]
GOOD = [line.strip().partition(": ") for line in ALLOWED.strip().splitlines()]


def place_of_err(standard: Variant, said: str, level: int, *, strict: bool) -> int:
    """Return where the server puts ERR into *said*; -1 if it understands."""
    reader = ClientReader(WORDS, standard.map, level, strict=strict)
    try:
        reader.read(from_text(f"SND (FRA) ({said})".replace("ERR ", ""), WORDS))
    except LanguageError as error:
        return error.reply.message.index(ERR)
    return -1


@pytest.mark.parametrize(("level", "said"), [(int(a), b) for a, _, b in LINES])
def test_what_is_in_no_table_is_refused(
    standard: Variant, level: int, said: str
) -> None:
    """The lenient server understands it, save two combinations at level 30."""
    place = from_text(f"SND (FRA) ({said})".replace("IOU", "0x4A0D"), WORDS).index(ERR)
    plain = said.replace("IOU", "0x4A0D")
    assert place_of_err(standard, plain, level, strict=True) == place
    if "ORR" not in said:
        assert place_of_err(standard, plain, level, strict=False) == -1


@pytest.mark.parametrize(("level", "said"), [(int(a), b) for a, _, b in GOOD])
def test_what_is_in_the_tables_is_understood(
    standard: Variant, level: int, said: str
) -> None:
    """At its level, and not one below."""
    below = max(each.number for each in LEVELS if each.number < max(level, 20))
    assert place_of_err(standard, said, level, strict=True) == -1
    if level > 10:
        assert place_of_err(standard, said, below, strict=True) > 0


def test_strictness_has_the_same_levels() -> None:
    """Number by number, with the same titles."""
    assert [(each.number, each.title) for each in STRICT_LEVELS] == [
        (each.number, each.title) for each in LEVELS
    ]


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

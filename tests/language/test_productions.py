import pytest

from daide_server.language.productions import (
    BracketedPart,
    Level,
    OptionalPart,
    Repeat,
    parse,
    rules_up_to,
)


@pytest.mark.parametrize(
    ("composition", "items"),
    [
        ("GOF", ("GOF",)),
        ("TME ( number )", ("TME", BracketedPart(("number",)))),
        ("power power ...", (Repeat("power"),)),
        ("power power power ...", ("power", Repeat("power"))),
        (
            "(turn) (order) (order) ...",
            (BracketedPart(("turn",)), Repeat(BracketedPart(("order",)))),
        ),
        (
            "TRY ([token token ...])",
            ("TRY", BracketedPart((OptionalPart((Repeat("token"),)),))),
        ),
        ("", ()),
    ],
)
def test_the_notation_of_the_document(
    composition: str, items: tuple[object, ...]
) -> None:
    """Twice and dots is one or more, three times and dots two or more."""
    assert parse(composition) == items


def test_a_level_includes_all_levels_below() -> None:
    levels = (
        Level(0, "low", "word = GOF\nword = MIS"),
        Level(10, "middle", "word = OBS"),
        Level(20, "high", "other = HLO"),
    )

    assert rules_up_to(10, levels) == {"word": (("GOF",), ("MIS",), ("OBS",))}

"""docs/examine.md lists the scenes that there are."""

from tools.write_scenes import PAGE, with_scenes


def test_the_table_of_scenes_is_up_to_date() -> None:
    """`make scenes` writes it."""
    text = PAGE.read_text(encoding="utf-8")

    assert with_scenes(text) == text

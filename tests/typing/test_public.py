"""What is public is listed; its types are what `typed_*.py` beside this file say.

Those programs use public names with `assert_type`, and misuse them on lines that must
be errors. `make check` runs mypy over them, as over all tests, `make pyright` pyright.
"""

import re
from pathlib import Path

from daide_server import bots
from tests.support.public_api import LIST, public_api


def test_what_is_public_is_listed() -> None:
    """`make api` writes the list; what has changed belongs into a news fragment."""
    assert public_api() == LIST.read_text("utf-8")


def test_what_bots_export_can_be_imported() -> None:
    """Each name stands in three lists, the last of which says where it is."""
    missing = [name for name in bots.__all__ if not hasattr(bots, name)]
    assert not missing


def test_every_way_to_a_game_is_checked() -> None:
    """By the program of a bot author."""
    text = (Path(__file__).parent / "typed_bot.py").read_text("utf-8")
    functions = {name for name in bots.__all__ if name.islower()}
    assert functions - set(re.findall(r"\w+", text)) == {
        "adjudicate",  # in typed_judge.py
        "possible_adjustments",
    }

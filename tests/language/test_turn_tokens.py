import pytest
from hypothesis import given
from hypothesis import strategies as st

from daide_server.board.turns import Season, Turn
from daide_server.language.text import from_text
from daide_server.language.turn_tokens import is_turn, read_turn, turn_tokens
from daide_server.language.vocabulary import Vocabulary


@given(st.sampled_from(Season), st.integers(-8192, 8191))
def test_turns_keep_their_season_and_year(season: Season, year: int) -> None:
    tokens = turn_tokens(Turn(season, year))

    assert is_turn(tokens)
    assert read_turn(tokens) == Turn(season, year)


@pytest.mark.parametrize("said", ["SPR", "1901 SPR", "SPR SPR", "SPR 1901 1", ""])
def test_what_is_no_turn(said: str) -> None:
    assert not is_turn(from_text(said, Vocabulary.standard()))

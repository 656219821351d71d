import pytest

from daide_server.language.errors import BracketError, GrammarError
from daide_server.language.messages import BracketsRefused, SyntaxRefused
from daide_server.language.tokens import BRA, ERR, GOF, KET, SUB

MESSAGE = SUB, BRA, GOF, KET


def test_unpaired_brackets_are_quoted_as_they_came() -> None:
    """So the answer does not pair either."""
    assert BracketError(MESSAGE[:2]).reply == BracketsRefused((SUB, BRA))


@pytest.mark.parametrize("place", range(len(MESSAGE) + 1))
def test_err_is_inserted_before_the_token_at_fault(place: int) -> None:
    reply = GrammarError(MESSAGE, place).reply

    assert reply == SyntaxRefused((*MESSAGE[:place], ERR, *MESSAGE[place:]))

"""Which answer belongs to which question."""

import pytest

from daide_server.board.names import Power
from daide_server.bots.conversation import is_answer
from daide_server.language.messages import (
    AskMissing,
    AskPosition,
    AskTime,
    ClientMessage,
    Go,
    SendPress,
)
from daide_server.language.text import from_text
from daide_server.language.translation import ServerReader
from daide_server.language.vocabulary import Vocabulary

WORDS = Vocabulary.standard()
PRESS = SendPress(None, (Power("ENG"), Power("GER")), from_text("HUH (ERR)", WORDS))


@pytest.mark.parametrize(
    ("question", "sent", "received", "answers"),
    [
        (Go(), "GOF", "YES (GOF)", True),
        (Go(), "GOF", "REJ (GOF)", True),
        (Go(), "GOF", "YES (NOT (GOF))", False),
        (Go(), "GOF", "HUH (ERR GOF)", True),
        (Go(), "GOF", "CCD (ENG)", False),
        (Go(), "GOF", "TME (30)", False),
        (AskTime(), "TME", "TME (30)", True),
        (AskTime(), "TME", "REJ (TME)", True),
        (AskMissing(), "MIS", "MIS", True),
        (AskMissing(), "MIS", "MIS (-2)", True),
        (AskPosition(), "NOW", "NOW (SPR 1901) (FRA AMY PAR)", True),
        (PRESS, "SND (ENG GER) (HUH (ERR))", "CCD (GER)", True),
        (PRESS, "SND (ENG GER) (HUH (ERR))", "OUT (ENG)", True),
        (PRESS, "SND (ENG GER) (HUH (ERR))", "CCD (TUR)", False),
    ],
)
def test_answer(
    question: ClientMessage, sent: str, received: str, *, answers: bool
) -> None:
    """A message answers if it quotes the question, or is what was asked for."""
    said = ServerReader(WORDS).read(from_text(received, WORDS))

    assert is_answer(said, question, from_text(sent, WORDS)) is answers

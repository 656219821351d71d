"""Every message has a price, and every fan-out is known as one."""

import pytest

from daide_server.game.permissions import ANSWERS
from daide_server.language.client_reader import ClientReader
from daide_server.language.messages import (
    Admin,
    Name,
    Observe,
    SendPress,
    VoteDraw,
    WithdrawDraw,
)
from daide_server.language.text import from_text
from daide_server.language.vocabulary import Vocabulary
from daide_server.server.prices import PRICES, base_price, fan_out_of
from daide_server.storage.variants import load_variant

WORDS = Vocabulary.standard()
SAID = """
NME ('a') ('1')
OBS
IAM (FRA) (1)
HLO
MAP
MDF
NOW
SCO
HST
HST (SPR 1901)
ORD
MIS
TME
TME (5)
YES (MAP ('standard'))
REJ (MAP ('standard'))
REJ (LOD ('a'))
YES (SVE ('a'))
SUB ((FRA AMY PAR) HLD)
NOT (SUB)
NOT (SUB ((FRA AMY PAR) HLD))
GOF
NOT (GOF)
DRW
NOT (DRW)
NOT (TME)
SND (ENG) (PRP (PCE (FRA ENG)))
ADM ('a') ('b')
HUH (ERR NOW)
"""
SENTENCES = [line for line in SAID.splitlines() if line]
READER = ClientReader(WORDS, load_variant("standard").map, 10, partial_draws=True)
FAN_OUT = Admin | SendPress | VoteDraw | WithdrawDraw | Name | Observe


def test_every_kind_of_message_is_here() -> None:
    found = {type(READER.read(from_text(each, WORDS))) for each in SENTENCES}
    assert found == set(ANSWERS)


@pytest.mark.parametrize("said", SENTENCES)
def test_every_message_has_a_price(said: str) -> None:
    """And what reaches others is known by its first tokens."""
    tokens = from_text(said, WORDS)
    assert tokens[0] in PRICES
    assert base_price(tokens) > 0
    assert (fan_out_of(tokens) is not None) is isinstance(READER.read(tokens), FAN_OUT)


def test_what_is_no_message_costs_something_too() -> None:
    said = from_text("FRA FRA", WORDS)
    assert base_price(said) > 0
    assert fan_out_of(said) is None

"""What a message costs: a static price for each type, in about microseconds.

Prices decide nothing but who gives way (`work_queue.py`), so that they need to be right
only in proportion: they are for a message of its usual size, and what is sent is
charged by the byte, for each recipient. A message has one token at least: the wire
refuses shorter ones.
"""

from collections.abc import Mapping
from typing import Final

from daide_server.language.tokens import (
    ADM,
    DRW,
    GOF,
    HLO,
    HST,
    HUH,
    IAM,
    MAP,
    MDF,
    MIS,
    NME,
    NOT,
    NOW,
    OBS,
    ORD,
    PRN,
    REJ,
    SCO,
    SND,
    SUB,
    SVE,
    TME,
    YES,
    Token,
    Tokens,
)

from .sender_account import FanOut

PRICES: Final[Mapping[Token, float]] = {
    NME: 60.0,
    OBS: 40.0,
    IAM: 60.0,
    YES: 30.0,
    REJ: 20.0,
    SUB: 20.0,
    GOF: 20.0,
    DRW: 30.0,
    TME: 20.0,
    NOT: 30.0,
    SND: 20.0,
    ADM: 30.0,
    MAP: 15.0,
    MDF: 15.0,
    SCO: 30.0,
    NOW: 40.0,
    HLO: 20.0,
    HST: 100.0,
    ORD: 60.0,
    MIS: 30.0,
    SVE: 10.0,
    HUH: 10.0,
    PRN: 10.0,
}
"""By the first token of the message; whatever is not here is refused."""

PER_TOKEN: Final = 1.0
"""For each token of the message: it is read, and an order is checked."""
PER_BYTE: Final = 0.02
"""For each byte that is put into an outbox."""
REFUSAL: Final = 100.0
"""For REJ, HUH and PRN on top: who is refused has no reason to hurry."""

_FAN_OUT: Final[Mapping[Token, FanOut]] = {
    ADM: FanOut.ADMIN,
    SND: FanOut.PRESS,
    DRW: FanOut.PRESS,
    NME: FanOut.JOINING,
    OBS: FanOut.JOINING,
}


def base_price(tokens: Tokens) -> float:
    """Return what it costs to take *tokens* in, whatever follows from it."""
    return PRICES.get(tokens[0], 0.0) + PER_TOKEN * len(tokens)


def fan_out_of(tokens: Tokens) -> FanOut | None:
    """Return whether *tokens* reach others or the journal of a game, and how."""
    found = _FAN_OUT.get(tokens[0])
    if found is None and tokens[0] == NOT and DRW in tokens[1:3]:
        return FanOut.PRESS
    return found

"""Dialects: names for tokens whose codes differ between implementations.

Client-Server Protocol, token table: for FCT, FOR and FWD the document differs from its
author's library; CCL and NAR have two codes each. A server accepts all of them by their
context (see `press_grammar`) and forwards them unchanged. Texts need a dialect. All
other tokens have the same name in every dialect.
"""

from collections.abc import Mapping
from typing import Final

from .tokens import CCL, FCT, FOR, FWD, MNEMONICS, NAR, Token

NORMAN: Final = "norman"
"""The dialect of the original server, its library and all programs that use it."""

_OTHER: Final[Mapping[str, Mapping[Token, str]]] = {
    NORMAN: {},
    # The protocol document; used by the server Parlance and its bots.
    "parlance": {FCT: "FWD", FOR: "FCT", FWD: "FOR"},
    # The Python package `diplomacy` (2019) and programs ported from it.
    "diplomacy": {CCL: "NAR", NAR: "CCL"},
}

DIALECTS: Final[Mapping[str, Mapping[Token, str]]] = {
    name: {**MNEMONICS, **other} for name, other in _OTHER.items()
}
"""The name of each token, by dialect."""
